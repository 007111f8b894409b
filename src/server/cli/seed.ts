import { parseArgs } from 'node:util';
import { openDatabase } from '../db/open.ts';
import { isEmpty, seedFaculty } from '../seed/seed-faculty.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { StartError } from '../start-error.ts';

const USAGE = 'npm run seed -- [--students 400] [--seed 1] [--force]';

/** Fills the data folder with a demonstration faculty. Refuses where there are records already, unless forced. */
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
  const settings = readSettings(process.env);
  const db = await openDatabase(settings);
  try {
    if (!values.force && !(await isEmpty(db.read))) {
      throw new StartError(
        `The database already holds records. Add --force to put the sample faculty beside them.`,
      );
    }
    console.log(`Filling the database with 40 courses and ${students} students …`);
    await seedFaculty(db.write, {
      students,
      seed,
      onProgress: (done) => {
        if (done % 100 === 0) console.log(`${done} students`);
      },
    });
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
