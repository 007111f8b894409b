import { copyFile, mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { loadSqliteEngine } from '../../../../src/server/db/sqlite/engine.ts';
import { Server } from '../../../support/processes/server.ts';
import { aFamily } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerOn } from '../../support/stored.ts';

const CUTS = 200;
/** So few that the log is never checkpointed: all commits are in the log only. */
const COMMITS = 40;

const getStudentId = (i: number) => `P-${String(i).padStart(4, '0')}`;

export const logCut: Scenario = {
  name: 'log-cut',
  fault: `A power cut: the write-ahead log is truncated at ${CUTS} random bytes`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'error' });
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-cut-'));
    try {
      const api = await registerOn(server);
      await server.restart();
      // Alternately: student, family, student, family …
      for (let i = 0; i < COMMITS; i += 1) {
        if (i % 2 === 0) await api.createStudent({ id: getStudentId(i / 2) });
        else await api.post('/api/students/family', aFamily(getStudentId((i - 1) / 2)));
      }
      await server.kill();

      const from = path.join(server.dataDir, 'sims.db');
      const { size } = await stat(`${from}-wal`);
      let [least, most] = [COMMITS, 0];
      for (let cut = 0; cut < CUTS; cut += 1) {
        const to = path.join(scratch, `${cut}.db`);
        await copyFile(from, to);
        await copyFile(`${from}-wal`, `${to}-wal`);
        // The first time the log stays complete, which shows that it holds the last commit.
        await truncate(`${to}-wal`, cut === 0 ? size : Math.floor(Math.random() * size));
        const commits = await countCommits(to).catch((error: unknown) => String(error));
        findings.must(typeof commits === 'number', `cut ${cut}: ${commits}`);
        if (typeof commits !== 'number') continue;
        if (cut === 0)
          findings.must(commits === COMMITS, `the whole log holds ${COMMITS} commits, not ${commits}`);
        [least, most] = [Math.min(least, commits), Math.max(most, commits)];
      }
      findings.report(
        `${CUTS} truncations of ${(size / 1024).toFixed(0)} KiB: all open and intact, a prefix of ${COMMITS} commits (${least} to ${most})`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/**
 * Counts the commits that a database holds.
 *
 * @throws {Error} when the database is damaged or the commits are not the first ones
 */
async function countCommits(file: string): Promise<number> {
  const database = (await loadSqliteEngine()).open(file);
  const values = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => Object.values(z.record(z.string(), z.unknown()).parse(row))[0]);
  try {
    const verdict = values('pragma integrity_check').join('; ');
    if (verdict !== 'ok') throw new Error(verdict);
    const students = values('select id from students order by id');
    const families = values('select student_id from families order by student_id');
    const commits = students.length + families.length;
    const expected = (count: number) => Array.from({ length: count }, (_, i) => getStudentId(i)).join();
    const checks = [
      students.join() === expected(Math.ceil(commits / 2)),
      families.join() === expected(Math.floor(commits / 2)),
      Number(values(`select count(*) from history where entity in ('student', 'family')`)[0]) === commits,
      Number(values('select coalesce(sum(students), 0) from cohorts')[0]) === students.length,
      Number(values('select count(distinct student_id) from student_terms')[0]) === students.length,
    ];
    if (checks.includes(false))
      throw new Error(
        `no prefix: ${students.length} students, ${families.length} families, ${checks.join()}`,
      );
    return commits;
  } finally {
    database.close();
  }
}
