import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Cable, getAddress, type MachineName, NEIGHBOURS } from './network.ts';
import { trueOrUndefined, waitFor } from './waiting.ts';

const inProject = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** The status that Patroni reports for its own machine. */
const status = z.object({
  state: z.string(),
  role: z.string(),
  timeline: z.int().optional(),
  replication: z
    .array(z.object({ application_name: z.string(), state: z.string(), sync_state: z.string() }))
    .default([]),
});
export type Status = z.infer<typeof status>;

/** The members of the cluster that Patroni reports. */
const cluster = z.object({ members: z.array(z.object({ name: z.string(), role: z.string() })) });

/** A machine with etcd, Patroni and PostgreSQL, configured by deploy/patroni. */
export class Machine {
  readonly name: MachineName;
  readonly #folder: string;
  #boots = 0;
  #process: ChildProcess | undefined;
  #initPid = 0;
  #cable: Cable | undefined;

  constructor(name: MachineName, folder: string) {
    this.name = name;
    this.#folder = path.join(folder, name);
    mkdirSync(this.#folder);
    execFileSync('chown', ['postgres:', this.#folder]);
  }

  get cable(): Cable {
    if (this.#cable === undefined) throw new Error(`${this.name} is not running.`);
    return this.#cable;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  async start(): Promise<void> {
    this.#boots += 1;
    const log = openSync(path.join(this.#folder, 'machine.log'), 'a');
    const namespaces = ['--pid', '--fork', '--kill-child', '--mount-proc', '--mount', '--net'];
    const child = spawn('unshare', [...namespaces, 'sh', inProject('tests/cluster/machine.sh')], {
      cwd: this.#folder,
      env: this.#environment(),
      stdio: ['ignore', log, log],
    });
    this.#process = child;
    // The script is the only child of `unshare`.
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    this.#initPid = await waitFor(
      `${this.name} to start`,
      () => Number(readFileSync(children, 'utf8')) || undefined,
    );
    const getNetwork = (process: number | 'self') => readlinkSync(`/proc/${process}/ns/net`);
    await waitFor(`${this.name} to have its own network`, () =>
      trueOrUndefined(getNetwork(this.#initPid) !== getNetwork('self')),
    );
    this.#cable = new Cable(this.name, this.#initPid, this.#boots);
  }

  #environment(): NodeJS.ProcessEnv {
    const exampleLines = readFileSync(inProject('deploy/patroni/node.example.env'), 'utf8').matchAll(
      /^(\w+)=(.*)$/gm,
    );
    const environment = [...exampleLines].map(([, key = '', value = '']) => [
      key,
      key === 'ETCD_INITIAL_CLUSTER'
        ? value
        : value.replace(/^node1$/, this.name).replace(getAddress('node1'), getAddress(this.name)),
    ]);
    return {
      PATH: process.env.PATH,
      ...Object.fromEntries(environment),
      PATRONI_POSTGRESQL_DATA_DIR: path.join(this.#folder, 'postgresql'),
      ETCD_DATA_DIR: path.join(this.#folder, 'etcd'),
      PATRONI_FILE: inProject('deploy/patroni/patroni.yaml'),
      ADDRESS: getAddress(this.name),
      NEIGHBOURS,
      BOOT: `${this.#boots}`,
    };
  }

  /** Kills all processes of the machine, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    this.#cable = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(this.#initPid, 'SIGKILL');
    await ended;
  }

  /** Suspends all processes of the machine: packets arrive but are not answered. */
  freeze(): void {
    this.#signalAll('STOP');
  }

  /** Resumes the suspended processes. */
  thaw(): void {
    this.#signalAll('CONT');
  }

  #signalAll(signal: string): void {
    const namespaces = ['--target', `${this.#initPid}`, '--pid', '--mount'];
    execFileSync('nsenter', [...namespaces, 'sh', '-c', `kill -${signal} -1`]);
  }

  /** `undefined` if Patroni does not answer. */
  status(): Promise<Status | undefined> {
    return this.#readPatroni('patroni', status);
  }

  /** The names of the standbys that Patroni lets take over from the primary. */
  async syncStandbys(): Promise<string[]> {
    const { members = [] } = (await this.#readPatroni('cluster', cluster)) ?? {};
    return members.filter(({ role }) => role === 'sync_standby').map(({ name }) => name);
  }

  async #readPatroni<Answer>(resource: string, schema: z.ZodType<Answer>): Promise<Answer | undefined> {
    try {
      const url = `http://${getAddress(this.name)}:8008/${resource}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
      return schema.parse(await response.json());
    } catch {
      return undefined;
    }
  }

  /** Runs statements as the PostgreSQL superuser on the machine itself, independent of its network. */
  sql(database: string, ...statements: string[]): string {
    const namespaces = ['--target', `${this.#initPid}`, '--mount', '--net'];
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
    const commands = statements.flatMap((statement) => ['--command', statement]);
    return execFileSync('nsenter', [...namespaces, ...asPostgres, 'psql', '-XAtq', ...commands, database], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  isWritable(): boolean {
    try {
      return this.sql('postgres', 'select not pg_is_in_recovery()').trim() === 't';
    } catch {
      return false;
    }
  }
}
