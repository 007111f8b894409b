/** Results saved by many users concurrently, as at a grade deadline, compared with the commit rate of the disk. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { recordReply } from '../src/contract/students/students.ts';
import { Api, registerUser } from '../tests/support/browser/api.ts';
import { Server } from '../tests/support/processes/server.ts';
import { aSemester } from '../tests/support/records.ts';
import { quantile } from './support/closed-loop.ts';
import { computedMs } from './support/resident.ts';

const USERS = 16;
const SECONDS = 5;
/** The commit of one save writes a few database pages to the log. */
const PAGE = Buffer.alloc(4096, 1);
const PAGES = 8;
const GRADES = ['A', 'B', 'C', 'D'] as const;

const subjects = (grade: (typeof GRADES)[number]) =>
  ['Statics', 'Calculus', 'Physics', 'Drawing', 'Programming'].map((title) => ({ title, credits: 3, grade }));

/** Sequential commits per second of a log that is only appended to. */
function bareCommits(dataDir: string): number {
  const file = openSync(path.join(dataDir, 'bare.log'), 'w');
  let commits = 0;
  const end = performance.now() + 2_000;
  for (; performance.now() < end; commits += 1) {
    for (let page = 0; page < PAGES; page += 1) writeSync(file, PAGE);
    fdatasyncSync(file);
  }
  closeSync(file);
  return commits / 2;
}

const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);
  const saves = await Promise.all(
    Array.from({ length: USERS }, async () => {
      const { id } = await api.createRecord([subjects('A'), subjects('B')]);
      const record = recordReply.parse(await api.get(`/api/students/${id}`));
      return { id, path: `/api/students/academics/${record?.academics[0]?.academic_id}` };
    }),
  );
  const bare = bareCommits(server.dataDir);
  const times: number[] = [];
  const computed = computedMs(server.pid);
  const start = performance.now();
  await Promise.all(
    saves.map(async (save) => {
      for (let turn = 0; performance.now() - start < SECONDS * 1_000; turn += 1) {
        const before = performance.now();
        const grade = GRADES[turn % GRADES.length] ?? 'A';
        const { status } = await api.send('PUT', save.path, aSemester(save.id, 1, subjects(grade)));
        if (status !== 200) throw new Error(`A save was answered ${status}`);
        times.push(performance.now() - before);
      }
    }),
  );
  const rate = times.length / ((performance.now() - start) / 1_000);
  console.log(
    `${USERS} people saving results: ${rate.toFixed(0)}/s, median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, computed ${((computedMs(server.pid) - computed) / times.length).toFixed(2)} ms each; bare log ${bare.toFixed(0)}/s, ratio ${(rate / bare).toFixed(2)}`,
  );
} finally {
  await server.dispose();
}
