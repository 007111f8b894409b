/** The most frequent reads on PostgreSQL, compared with a bare server, and two processes compared with one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import pg from 'pg';
import { openPostgres } from '../../src/server/db/postgres/open-postgres.ts';
import { seedFaculty } from '../../src/server/seed/seed-faculty.ts';
import { registerUser } from '../../tests/support/api.ts';
import { PostgresServer } from '../../tests/support/database/postgres.ts';
import { computedMs } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { holdToShare } from '../support/processor-share.ts';

const SECONDS = 5;
/** Concurrent connections to all processes together; also the maximum of database connections per process. */
const CONNECTIONS = 10;
/** Requests per second of the product relative to the bare server. */
const LEAST_RATIO = 0.5;
/** Requests per second of two processes relative to one. */
const LEAST_GAIN = 1.6;
/**
 * CPU share of each process while the gain of the second is measured. The database server and the load generator run on
 * the same machine here; without the limit they would compete with the two processes for CPU.
 */
const SHARE = 0.25;

interface Target {
  url: string;
  pid: number | undefined;
}

interface Load {
  perSecond: number;
  /** CPU milliseconds per request: `own` of the measured processes, `database` of the database server. */
  own: number;
  database: number;
}

async function measure(
  targets: readonly Target[],
  path: string,
  watcher: pg.Client,
  token = '',
): Promise<Load> {
  const computed = async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    );
    return {
      own: targets.reduce((sum, { pid }) => sum + computedMs(pid), 0),
      database: new Map(rows.map(({ pid }) => [pid, computedMs(pid)])),
    };
  };
  const run = (duration: number) =>
    Promise.all(
      targets.map(({ url }) =>
        autocannon({
          url: url + path,
          headers: { authorization: `Bearer ${token}` },
          connections: CONNECTIONS / targets.length,
          duration,
        }),
      ),
    );
  await run(1); // warm, and every connection made
  const before = await computed();
  const results = await run(SECONDS);
  const after = await computed();
  const failed = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (failed > 0) throw new Error(`${path}: ${failed} calls were refused`);
  const requests = results.reduce((sum, result) => sum + result.requests.total, 0);
  const database = [...after.database].reduce(
    (sum, [pid, ms]) => sum + ms - (before.database.get(pid) ?? 0),
    0,
  );
  return {
    perSecond: results.reduce((sum, result) => sum + result.requests.average, 0),
    own: (after.own - before.own) / requests,
    database: database / requests,
  };
}

const formatLoad = ({ perSecond, own, database }: Load) =>
  `${perSecond.toFixed(0)}/s (${own.toFixed(2)} ms of computing a request, ${database.toFixed(2)} ms in PostgreSQL)`;
const verdict = (value: number, least: number) =>
  `${value.toFixed(2)} (${value >= least ? 'ok' : 'UNDER'} ${least})`;

const postgres = await PostgresServer.start();
const servers: Server[] = [];
try {
  const db = await openPostgres(postgres.url());
  await seedFaculty(db.write, { students: 100, seed: 1 });
  const fullest = await db.read
    .selectFrom('semesters')
    .select(['student_id', (eb) => eb.fn.countAll().as('semesters')])
    .groupBy('student_id')
    .orderBy('semesters', 'desc')
    .orderBy('student_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.close();
  const watcher = new pg.Client({ connectionString: postgres.url() });
  await watcher.connect();

  const settings = {
    DATABASE_URL: postgres.url(),
    SIMS_DATABASE_POOL: String(CONNECTIONS),
    LOG_LEVEL: 'warn',
  };
  const first = await Server.start(settings);
  servers.push(first);
  const second = await Server.start(settings);
  servers.push(second);
  const { token } = await registerUser(first.url);

  const script = fileURLToPath(new URL('../support/bare/bare-postgres.ts', import.meta.url));
  const bare = spawn(
    process.execPath,
    ['--import', 'tsx', script, postgres.url(), String(CONNECTIONS), fullest.student_id],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = await once(bare.stdout, 'data');
    const bareTarget = {
      url: `http://127.0.0.1:${String(line).trim().split(' ').at(-1)}`,
      pid: bare.pid,
    };
    const calls = [
      ['A list of 100', '/list', '/api'],
      [`A record of ${fullest.semesters} semesters`, '/record', `/api/students/${fullest.student_id}`],
    ] as const;
    for (const [title, barePath, path] of calls) {
      const limit = await measure([bareTarget], barePath, watcher);
      const one = await measure([first], path, watcher, token);
      const two = await measure([first, second], path, watcher, token);
      console.log(`${title}: ${formatLoad(one)}`);
      console.log(
        `  bare ${formatLoad(limit)}, ratio ${verdict(one.perSecond / limit.perSecond, LEAST_RATIO)}`,
      );
      console.log(
        `  two processes ${formatLoad(two)}, ${(two.perSecond / one.perSecond).toFixed(2)} times one: the database server and the load generator share the ${availableParallelism()} processors`,
      );
      const release = servers.map(({ pid }) => holdToShare(pid, SHARE));
      if (release.includes(undefined)) {
        console.log('  the gain of two processes by themselves needs root on Linux: not measured');
      } else {
        const small = await measure([first], path, watcher, token);
        const both = await measure([first, second], path, watcher, token);
        console.log(
          `  on ${SHARE} of a CPU each: one ${formatLoad(small)}, two ${formatLoad(both)}, gain ${verdict(both.perSecond / small.perSecond, LEAST_GAIN)}`,
        );
      }
      for (const letGo of release) letGo?.();
    }
  } finally {
    bare.kill('SIGTERM');
    await watcher.end();
  }
} finally {
  await Promise.all(servers.map((server) => server.dispose()));
  await postgres.dispose();
}
