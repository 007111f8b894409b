import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test as base, describe, expect, type TestContext } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/database/engines.ts';
import { runSimsInProcess, toSettings } from '../../../tests/support/processes/command-line.ts';
import { withDatabase } from '../../../tests/support/processes/transfer.ts';
import { transact } from '../history/transaction.ts';
import { importTemplate } from '../imports/reading/templates.ts';
import { createScheme } from '../schemes/write-scheme.ts';
import { COMMAND_LINE_AUTHOR } from './command.ts';

describe.each([sqlite, postgres])('sims import, on $name', (engine) => {
  const test = engine.isMissing ? base.skip : base;

  /** A database with an account, without a server. */
  const install = async ({ onTestFinished }: TestContext) => {
    const database = await engine.prepare({ isMade: true });
    onTestFinished(() => database.remove());
    const settings = toSettings(database);
    const run = (...args: string[]) => runSimsInProcess(args, settings);
    await run('user', 'create', '--name', 'Asad', '--email', 'asad@x.example', '--generate');
    return {
      database,
      run,
      /** Writes a file and answers its path. */
      write: (name: string, content: string) => {
        const file = path.join(database.folder, name);
        writeFileSync(file, content);
        return file;
      },
      count: (table: 'students' | 'semesters' | 'courses' | 'imports') =>
        withDatabase(
          database,
          async ({ read }) => (await read.selectFrom(table).selectAll().execute()).length,
        ),
    };
  };

  test('imports the templates of all kinds, in their order', async (context) => {
    const { run, write, count } = await install(context);
    for (const kind of ['students', 'courses', 'results'] as const) {
      const file = write(`${kind}.csv`, await text(importTemplate(kind, 'csv')));
      const dry = await run('import', kind, file, '--dry-run');
      expect(dry.code, dry.lines.join('\n')).toBe(0);
      expect(dry.lines.slice(-2)).toEqual([
        '2 new, 0 changed, 0 unchanged, 0 refused.',
        'Nothing was stored.',
      ]);
      const { code, lines } = await run('import', kind, file);
      expect([code, lines.at(-1)]).toEqual([0, 'The import is done: 2 new.']);
      expect((await run('import', kind, file)).lines.at(-1)).toBe(
        'Nothing was imported: no row is new or changes anything.',
      );
    }
    expect([await count('students'), await count('courses'), await count('semesters')]).toEqual([2, 2, 1]);
    expect(await count('imports')).toBe(3);
    const history = await run('history', '--student', '2027901');
    expect(history.lines).toHaveLength(3);
    expect(history.lines.every((line) => line.includes('Command line'))).toBe(true);
    expect((await run('verify')).code).toBe(0);
  });

  test('replaces the rows of the draft of a scheme', async (context) => {
    const { database, run, write } = await install(context);
    const courses = write('courses.csv', 'Course ID,Course code,Course name\n1,A,Physics\n2,B,Calculus\n');
    expect((await run('import', 'courses', courses)).code).toBe(0);
    await withDatabase(database, ({ write: db }) =>
      transact(db, (tx) =>
        createScheme(tx, COMMAND_LINE_AUTHOR, { name: 'BE', department: 'CE', degrees: null, from: null }),
      ),
    );
    const file = write('scheme.csv', 'Semester,Code,Hours\n1,A,3+1\n2,B,3+0\nTotal,,7\n');
    expect((await run('import', 'scheme', file)).lines).toEqual(['The scheme id field is required.']);
    const { code, lines } = await run('import', 'scheme', file, '--scheme', '1', '--partial');
    expect([code, lines.at(-1)]).toEqual([0, 'The import is done: 2 new, 1 left out.']);
    expect(lines.join('\n')).toContain('Total: a summary, not a row of the scheme.');
    expect((await run('verify')).code).toBe(0);
  });

  test('imports nothing while a row is refused, or only the others', async (context) => {
    const { run, write, count } = await install(context);
    const file = write('courses.csv', 'Course ID,Course code,Course name\n1,A,Physics\n0,B,Calculus\n');
    const reason = 'Line 3: The course id must be a whole number of at least 1.';
    for (const option of [[], ['--dry-run']]) {
      const { code, lines } = await run('import', 'courses', file, ...option);
      expect([code, lines[2]]).toEqual([1, reason]);
    }
    expect(await count('courses')).toBe(0);
    const refused = `${file}.refused`;
    const { code, lines } = await run('import', 'courses', file, '--partial', '--refused', refused);
    expect([code, lines.at(-1)]).toEqual([0, 'The import is done: 1 new, 1 left out.']);
    expect(await count('courses')).toBe(1);
    expect(readFileSync(refused, 'utf8').split('\r\n').slice(1)).toEqual([
      '0,B,Calculus,3,The course id must be a whole number of at least 1.',
      '',
    ]);
    expect((await run('import', 'courses', file, '--refused', refused)).lines).toEqual([
      `The file ${refused} exists already. It is not overwritten.`,
    ]);
  });

  test('reads columns as a file says', async (context) => {
    const { run, write, count } = await install(context);
    const file = write('kurse.csv', 'Nummer;Kürzel;Bezeichnung;Other\n7;A;Physics;x\n');
    const refused = await run('import', 'courses', file);
    expect([refused.code, refused.lines]).toEqual([1, [expect.stringMatching(/are required/)]]);
    const mapping = { course_id: 'Nummer', course_code: 1, course_name: 'Bezeichnung' };
    const choices = write(
      'mapping.json',
      JSON.stringify({ mapping, values: { credits: '4' }, mode: 'create' }),
    );
    const { code, lines } = await run('import', 'courses', file, '--mapping', choices);
    expect([code, lines[1]]).toEqual([0, 'Not read: "Other".']);
    expect(await count('courses')).toBe(1);
  });

  test('says what is wrong with its arguments and files', async (context) => {
    const { run, write, count } = await install(context);
    const file = write('courses.csv', 'Course ID,Course code,Course name\n1,A,Physics\n');
    const refusal = async (...args: string[]) => (await run('import', ...args)).lines.join('\n');
    expect(await refusal('courses')).toMatch(/^Name a kind and a file/);
    expect(await refusal('grades', file)).toBe(
      'The kind must be one of students, results, courses, marks, scheme.',
    );
    expect(await refusal('courses', `${file}x`)).toMatch(/ENOENT.*courses\.csvx/);
    expect(await refusal('marks', file)).toBe('The course id field is required.');
    expect(await refusal('courses', write('empty.csv', ''))).toBe(
      'The file is empty. Choose a file with headings and rows.',
    );
    expect(await refusal('courses', file, '--mapping', write('a.json', '{'))).toMatch(/a\.json is not JSON/);
    expect(await refusal('courses', file, '--mapping', write('b.json', '{"colour":1}'))).toMatch(
      /b\.json: colour: There is no such/,
    );
    const unknown = write('c.json', '{"mapping":{"course_id":"Number"}}');
    expect(await refusal('courses', file, '--mapping', unknown)).toBe(
      'There is no column "Number" in the file. Its columns are: "Course ID", "Course code", "Course name".',
    );
    expect(await count('imports')).toBe(0);
  });
});
