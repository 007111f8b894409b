import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Kysely, sql } from 'kysely';
import { z } from 'zod';
import { backupsIn } from '../../../src/server/backup/names.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { MIGRATIONS } from '../../../src/server/db/migrations/index.ts';
import { openEmbedded } from '../../../src/server/db/open.ts';
import type { Schema } from '../../../src/server/db/schema.ts';
import { sqliteDialect } from '../../../src/server/db/sqlite-dialect.ts';
import { loadSqliteEngine } from '../../../src/server/db/sqlite-engine.ts';
import { fillFaculty } from '../../../src/server/seed/fill-faculty.ts';
import { Server } from '../../support/server.ts';
import { outdatedReadModels } from '../support/read-models.ts';
import type { Row } from '../support/row.ts';
import { checked } from '../support/stored.ts';

const STUDENTS = 2_000;
const KILLS = 12;

export const migrationKilled: Row = {
  name: 'migration-killed',
  fault: `A start is killed while it brings a database of ${STUDENTS} students from the first schema to this one, ${KILLS} times`,
  run: async (see) => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-migration-'));
    const old = path.join(scratch, 'old.db');
    const folder = path.join(scratch, 'data');
    const file = path.join(folder, 'sims.db');
    const settings = { LOG_LEVEL: 'silent' };
    try {
      const students = await makeOld(scratch, old);
      const startOnOld = async () => {
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder);
        await copyFile(old, file);
      };
      // How long it takes when nobody disturbs it.
      await startOnOld();
      const begin = performance.now();
      await (await Server.start(settings, folder)).stop();
      const usual = performance.now() - begin;
      let within = usual;

      let [before, after, finished] = [0, 0, 0];
      for (let i = 0; i < KILLS; i += 1) {
        await startOnOld();
        const patience = within * (0.2 + 0.8 * Math.random());
        await Server.refused(folder, settings, patience);
        const [verdict, version] = [await checked(file), await versionOf(file)];
        see.must(verdict === 'ok', `kill ${i}: whole, not "${verdict}"`);
        see.must(
          version === 1 || version === MIGRATIONS.length,
          `kill ${i}: version 1 or ${MIGRATIONS.length}, not ${version}`,
        );
        see.must(isDeepStrictEqual(await studentsIn(file), students), `kill ${i}: every student is there`);
        if (version === 1) before += 1;
        else {
          after += 1;
          // The next ones earlier: the first start may have been a slow one.
          within = Math.min(within, patience);
        }
        const again = await Server.start(settings, folder);
        await again.stop();
        if ((await versionOf(file)) === MIGRATIONS.length) finished += 1;
        see.must(
          isDeepStrictEqual(await studentsIn(file), students),
          `kill ${i}: every student is there in the end`,
        );
        const backups = await backupsIn(path.join(folder, 'backups'));
        see.must(
          backups.some(({ occasion }) => occasion === 'before-migration'),
          `kill ${i}: there is a backup from before`,
        );
      }
      see.must(finished === KILLS, `${KILLS} starts after a kill finish, not ${finished}`);
      const database = await openEmbedded(folder);
      const outdated = await outdatedReadModels(database);
      await database.close();
      see.must(outdated.length === 0, `the list is what it is worked out anew (${outdated.join()})`);
      see.tell(
        `${KILLS} kills within ${usual.toFixed(0)} ms: ${before} at the old version, ${after} at the new, all finished by the next start with a backup from before; ${students.length} students each time`,
      );
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** A database of the first schema with a faculty in it. Answers its students. */
async function makeOld(scratch: string, old: string): Promise<unknown[]> {
  const current = path.join(scratch, 'current');
  const filled = await openEmbedded(current);
  await fillFaculty(filled.write, { students: STUDENTS, seed: 7, intakes: 6 });
  await filled.close();

  const database = (await loadSqliteEngine()).open(old);
  database.exec('pragma journal_mode = wal');
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database, { exclusive: true }) });
  await migrate(db, { version: 1 });
  const tables = await namesFrom(
    db,
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  );
  await sql`attach ${path.join(current, 'sims.db')} as full`.execute(db);
  for (const table of tables.filter((name) => name !== 'schema_versions')) {
    const columns = (await namesFrom(db, `select name from pragma_table_info('${table}')`)).map(
      (name) => `"${name}"`,
    );
    await sql
      .raw(`insert into main."${table}" (${columns}) select ${columns} from full."${table}"`)
      .execute(db);
  }
  // All of it in the one file, which is what is copied.
  database.exec('detach full; pragma wal_checkpoint(truncate)');
  await db.destroy();
  database.close();
  return studentsIn(old);
}

const namesFrom = async (db: Kysely<Schema>, query: string) =>
  (await sql.raw<{ name: string }>(query).execute(db)).rows.map(({ name }) => name);

const rowsOf = async (file: string, query: string) => {
  const database = (await loadSqliteEngine()).open(file, { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
};

/** What both schemas know of each. */
const studentsIn = (file: string) =>
  rowsOf(
    file,
    `select id, first_name, last_name, dob, fsc_marks, current_sem, version,
      (select count(*) from semester_subjects where student_id = id) as subjects from students order by id`,
  );

async function versionOf(file: string): Promise<number> {
  const [row] = await rowsOf(file, 'select max(version) as version from schema_versions');
  return z.object({ version: z.number() }).parse(row).version;
}
