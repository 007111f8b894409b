/** Upload of a million marks: duration, delay of other requests, and memory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { buildMarks } from '../../src/server/seed/builders.ts';
import { seededRandom } from '../../src/server/seed/random.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { residentMib } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { timeWhile } from '../support/time-while.ts';

const MARKS = 1_000_000;
const UPLOADS = 3;
const LIMITS = { time: 3, delay: 5, growth: 300 };
/** Users who repeatedly open a record during the upload. */
const READERS = 4;
const IDLE_MS = 4_000;

const median = (values: readonly number[]) => quantile(values, 0.5);
const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;

/** The baseline: one prepared insert, one row per mark, one durable transaction. */
async function bareInsert(marks: readonly number[]): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-'));
  const database = (await loadSqliteEngine()).open(path.join(folder, 'marks.db'));
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
    database.exec(
      'create table marks (course_id integer, position integer, mark real, primary key (course_id, position)) strict, without rowid',
    );
    const insert = database.prepare('insert into marks values (?, ?, ?)');
    const before = performance.now();
    database.exec('begin');
    for (const [i, mark] of marks.entries()) insert.run(1, i, mark);
    database.exec('commit');
    return performance.now() - before;
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const marks = buildMarks(seededRandom(1), MARKS, 60);
const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);
  await api.createRecord([[], []], { id: '1' });
  await api.post('/api/courses', { course_id: 1, course_code: 'B', course_name: 'Bench' });

  const upload = async () => {
    const form = new FormData();
    form.set('course_id', '1');
    form.set('file', new Blob([marks.join('\n')]), 'marks.csv');
    const before = performance.now();
    const response = await fetch(new URL('/api/courses-marks', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    if (response.status !== 201) throw new Error(`The upload was answered with ${response.status}.`);
    return performance.now() - before;
  };

  const reading = { api, path: '/api/students/1', users: READERS };
  await timeWhile(reading, setTimeout(1_000)); // warm
  const idle = quantile((await timeWhile(reading, setTimeout(IDLE_MS))).times, 0.99);
  const before = residentMib(server.pid);
  const bare: number[] = [];
  const own: number[] = [];
  const busy: number[] = [];
  for (let i = 0; i < UPLOADS; i += 1) {
    bare.push(await bareInsert(marks));
    own.push(await upload());
    busy.push(...(await timeWhile(reading, upload())).times);
  }
  const time = median(own) / median(bare);
  console.log(
    `A million marks: stored in ${median(own).toFixed(0)} ms, bare insert ${median(bare).toFixed(0)} ms, ratio ${time.toFixed(2)} (${verdict(time, LIMITS.time)})`,
  );
  const busyP99 = quantile(busy, 0.99);
  const delay = busyP99 / idle;
  console.log(
    `Other calls, p99: idle ${idle.toFixed(1)} ms, during it ${busyP99.toFixed(1)} ms of ${busy.length}, longest ${Math.max(...busy).toFixed(0)} ms, ratio ${delay.toFixed(2)} (${verdict(delay, LIMITS.delay)})`,
  );
  const highest = residentMib(server.pid, 'VmHWM');
  if (before !== undefined && highest !== undefined) {
    const growth = highest - before;
    console.log(
      `Resident memory: ${before.toFixed(0)} MiB before, at most ${highest.toFixed(0)}, growth ${growth.toFixed(0)} MiB (${verdict(growth, LIMITS.growth)})`,
    );
  }
} finally {
  await server.dispose();
}
