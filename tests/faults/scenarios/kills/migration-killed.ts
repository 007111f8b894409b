import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { listBackups } from '../../../../src/server/backup/backup-folder.ts';
import { migrate } from '../../../../src/server/db/migrate.ts';
import { MIGRATIONS } from '../../../../src/server/db/migrations/index.ts';
import type { Schema } from '../../../../src/server/db/schema.ts';
import { createWriter } from '../../../../src/server/db/sqlite/driver.ts';
import { loadSqliteEngine } from '../../../../src/server/db/sqlite/engine.ts';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { applyPendingPolicies } from '../../../../src/server/policies/apply.ts';
import { fillFaculty } from '../../../../src/server/seed/fill-faculty.ts';
import { Server } from '../../../support/processes/server.ts';
import { outdatedDerivedData } from '../../support/derived-data.ts';
import type { Scenario } from '../../support/scenario.ts';
import { checked } from '../../support/stored.ts';

const STUDENTS = 500;
const KILLS = 40;
/** After every so many kills the product itself is started; otherwise this process opens the database, which is faster. */
const RESTART_EVERY = 20;

export const migrationKilled: Scenario = {
  name: 'migration-killed',
  fault: `A start is killed while it migrates a database of ${STUDENTS} students from the first schema, ${KILLS} times`,
  run: async (findings) => {
    const scratchFolder = await mkdtemp(path.join(tmpdir(), 'sims-migration-'));
    const oldFile = path.join(scratchFolder, 'old.db');
    const folder = path.join(scratchFolder, 'data');
    const file = path.join(folder, 'sims.db');
    const settings = { LOG_LEVEL: 'silent' };
    try {
      const students = await createOldDatabase(scratchFolder, oldFile);
      const resetToOld = async () => {
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder, { mode: 0o700 });
        await copyFile(oldFile, file);
      };
      const hasBackup = async () =>
        (await listBackups(path.join(folder, 'backups'))).some(
          ({ occasion }) => occasion === 'before-migration',
        );
      // Duration of an undisturbed start.
      await resetToOld();
      const startedAt = performance.now();
      await (await Server.start(settings, folder)).stop();
      const startMs = performance.now() - startedAt;

      const step = startMs / 50;
      let delay = startMs / 2;
      let [before, after] = [0, 0];
      for (let i = 0; i < KILLS; i += 1) {
        await resetToOld();
        await Server.refused(folder, settings, delay + step * (Math.random() - 0.5));
        const [verdict, version] = [await checked(file), await readVersion(file)];
        findings.must(verdict === 'ok', `kill ${i}: the file is intact, not "${verdict}"`);
        findings.must(
          version === 1 || version === MIGRATIONS.length,
          `kill ${i}: version 1 or ${MIGRATIONS.length}, not ${version}`,
        );
        findings.must(
          isDeepStrictEqual(await readStudents(file), students),
          `kill ${i}: every student is stored`,
        );
        // Later after a kill before the commit, earlier after a kill behind it, so that most kills are close to the commit.
        if (version === 1) {
          before += 1;
          delay += step;
        } else {
          after += 1;
          delay -= step;
          findings.must(await hasBackup(), `kill ${i}: there is a backup from before the migration`);
        }
        if (i % RESTART_EVERY === 0) {
          await (await Server.start(settings, folder)).stop();
          findings.must(await hasBackup(), `kill ${i}: there is a backup after the next start`);
        } else await (await openEmbedded(folder)).close();
        findings.must(
          (await readVersion(file)) === MIGRATIONS.length,
          `kill ${i}: the next start completes the migration`,
        );
        findings.must(
          isDeepStrictEqual(await readStudents(file), students),
          `kill ${i}: every student is stored after the next start`,
        );
      }
      findings.must(before > 0 && after > 0, `kills before and after the commit, not ${before} and ${after}`);
      const database = await openEmbedded(folder);
      // The server does this at its start.
      await applyPendingPolicies(database.write, () => false);
      const outdated = await outdatedDerivedData(database);
      await database.close();
      findings.must(outdated.length === 0, `the read models match the records (${outdated.join()})`);
      findings.report(
        `${KILLS} kills around the migration (a start takes ${startMs.toFixed(0)} ms): ${before} left the old version, ${after} the new one; the next start completed each; ${students.length} students each time`,
      );
    } finally {
      await rm(scratchFolder, { recursive: true, force: true });
    }
  },
};

/**
 * Writes a database with the first schema, filled with a faculty, to `oldFile`.
 *
 * @returns its students
 */
async function createOldDatabase(scratchFolder: string, oldFile: string): Promise<unknown[]> {
  const current = path.join(scratchFolder, 'current');
  const filled = await openEmbedded(current);
  await fillFaculty(filled.write, { students: STUDENTS, seed: 7, intakes: 6 });
  await filled.close();

  const database = (await loadSqliteEngine()).open(oldFile);
  database.exec('pragma journal_mode = wal');
  const db = createWriter(database);
  await migrate(db, { version: 1 });
  const tables = await readNames(
    db,
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  );
  await sql`attach ${path.join(current, 'sims.db')} as full`.execute(db);
  // Migrations count the cohorts again, by more values than the first schema.
  const notCopied = ['schema_versions', 'cohorts', 'cohort_cgpas'];
  for (const table of tables.filter((name) => !notCopied.includes(name))) {
    const columns = (await readNames(db, `select name from pragma_table_info('${table}')`)).map(
      (name) => `"${name}"`,
    );
    await sql
      .raw(`insert into main."${table}" (${columns}) select ${columns} from full."${table}"`)
      .execute(db);
  }
  // Moves the write-ahead log into the database file, since only that file is copied.
  database.exec('detach full; pragma wal_checkpoint(truncate)');
  await db.destroy();
  database.close();
  return readStudents(oldFile);
}

const readNames = async (db: Kysely<Schema>, query: string) =>
  (await sql.raw<{ name: string }>(query).execute(db)).rows.map(({ name }) => name);

const readRows = async (file: string, query: string) => {
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
};

/** Reads only columns that both schema versions have. */
const readStudents = (file: string) =>
  readRows(
    file,
    `select id, first_name, last_name, dob, fsc_marks, current_sem, version,
      (select count(*) from semester_subjects where student_id = id) as subjects from students order by id`,
  );

async function readVersion(file: string): Promise<number> {
  const [row] = await readRows(file, 'select max(version) as version from schema_versions');
  return z.object({ version: z.number() }).parse(row).version;
}
