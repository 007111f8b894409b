import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, type Subject } from '../../../../tests/support/records.ts';
import { academicCreatedReply } from '../../../contract/students/academics.ts';
import { recordReply } from '../../../contract/students/students.ts';
import { GRADE_LETTERS } from '../../../domain/grading/gpa.ts';
import { CREDIT_HOURS, SEMESTER_COUNT, SUBJECT_COUNT } from '../../../domain/student.ts';

type Semester = readonly Subject[];

/** Creates a student with these results; returns the id of each semester record. */
async function enter(staff: Person, semesters: readonly Semester[]) {
  const student = aStudent({ current_sem: SEMESTER_COUNT });
  await staff.post('/api/students', student);
  await staff.post('/api/students/family', aFamily(student.id));
  const academicIds: number[] = [];
  for (const [i, subjects] of semesters.entries()) {
    const answer = await staff.post('/api/students/academics', aSemester(student.id, i + 1, subjects));
    academicIds.push(academicCreatedReply.parse(answer.body).academic.academic_id);
  }
  return { id: student.id, student, academicIds };
}

async function readStanding(staff: Person, id: string) {
  const record = recordReply.parse((await staff.get(`/api/students/${id}`)).body);
  return {
    averages: record?.academics.map(({ sgpa, cgpa }) => [sgpa, cgpa]),
    latest: record?.academics_summary.latest_cgpa,
  };
}

const subject = (credits: number, grade: Subject['grade']): Subject => ({ title: 'Statics', credits, grade });

/** Tenths of grade points, as the specification lists them. */
const TENTHS = { A: 40n, 'B+': 35n, B: 30n, 'C+': 25n, C: 20n, 'D+': 15n, D: 10n, F: 0n } as const;

/** The exact average, rounded half up to hundredths and written with two decimals. */
function exactAverage(subjects: Semester): string {
  const credits = subjects.reduce((sum, one) => sum + BigInt(one.credits), 0n);
  const tenths = subjects.reduce((sum, one) => sum + BigInt(one.credits) * TENTHS[one.grade], 0n);
  const hundredths = credits === 0n ? 0n : (20n * tenths + credits) / (2n * credits);
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}

const exactStanding = (semesters: readonly Semester[]) =>
  semesters.map((own, i) => [exactAverage(own), exactAverage(semesters.slice(0, i + 1).flat())]);

describe.each(sharedApps())('grade point averages, on $name', ({ test }) => {
  // Covers 3.28
  test('match a hand calculation: 4 h A and 3 h B, then 3 h C+ and 2 h F', async ({ staff }) => {
    const { id } = await enter(staff, [
      [subject(4, 'A'), subject(3, 'B')], // 25 ÷ 7 = 3.5714…
      [subject(3, 'C+'), subject(2, 'F')], // 7.5 ÷ 5 = 1.5; together 32.5 ÷ 12 = 2.7083…
    ]);
    expect(await readStanding(staff, id)).toEqual({
      averages: [
        [3.57, 3.57],
        [1.5, 2.71],
      ],
      latest: 2.71,
    });
  });

  test('round half a hundredth up: 5 h A and 3 h B+ is 30.5 ÷ 8 = 3.8125; 7 h A and 1 h B is 3.875', async ({
    staff,
  }) => {
    const first = await enter(staff, [[subject(5, 'A'), subject(3, 'B+')]]);
    expect((await readStanding(staff, first.id)).latest).toBe(3.81);
    const second = await enter(staff, [[subject(6, 'A'), subject(1, 'A'), subject(1, 'B')]]);
    expect((await readStanding(staff, second.id)).latest).toBe(3.88);
  });

  test('ignore subjects without a grade or without credit hours', async ({ staff }) => {
    const { id } = await enter(staff, []);
    await staff.post('/api/students/academics', {
      ...{ student_id: id, semester: 1, subject_1: 'Statics', subj_credit_1: 3, subj_grade_1: 'B' },
      ...{ subject_2: 'Not graded yet', subj_credit_2: 6, subject_3: 'Seminar', subj_grade_3: 'F' },
    });
    expect(await readStanding(staff, id)).toEqual({ averages: [[3, 3]], latest: 3 });
  });

  // Covers 3.30
  test('show as latest that of the semester before the current one, else of the last recorded', async ({
    staff,
  }) => {
    const { id, student } = await enter(staff, [[subject(3, 'A')], [subject(3, 'B')], [subject(3, 'C')]]);
    const shownAt = async (current_sem: number) => {
      await staff.put(`/api/students/${id}`, { ...student, current_sem });
      return (await readStanding(staff, id)).latest;
    };
    expect([
      await shownAt(1),
      await shownAt(2),
      await shownAt(3),
      await shownAt(4),
      await shownAt(8),
    ]).toEqual([3, 4, 3.5, 3, 3]);
    const empty = await enter(staff, []);
    expect((await readStanding(staff, empty.id)).latest).toBeNull();
  });

  const subjects = fc
    .record({ credits: fc.integer(CREDIT_HOURS), grade: fc.constantFrom(...GRADE_LETTERS) })
    .map(({ credits, grade }) => subject(credits, grade));
  const semester = fc.array(subjects, { maxLength: SUBJECT_COUNT });

  test('are the exact fraction rounded half up, also for the later semesters after an edit', async ({
    staff,
  }) => {
    const semesters = fc.array(semester, { minLength: 1, maxLength: SEMESTER_COUNT });
    await fc.assert(
      fc.asyncProperty(semesters, semester, fc.nat(), async (entered, edited, seed) => {
        const { id, academicIds } = await enter(staff, entered);
        const asText = async () =>
          (await readStanding(staff, id)).averages?.map((pair) => pair.map((one) => one.toFixed(2)));
        expect(await asText()).toEqual(exactStanding(entered));

        const changed = seed % entered.length;
        const { student_id: _1, semester: _2, ...slots } = aSemester(id, changed + 1, edited);
        const answer = await staff.put(`/api/students/academics/${academicIds[changed]}`, slots);
        expect(answer.status).toBe(200);
        expect(await asText()).toEqual(exactStanding(entered.with(changed, edited)));
      }),
      { numRuns: 15 },
    );
  });
});
