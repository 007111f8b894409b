import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRADE_LETTERS, gradePoints } from '../grading/gpa.ts';
import { endsWithoutGrade, ROW_STATUSES } from './class-statistics.ts';
import { type ConfirmedRow, confirmRow, type RecordedSlot } from './confirmation.ts';

const CS101 = { course_id: 7, title: 'Programming', credits: 4 };

const subject = (slot: number, course_id: number | null, points: number | null): RecordedSlot => ({
  slot,
  course_id,
  title: `Subject ${slot}`,
  credits: 3,
  points,
});
const graded = (letter: ConfirmedRow['letter'], semester = 1): ConfirmedRow => ({
  status: 'graded',
  letter,
  semester,
});
const full = Array.from({ length: 10 }, (_, i) => subject(i + 1, null, 2));

describe('a confirmed grade goes', () => {
  test('to the slot with the course, whose title and credit hours stay', () => {
    expect(confirmRow(graded('B+'), CS101, [[subject(1, 3, 4), subject(4, 7, null)]])).toEqual({
      write: { ...subject(4, 7, 3.5), semester: 1, creates_semester: false },
      blocked: null,
    });
  });

  test('there with the credit hours of the sheet if it has none', () => {
    const slot = { ...subject(4, 7, null), credits: null };
    expect(confirmRow(graded('B'), CS101, [[slot]]).write).toMatchObject({ credits: 4, title: 'Subject 4' });
  });

  test('there if it has the same grade, also in a full semester', () => {
    const others = full.slice(0, 9);
    expect(confirmRow(graded('F'), CS101, [[...others, subject(10, 7, 0)]]).write).toMatchObject({
      slot: 10,
      points: 0,
    });
  });

  test('else to the first free slot, as a subject of the sheet', () => {
    expect(confirmRow(graded('A'), CS101, [[subject(1, 3, 4), subject(3, null, 2)]])).toEqual({
      write: { ...CS101, semester: 1, slot: 2, points: 4, creates_semester: false },
      blocked: null,
    });
  });

  test('to a new semester if that is the next to record', () => {
    expect(confirmRow(graded('A', 3), CS101, [full, full])).toEqual({
      write: { ...CS101, semester: 3, slot: 1, points: 4, creates_semester: true },
      blocked: null,
    });
    expect(confirmRow(graded('A'), CS101, []).write).toMatchObject({ semester: 1, creates_semester: true });
  });

  test('to the semester of the row, not to another one with the course', () => {
    expect(confirmRow(graded('C', 2), CS101, [[subject(1, 7, 0)], [subject(1, 3, 4)]]).write).toMatchObject({
      semester: 2,
      slot: 2,
      points: 2,
    });
  });

  test('to the slot of the course without a grade if there are two', () => {
    const slots = [subject(1, 7, 0), subject(2, 7, null)];
    expect(confirmRow(graded('B'), CS101, [slots]).write).toMatchObject({ slot: 2, points: 3 });
    expect(confirmRow(graded('F'), CS101, [slots]).write).toMatchObject({ slot: 2, points: 0 });
  });
});

describe('a confirmed grade is blocked', () => {
  test('by another grade for the course', () => {
    expect(confirmRow(graded('B'), CS101, [[subject(4, 7, 3.5)]])).toEqual({
      write: null,
      blocked: 'Slot 4 of semester 1 has another grade for this course: B+.',
    });
  });

  test('by ten subjects', () => {
    expect(confirmRow(graded('B'), CS101, [full]).blocked).toBe('All 10 slots of semester 1 are in use.');
  });

  test('by a missing earlier semester, the first of which is named', () => {
    expect(confirmRow(graded('B', 4), CS101, [full]).blocked).toBe('Semester 2 is not recorded yet.');
  });

  test('by the deletion of the student', () => {
    expect(confirmRow(graded('B'), CS101, null).blocked).toBe('The student is deleted.');
  });
});

