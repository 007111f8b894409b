import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { postgres, sqlite } from '../../../tests/support/engines.ts';
import { inside, testsFrom } from '../../../tests/support/moving.ts';
import { openSnapshot } from '../db/copy/open-unchanged.ts';
import { readPlace } from '../db/copy/place.ts';
import type { Db } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import { relistAll } from '../students/listing.ts';
import { CHECKS, verify } from './checks.ts';

async function faultsOf(db: Db): Promise<string[]> {
  const lines: string[] = [];
  await verify(db, (line) => lines.push(line));
  return lines.filter((line) => !line.endsWith(': in order'));
}

describe.each([sqlite, postgres])('what is looked at, on $name', (engine) => {
  const test = engine.isMissing ? testsFrom(sqlite).skip : testsFrom(engine);

  test('is in order as the product leaves it, and every kind of fault is named', async ({
    house: { database, portrait },
  }) => {
    await inside(database, async ({ read, write }) => {
      const lines: string[] = [];
      expect(await verify(read, (line) => lines.push(line))).toEqual([]);
      expect(lines).toEqual(CHECKS.map(({ title }) => `${title}: in order`));

      const statements: [string, RegExp][] = [
        [
          `update semesters set cgpa = cgpa + 1 where academic_id = (select min(academic_id) from semesters)`,
          /^Grade point averages: Student \S+, semester \d: SGPA \d+, CGPA \d+ .+ come to \d+ and \d+\.$/,
        ],
        [
          `delete from semesters where student_id = (select min(student_id) from semesters where semester = 2)
            and semester = 1`,
          /^Grade point averages: Student \S+: semester 1 is missing before semester 2\.$/,
        ],
        [
          `update course_marks set marks = '[99]' where course_id = (select max(course_id) from course_marks)`,
          /^Statistics of courses: Course \d+: the statistics \(.+\) are not those of its marks \(1 marks/,
        ],
        [
          `update pictures set data = substr(data, 2) where id = '${portrait.split('/').at(-1)}'`,
          /^Pictures: Picture [0-9a-f]{64}: is not what was stored\.$/,
        ],
        [
          `update users set picture = '/api/pictures/${'0'.repeat(64)}'`,
          /^Pictures: User \d+: the picture is not there\.$/,
        ],
        [
          `update students set name_key = 'x' where id = (select max(id) from students)`,
          /^List of students: Student \S+: name_key in the list are not as on the record\.$/,
        ],
        [
          `delete from student_terms where term = (select min(term) from student_terms)`,
          /^List of students: Student \S+: is not found by "/,
        ],
        [
          `insert into student_terms (term, student_id) values ('nobody', 'nowhere')`,
          /^List of students: 1 words find students whose records do not have them\.$/,
        ],
        [
          `update cohorts set students = students + 1 where degree = (select min(degree) from cohorts) and syn = 'C'`,
          /^Counts: cohorts: \d+ instead of \d+ of department \w+, degree \d+,/,
        ],
        [
          `delete from cohort_cgpas where tenth = (select max(tenth) from cohort_cgpas)`,
          /^Counts: cohort_cgpas: 0 instead of \d+ of tenth \d+,/,
        ],
        [
          `delete from course_results where half_points = (select max(half_points) from course_results)`,
          /^Counts: course_results: 0 instead of \d+ of course_id \d+, half_points \d+\.$/,
        ],
      ];
      for (const [statement, names] of statements) {
        await sql.raw(statement).execute(write);
        expect(await faultsOf(read), statement).toContainEqual(expect.stringMatching(names));
      }

      // What the list is answered from can be worked out anew, the rest is for people to look at.
      await transact(write, relistAll);
      const left = await verify(read, () => {});
      expect(left.map(({ title }) => title)).toEqual([
        'Grade point averages',
        'Statistics of courses',
        'Pictures',
      ]);
      expect(left.some(({ isRepairable }) => isRepairable)).toBe(false);
    });
  });

  test('goes on after what can not be read, within one state', async ({ house: { database } }) => {
    await inside(database, ({ write }) => sql`alter table course_marks rename to gone`.execute(write));
    const opened = await openSnapshot(readPlace('--to', database.place));
    const lines: string[] = [];
    await verify(opened?.db ?? expect.fail(), (line) => lines.push(line));
    await opened?.close();
    expect(lines.filter((line) => !line.endsWith(': in order'))).toEqual([
      expect.stringMatching(/^Statistics of courses: can't be read to the end: .*course_marks/),
    ]);
    expect(lines).toHaveLength(CHECKS.length);
  });
});
