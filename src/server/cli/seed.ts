import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { formatCount } from '../../domain/format-count.ts';
import { openDatabase } from '../backup/open-database.ts';
import { databaseBytes } from '../db/dialect/sql.ts';
import { transact } from '../history/transaction.ts';
import { Secrets } from '../secrets/secrets.ts';
import { sealStored } from '../secrets/stored-secrets.ts';
import { fillFaculty } from '../seed/fill-faculty.ts';
import { isEmpty, SEEDER, seedFaculty, seedInstitutionAndExaminations } from '../seed/seed-faculty.ts';
import { readCheckedSettings } from '../settings/checked-settings.ts';
import { SettingsError } from '../settings/settings.ts';
import { StartError } from '../start-error.ts';

const USAGE = 'npm run seed -- [--students 400] [--seed 1] [--force]';
/** Up to this number students are created one by one, with their history; more are bulk-loaded. */
const MAX_ONE_BY_ONE = 5_000;

/** Fills the database with a sample faculty. Rejects a database with records, unless forced. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      students: { type: 'string', default: '400' },
      seed: { type: 'string', default: '1' },
      force: { type: 'boolean', default: false },
    },
  });
  const students = Number(values.students);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(students) || students < 1 || !Number.isSafeInteger(seed)) {
    throw new StartError(`Usage: ${USAGE}`);
  }
  process.umask(0o077);
  const settings = readCheckedSettings(process.env, console.warn);
  const db = await openDatabase(settings, { ...settings.database, log: console.warn });
  const secrets = new Secrets(settings.secretKeys);
  try {
    await sealStored(db.write, secrets);
    if (!values.force && !(await isEmpty(db.read))) {
      throw new StartError(
        `The database already holds records. Add --force to add the sample faculty to them.`,
      );
    }
    console.log(`Filling the database with 40 courses and ${formatCount(students)} students …`);
    const start = performance.now();
    const seconds = () => Math.round((performance.now() - start) / 1_000);
    const fill = students > MAX_ONE_BY_ONE ? fillFaculty : seedFaculty;
    const step = students > MAX_ONE_BY_ONE ? Math.max(10_000, students / 20) : 100;
    let reported = 0;
    await fill(db.write, {
      students,
      seed,
      onProgress: (done) => {
        if (done - reported < step) return;
        reported = done;
        console.log(`${formatCount(done)} students, ${formatCount(seconds())} s`);
      },
    });
    const address = {
      publicUrl: settings.publicUrl,
      listening: { address: settings.host, port: settings.port },
    };
    const sheets = await transact(db.write, (tx) =>
      seedInstitutionAndExaminations(tx, SEEDER, { seed, address, secrets }),
    );
    console.log(`${sheets} mark sheets, ${formatCount(seconds())} s`);
    const bytes = await databaseBytes(db.read);
    console.log(
      `${formatCount(students)} students in ${formatCount(seconds())} s; the database is ${formatCount(Math.round(bytes / 2 ** 20))} MiB, ${formatCount(Math.round(bytes / students))} bytes per student.`,
    );
    console.log(
      'Done. Start the product with "npm start"; the first account you register is the administrator.',
    );
  } finally {
    await db.close();
  }
}

main().catch((error: unknown) => {
  const isExpected =
    error instanceof SettingsError || error instanceof StartError || error instanceof TypeError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
