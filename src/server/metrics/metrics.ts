import { readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { lastSuccess } from '../backup/schedule.ts';
import type { Database, DatabaseState, PoolState } from '../db/database.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { Db } from '../db/schema.ts';
import { PACKAGE_FILE } from '../program-files.ts';

/** Adds a gauge of a single value. */
function addGauge(registry: Registry, name: string, help: string, value: number): void {
  new Gauge({ name, help, registers: [registry] }).set(value);
}

/** Upper bounds in seconds: from a single row to a long upload. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const SIGN_IN_FAILURES = new Map([
  [401, 'wrong_password'],
  [429, 'too_many_attempts'],
]);

/**
 * Counts answered requests. Durations have no status label: every combination of labels costs the collector a series per
 * bucket.
 */
class RequestCounts {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'sims_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'sims_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [this.#registry],
  });
  readonly #signInFailures = new Counter({
    name: 'sims_sign_in_failures_total',
    help: 'Refused attempts to sign in.',
    labelNames: ['reason'],
    registers: [this.#registry],
  });

  constructor() {
    // A series that starts with its first failure would hide that failure from a rate.
    for (const reason of SIGN_IN_FAILURES.values()) this.#signInFailures.inc({ reason }, 0);
  }

  /**
   * @param route a pattern, since every value is a series of its own
   * @param seconds undefined for a streamed answer, which ends when the client leaves
   */
  add(method: string, route: string, status: number, seconds: number | undefined): void {
    this.#requests.inc({ method, route, status });
    if (seconds !== undefined) this.#durations.observe({ method, route }, seconds);
    const reason = SIGN_IN_FAILURES.get(status);
    if (method === 'POST' && route === '/api/login' && reason !== undefined) {
      this.#signInFailures.inc({ reason });
    }
  }

  /** The counts in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** Sampling interval of the event loop. */
const LOOP_RESOLUTION_MS = 10;

/**
 * Resources of the process, under the names that common dashboards expect. The default metrics of the library are not
 * used: they read system files on the event loop, and their observers are never stopped.
 */
function addProcessMetrics(registry: Registry): void {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  addGauge(
    registry,
    'process_start_time_seconds',
    'When the process started, since 1970.',
    performance.timeOrigin / 1e3,
  );
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used.',
    registers: [registry],
  }).inc((user + system) / 1e6);
  addGauge(registry, 'process_resident_memory_bytes', 'Memory that the process holds.', rss);
  addGauge(registry, 'nodejs_heap_size_total_bytes', 'Memory set aside for objects.', heapTotal);
  addGauge(registry, 'nodejs_heap_size_used_bytes', 'Memory that objects take.', heapUsed);
  addGauge(registry, 'nodejs_external_memory_bytes', 'Memory of buffers outside of the heap.', external);
}

/** Delay of the event loop since the last collection: how long one task made all other requests wait. */
function addEventLoopMetrics(registry: Registry, delay: IntervalHistogram): void {
  // Samples include the interval itself, so only the rest is delay. There may be no sample yet.
  const seconds = (ns: number) => Math.max(0, ns / 1e9 - LOOP_RESOLUTION_MS / 1e3);
  const figures = [
    ['p50', delay.percentile(50)],
    ['p99', delay.percentile(99)],
    ['max', delay.count === 0 ? 0 : delay.max],
  ] as const;
  delay.reset();
  for (const [figure, ns] of figures) {
    addGauge(
      registry,
      `nodejs_eventloop_lag_${figure}_seconds`,
      `Lateness of the event loop since the last collection: ${figure}.`,
      seconds(ns),
    );
  }
}

/** The database as this process sees it. */
function addDatabaseMetrics(registry: Registry, state: DatabaseState): void {
  if (state.engine === 'sqlite') {
    addGauge(registry, 'sims_database_file_bytes', 'Size of the database file.', state.fileBytes);
    addGauge(registry, 'sims_database_wal_bytes', 'Size of the write-ahead log beside it.', state.logBytes);
    addGauge(registry, 'sims_database_free_bytes', 'Room left where it is.', state.freeBytes);
    return;
  }
  const { waiting, most, replica } = state;
  addConnections(
    registry,
    'sims_database_connections',
    'Connections of this process to the database server.',
    state,
  );
  addGauge(registry, 'sims_database_connections_max', 'Connections that this process may have.', most);
  addGauge(registry, 'sims_database_waiting', 'Queries that wait for a connection.', waiting);
  if (replica === undefined) return;
  addGauge(registry, 'sims_replica_serves', 'Whether the read replica is asked.', replica.serves ? 1 : 0);
  addGauge(
    registry,
    'sims_replica_behind_seconds',
    'Since the primary wrote what the read replica has not got.',
    replica.behind / 1_000,
  );
  addConnections(
    registry,
    'sims_replica_connections',
    'Connections of this process to the read replica.',
    replica,
  );
  addGauge(registry, 'sims_replica_waiting', 'Queries that wait for one of these.', replica.waiting);
}

function addConnections(registry: Registry, name: string, help: string, { inUse, idle }: PoolState): void {
  const gauge = new Gauge({ name, help, labelNames: ['state'], registers: [registry] });
  gauge.set({ state: 'in_use' }, inUse);
  gauge.set({ state: 'idle' }, idle);
}

/** Age of the latest successful backup, made by any process. Left out while the database does not answer. */
async function addBackupMetrics(registry: Registry, db: Db): Promise<void> {
  const help =
    'Seconds since the latest scheduled backup that came out well was begun; infinite before the first.';
  try {
    const good = await lastSuccess(db);
    const age = good === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (Date.now() - good) / 1_000);
    addGauge(registry, 'sims_backup_age_seconds', help, age);
  } catch {
    // The other metrics are still useful.
  }
}

/** The metrics of this process, measured until it is closed. */
export class Measurements {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly requests = new RequestCounts();
  readonly #delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #build = readBuild();

  constructor() {
    this.#delay.enable();
  }

  /** Everything in the text format of Prometheus. Resets the delay of the event loop. */
  async collect(db: Database, { withBackups }: { withBackups: boolean }): Promise<string> {
    const state = await db.state();
    // Current values get a new registry for each collection; the counts have one for the life of the process.
    const current = new Registry();
    addBuildInfo(current, { ...this.#build, engine: state.engine });
    addProcessMetrics(current);
    addEventLoopMetrics(current, this.#delay);
    addDatabaseMetrics(current, state);
    if (withBackups) await addBackupMetrics(current, db.read);
    return `${await current.metrics()}${await this.requests.text()}`;
  }

  close(): void {
    this.#delay.disable();
  }
}

/** Version and schema, which differ between processes while a new version is rolled out. */
function readBuild() {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')));
  return { version, node: process.version, schema: MIGRATIONS.length };
}

function addBuildInfo(registry: Registry, labels: ReturnType<typeof readBuild> & { engine: string }): void {
  new Gauge({
    name: 'sims_build_info',
    help: 'The running program; the value says nothing.',
    labelNames: ['version', 'node', 'schema', 'engine'],
    registers: [registry],
  }).set(labels, 1);
}
