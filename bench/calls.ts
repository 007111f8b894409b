/** Requests per second of the most frequent reads, compared with a bare server that returns the same data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { openEmbedded } from '../src/server/db/sqlite/open-sqlite.ts';
import { seedFaculty } from '../src/server/seed/seed-faculty.ts';
import { registerUser } from '../tests/support/browser/api.ts';
import { Server } from '../tests/support/processes/server.ts';

const SECONDS = 5;
const CONNECTIONS = 10;
/** Requests per second of the product relative to the bare server. */
const LEAST_RATIO = 0.5;

async function startBare(file: string, id: string): Promise<{ url: string; process: ChildProcess }> {
  const script = fileURLToPath(new URL('./support/bare-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, file, id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(line).trim().split(' ').at(-1)}`, process: child };
}

async function rate(url: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} refused ${result.non2xx + result.errors} calls`);
  return result.requests.average;
}

const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  await server.stop();
  const db = await openEmbedded(server.dataDir);
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
  await server.restart();
  const { token } = await registerUser(server.url);

  const bare = await startBare(path.join(server.dataDir, 'sims.db'), fullest.student_id);
  try {
    const calls = [
      ['A list of 100', '/list', `${server.url}/api`],
      [
        `A record of ${fullest.semesters} semesters`,
        '/record',
        `${server.url}/api/students/${fullest.student_id}`,
      ],
    ] as const;
    for (const [title, barePath, url] of calls) {
      await rate(url, token); // warm
      const limit = await rate(bare.url + barePath);
      const own = await rate(url, token);
      const finished = await rate(`${bare.url}/finished${barePath}`);
      const ratio = own / limit;
      console.log(
        `${title}: ${own.toFixed(0)}/s, bare ${limit.toFixed(0)}/s, ratio ${ratio.toFixed(2)} (${ratio >= LEAST_RATIO ? 'ok' : 'UNDER'} ${LEAST_RATIO}); finished text ${finished.toFixed(0)}/s`,
      );
    }
  } finally {
    bare.process.kill('SIGTERM');
  }
} finally {
  await server.dispose();
}