describe('a rectified grade', () => {
  test('replaces the one that the sheet wrote before, and no other', () => {
    const row = { ...graded('B'), replaces: { slot: 4, points: 0 } };
    expect(confirmRow(row, CS101, [[subject(4, 7, 0)]]).write).toMatchObject({ slot: 4, points: 3 });
    expect(confirmRow(row, CS101, [[subject(2, 7, 0), subject(4, 7, 0)]]).write).toMatchObject({ slot: 4 });
    expect(confirmRow(row, CS101, [[subject(2, 7, 0)]]).blocked).toContain('another grade');
    expect(confirmRow(row, CS101, [[subject(4, 7, 1)]]).blocked).toContain('another grade');
    // Another slot of the course is left empty.
    expect(confirmRow(row, CS101, [[subject(2, 7, null), subject(4, 7, 0)]]).write).toMatchObject({
      slot: 4,
    });
  });
});

test('the F of a student who was barred is a grade like any other', () => {
  const row: ConfirmedRow = { status: 'barred', letter: 'F', semester: 1 };
  expect(confirmRow(row, CS101, [[]]).write).toMatchObject({ slot: 1, points: 0 });
  expect(confirmRow(row, CS101, [[subject(1, 7, 4)]]).blocked).toContain('another grade');
});

describe('a row without a grade', () => {
  test.each(ROW_STATUSES.filter(endsWithoutGrade))('(%s) is written as a slot', (status) => {
    const row: ConfirmedRow = { status, letter: null, semester: 1 };
    expect(confirmRow(row, CS101, [[]]).write).toEqual({
      ...CS101,
      semester: 1,
      slot: 1,
      points: null,
      creates_semester: false,
    });
    expect(confirmRow(row, CS101, [[subject(1, 7, null)]]).write).toMatchObject({ slot: 1, points: null });
    expect(confirmRow(row, CS101, [[subject(1, 7, 4)]]).blocked).toContain(
      'another grade for this course: A.',
    );
    expect(confirmRow({ ...row, letter: 'B' }, CS101, [[]]).write).toMatchObject({ points: null });
  });
});

describe('for any record', () => {
  const subjects = fc
    .uniqueArray(fc.integer({ min: 1, max: 10 }), { maxLength: 10 })
    .chain((slots) =>
      fc.tuple(
        ...slots.map((slot) =>
          fc
            .tuple(fc.constantFrom(null, 3, 7), fc.option(fc.constantFrom(...GRADE_LETTERS).map(gradePoints)))
            .map(([course_id, points]) => subject(slot, course_id, points)),
        ),
      ),
    );
  const records = fc.array(subjects, { maxLength: 4 });
  const rows = fc.record<ConfirmedRow>({
    status: fc.constantFrom(...ROW_STATUSES),
    letter: fc.constantFrom(...GRADE_LETTERS),
    semester: fc.integer({ min: 1, max: 5 }),
  });

  test('a row never replaces another course or another grade', () => {
    fc.assert(
      fc.property(records, rows, (recorded, row) => {
        const { write, blocked } = confirmRow(row, CS101, recorded);
        expect(write === null).toBe(blocked !== null);
        const before = recorded[row.semester - 1]?.find(({ slot }) => slot === write?.slot);
        if (write === null || before === undefined) return;
        expect(before.course_id).toBe(CS101.course_id);
        expect([null, write.points]).toContain(before.points);
      }),
      { numRuns: 500 },
    );
  });

  test('a row that is confirmed again goes where it is', () => {
    fc.assert(
      fc.property(records, rows, (recorded, row) => {
        const { write } = confirmRow(row, CS101, recorded);
        fc.pre(write !== null);
        if (write === null) return;
        const { semester, creates_semester, ...written } = write;
        const others = (recorded[semester - 1] ?? []).filter(({ slot }) => slot !== written.slot);
        const after = creates_semester
          ? [...recorded, [written]]
          : recorded.with(semester - 1, [...others, written]);
        const again = confirmRow(row, CS101, after).write;
        expect(again).toMatchObject({ semester, points: written.points, creates_semester: false });
        expect(after[semester - 1]).toContainEqual(
          expect.objectContaining({ slot: again?.slot, course_id: 7 }),
        );
      }),
      { numRuns: 500 },
    );
  });
});
