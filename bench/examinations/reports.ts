/** The reports of a class of 300 in a faculty of any size: time and CPU time per call. */
import path from 'node:path';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { registerUser } from '../../tests/support/api.ts';
import { quantile, timeCalls } from '../../tests/support/load/closed-loop.ts';
import { computedMs } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { openFaculty, short } from '../support/faculty.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS ?? 100_000);
const CLASS = { department: 'EE', degree: 'bench', size: 300 };
const LIMIT_MS = 20;

/** The degree check reads whole records, so it has no limit. */
const CALLS = [
  { name: 'Ranking by CGPA', call: 'ranking', limit: LIMIT_MS },
  { name: 'Result summary', call: 'result-summary', limit: LIMIT_MS },
  { name: "Dean's list", call: 'deans-list', limit: LIMIT_MS },
  { name: 'Degree check', call: 'degree-check', limit: undefined },
];

interface Member {
  id: string;
  degree: string;
}

/** Puts students of the last semester with all their results into one class; fewer if there are not so many. */
async function makeClass(dataDir: string): Promise<Member[]> {
  const database = (await loadSqliteEngine()).open(path.join(dataDir, 'sims.db'));
  const members = database
    .prepare(
      `select id, degree from students where current_sem = 8 and department = ? and status in ('active', 'graduated')
        and is_complete = 1 limit ?`,
    )
    .all(CLASS.department, CLASS.size) as Member[];
  const move = database.prepare('update students set degree = ? where id = ?');
  for (const { id } of members) move.run(CLASS.degree, id);
  database.close();
  return members;
}

async function removeClass(dataDir: string, members: readonly Member[]): Promise<void> {
  const database = (await loadSqliteEngine()).open(path.join(dataDir, 'sims.db'));
  const move = database.prepare('update students set degree = ? where id = ?');
  for (const { id, degree } of members) move.run(degree, id);
  database.close();
}

const { dataDir } = await openFaculty(STUDENTS);
const members = await makeClass(dataDir);
const server = await Server.start({ SIMS_DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
try {
  const { token } = await registerUser(server.url);
  console.log(`A class of ${members.length} among ${short(STUDENTS)} students, one user:`);
  for (const { name, call, limit } of CALLS) {
    const paths = [`/api/reports/${call}?department=${CLASS.department}&degree=${CLASS.degree}`];
    await timeCalls(server.url, paths, { users: 1, seconds: 1, token }); // warm
    const before = computedMs(server.pid);
    const { times } = await timeCalls(server.url, paths, { users: 1, seconds: 3, token });
    const computed = (computedMs(server.pid) - before) / times.length;
    const median = quantile(times, 0.5);
    const verdict = limit === undefined ? '' : `, limit ${limit}, ${median <= limit ? 'ok' : 'OVER'}`;
    console.log(
      `  ${name}: median ${median.toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ${computed.toFixed(1)} ms of computing${verdict}`,
    );
  }
} finally {
  await server.stop();
  await removeClass(dataDir, members);
}
