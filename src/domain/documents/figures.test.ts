import { describe, expect, test } from 'vitest';
import { computeFigures, type DocumentRecord, figuresText } from './figures.ts';

const subject = (semester: number, slot: number, course_id: number | null, points: number | null) => ({
  ...{ semester, slot, course_id, points, credits: 3, title: `Course ${course_id}` },
  ungraded: null,
});

/** Course 1 with an F, taken again in semester 2 with a C, and in semester 3 with a B. */
const RECORD: DocumentRecord = {
  student: {
    ...{ id: '1', first_name: 'Zarmina', last_name: 'Achakzai', father_name: null, dob: '2004-01-19' },
    ...{ joining_date: '2022-09-12', degree: 'CE-44', department: 'Computer and Software Engineering' },
  },
  semesters: [1, 2, 3].map((semester) => ({ semester, sgpa: 2, cgpa: 2, is_provisional: false })),
  subjects: [
    subject(1, 1, 1, 0),
    subject(1, 2, 2, 4),
    subject(2, 1, 1, 2),
    subject(2, 2, null, 3),
    subject(3, 1, 1, 3),
    subject(3, 2, 3, null),
  ],
  repeat_policy: 'latest',
  outside: [],
};

describe('the figures of a document', () => {
  test('are those up to its last semester, whatever came later', () => {
    const { semesters, ...totals } = computeFigures(RECORD, 'transcript', 2);
    expect(semesters.map(({ semester }) => semester)).toEqual([1, 2]);
    // The F does not count; 4 + 2 + 3 points in 3 credits each.
    expect(totals).toMatchObject({
      ...{ credits_attempted: 12, credits_earned: 9, credits_counted: 9, quality_points: 27, cgpa: 3 },
    });
    expect(
      figuresText(computeFigures({ ...RECORD, subjects: RECORD.subjects.slice(0, 4) }, 'transcript', 2)),
    ).toBe(figuresText(computeFigures(RECORD, 'transcript', 2)));
  });

  test('point from each attempt of a course to the others', () => {
    const { semesters } = computeFigures(RECORD, 'transcript', 3);
    const attempts = semesters.map(({ subjects }) => subjects[0]);
    expect(attempts).toMatchObject([
      { letter: 'F', counted: false, repeats: null, repeated_in: 2 },
      { letter: 'C', counted: false, repeats: 1, repeated_in: 3 },
      { letter: 'B', counted: true, repeats: 2, repeated_in: null },
    ]);
    expect(semesters[2]?.subjects[1]).toMatchObject({ letter: null, counted: false, repeats: null });
  });

  test('say how a course ended that has no grade, which is one of them only then', () => {
    const withdrawn = RECORD.subjects.map((one) =>
      one.points === null ? { ...one, ungraded: 'withdrawn' as const } : one,
    );
    const figures = computeFigures({ ...RECORD, subjects: withdrawn }, 'transcript', 3);
    expect(figures.semesters[2]?.subjects[1]).toMatchObject({ letter: null, ungraded: 'withdrawn' });
    expect(figuresText(figures)).not.toBe(figuresText(computeFigures(RECORD, 'transcript', 3)));
    expect(figuresText(computeFigures(RECORD, 'transcript', 3))).toContain('[2,3,"Course 3",3,null,false]');
  });

  test('of a result card have the subjects of its semester, and the averages of those before', () => {
    const { semesters } = computeFigures(RECORD, 'result-card', 2);
    expect(semesters.map(({ subjects }) => subjects.length)).toEqual([0, 2]);
  });

  test.each<[string, (record: DocumentRecord) => DocumentRecord]>([
    ['a name', (record) => ({ ...record, student: { ...record.student, last_name: 'Other' } })],
    [
      'an average',
      ({ semesters: [first, ...more], ...record }) => ({
        ...record,
        semesters: first === undefined ? [] : [{ ...first, sgpa: 2.01 }, ...more],
      }),
    ],
    [
      'a grade',
      ({ subjects: [first, ...more], ...record }) => ({
        ...record,
        subjects: first === undefined ? [] : [{ ...first, points: 1 }, ...more],
      }),
    ],
    [
      'a title',
      ({ subjects: [first, ...more], ...record }) => ({
        ...record,
        subjects: first === undefined ? [] : [{ ...first, title: 'Other' }, ...more],
      }),
    ],
    ['what counts', (record) => ({ ...record, repeat_policy: 'all' })],
  ])('differ in their text by %s', (_what, change) => {
    const text = (record: DocumentRecord) => figuresText(computeFigures(record, 'transcript', 3));
    expect(text(change(RECORD))).not.toBe(text(RECORD));
  });
});
