import { copyFile, mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { loadSqliteEngine } from '../../../src/server/db/sqlite-engine.ts';
import { aFamily } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import type { Row } from '../support/row.ts';
import { someoneOn } from '../support/stored.ts';

const CUTS = 200;
/** Few enough that nothing of the log has been carried over: what is in the file already can't be lost from the log. */
const COMMITS = 40;

const idOf = (i: number) => `P-${String(i).padStart(4, '0')}`;

export const logCut: Row = {
  name: 'log-cut',
  fault: `The power goes: the write-ahead log ends at each of ${CUTS} random bytes`,
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'error' });
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-cut-'));
    try {
      const api = await someoneOn(server);
      await server.restart();
      // One after the other: student, family, student, family …
      for (let i = 0; i < COMMITS; i += 1) {
        if (i % 2 === 0) await api.createStudent({ id: idOf(i / 2) });
        else await api.post('/api/students/family', aFamily(idOf((i - 1) / 2)));
      }
      await server.kill();

      const from = path.join(server.dataDir, 'sims.db');
      const { size } = await stat(`${from}-wal`);
      let [least, most] = [COMMITS, 0];
      for (let cut = 0; cut < CUTS; cut += 1) {
        const to = path.join(scratch, `${cut}.db`);
        await copyFile(from, to);
        await copyFile(`${from}-wal`, `${to}-wal`);
        // The whole of it once, so that the last commit is seen to be there at all.
        await truncate(`${to}-wal`, cut === 0 ? size : Math.floor(Math.random() * size));
        const commits = await prefixIn(to).catch((error: unknown) => String(error));
        see.must(typeof commits === 'number', `cut ${cut}: ${commits}`);
        if (typeof commits !== 'number') continue;
        if (cut === 0)
          see.must(commits === COMMITS, `the whole log holds ${COMMITS} commits, not ${commits}`);
        [least, most] = [Math.min(least, commits), Math.max(most, commits)];
      }
      see.tell(
        `${CUTS} cuts of ${(size / 1024).toFixed(0)} KiB: all open, whole, a prefix of ${COMMITS} commits (${least} to ${most})`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** How many of the commits a database holds. @throws when it is not whole, or they are not the first ones */
async function prefixIn(file: string): Promise<number> {
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
    const expected = (count: number) => Array.from({ length: count }, (_, i) => idOf(i)).join();
    const facts = [
      students.join() === expected(Math.ceil(commits / 2)),
      families.join() === expected(Math.floor(commits / 2)),
      Number(values(`select count(*) from history where entity in ('student', 'family')`)[0]) === commits,
      Number(values('select coalesce(sum(students), 0) from cohorts')[0]) === students.length,
      Number(values('select count(distinct student_id) from student_terms')[0]) === students.length,
    ];
    if (facts.includes(false))
      throw new Error(`no prefix: ${students.length} students, ${families.length} families, ${facts.join()}`);
    return commits;
  } finally {
    database.close();
  }
}
