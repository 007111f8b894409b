import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CREDIT_HOURS, SEMESTER_COUNT } from '../student.ts';
import { average, GRADE_LETTERS, type GradeLetter, gradePoints } from './gpa.ts';
import { REPEAT_POLICIES, type RepeatPolicy } from './policy.ts';
import {
  attemptedCredits,
  countSubjects,
  earnedCredits,
  gpaStanding,
  type RecordedSubject,
  sumCounted,
} from './repeat-policy.ts';

const COURSES = ['MATH101', 'CS101', 'PHY101', 'HU101', 'EE111', 'MATH102', 'EE232'];

/** Semesters of subjects such as `MATH101 3 C`: course, credit hours, letter; `-` for none. */
function toRecord(...semesters: readonly (readonly string[])[]): RecordedSubject[][] {
  return semesters.map((subjects, i) =>
    subjects.map((text, j) => {
      const [course = '', credits = '', letter] = text.split(' ');
      return {
        semester: i + 1,
        slot: j + 1,
        course_id: course === '-' ? null : 101 + COURSES.indexOf(course),
        credits: credits === '-' ? null : Number(credits),
        points: letter === '-' ? null : gradePoints(letter as GradeLetter),
      };
    }),
  );
}

const three = toRecord(
  ['MATH101 3 C', 'CS101 4 B+', 'PHY101 3 F', 'HU101 2 A'],
  ['PHY101 3 C+', 'EE111 4 B', 'MATH102 3 D+'],
  ['MATH101 3 D+', 'EE232 3 B+'],
);

const sumsAfter = (semester: number, policy: RepeatPolicy) => {
  const { credits, halfPoints, parts } = sumCounted(countSubjects(three.slice(0, semester).flat(), policy));
  return [halfPoints / 2 / parts, credits];
};

describe('the CGPA of a record with two repeated courses', () => {
  test.each<[RepeatPolicy, number[], number[][]]>([
    [
      'all',
      [2.33, 2.36, 2.39],
      [
        [28, 12],
        [52, 22],
        [67, 28],
      ],
    ],
    [
      'best',
      [2.33, 2.74, 2.84],
      [
        [28, 12],
        [52, 19],
        [62.5, 22],
      ],
    ],
    [
      'latest',
      [2.33, 2.74, 2.77],
      [
        [28, 12],
        [52, 19],
        [61, 22],
      ],
    ],
    [
      'average',
      [2.33, 2.54, 2.64],
      [
        [28, 12],
        [48.25, 19],
        [58, 22],
      ],
    ],
  ])('counts %s attempts', (policy, cgpas, sums) => {
    const standing = gpaStanding(three, policy);
    expect(standing.map(({ cgpa }) => cgpa)).toEqual(cgpas);
    expect(standing.map(({ sgpa }) => sgpa)).toEqual([2.33, 2.4, 2.5]);
    expect([1, 2, 3].map((semester) => sumsAfter(semester, policy))).toEqual(sums);
  });

  test('has 28 credit hours attempted and 22 earned under every policy', () => {
    expect(attemptedCredits(three.flat())).toBe(28);
    for (const policy of REPEAT_POLICIES) expect(earnedCredits(three.flat(), policy)).toBe(22);
  });

  test('names the attempt that counts instead of a repeated one', () => {
    const repeated = countSubjects(three.flat(), 'best')
      .filter(({ reason }) => reason === 'repeated')
      .map(({ subject, countedIn }) => [
        [subject.semester, subject.slot],
        [countedIn?.semester, countedIn?.slot],
      ]);
    expect(repeated).toEqual([
      [
        [1, 3],
        [2, 1],
      ],
      [
        [3, 1],
        [1, 1],
      ],
    ]);
  });
});

describe('the attempt that counts', () => {
  const counted = (semesters: RecordedSubject[][], policy: RepeatPolicy) =>
    countSubjects(semesters.flat(), policy)
      .filter((line) => line.counted !== null)
      .map(({ subject }) => [subject.semester, subject.slot]);

  test('is the later one of two equal grades under best', () => {
    expect(counted(toRecord(['CS101 4 B'], ['CS101 4 B']), 'best')).toEqual([[2, 1]]);
  });

  test('brings its own credit hours', () => {
    const record = toRecord(['CS101 4 D'], ['CS101 3 B']);
    expect(sumCounted(countSubjects(record.flat(), 'best'))).toEqual({
      credits: 3,
      halfPoints: 18,
      parts: 1,
    });
  });

  test('is the higher slot of two in one semester under latest', () => {
    expect(counted(toRecord(['CS101 4 A', 'CS101 4 D']), 'latest')).toEqual([[1, 2]]);
  });

  test('is never one without grade or credit hours', () => {
    const record = toRecord(['CS101 4 D'], ['CS101 4 -', 'CS101 - A']);
    expect(counted(record, 'latest')).toEqual([[1, 1]]);
    expect(countSubjects(record.flat(), 'latest').map(({ reason }) => reason)).toEqual([
      null,
      'no-grade',
      'no-credits',
    ]);
  });

  test('can not be found without a course ID, so each such subject counts', () => {
    expect(counted(toRecord(['- 3 F'], ['- 3 B']), 'best')).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});

describe('earned credit hours', () => {
  test('are lost under latest when a passed course is failed again, and kept under best', () => {
    const record = toRecord(['CS101 4 B'], ['CS101 3 F']).flat();
    expect(earnedCredits(record, 'latest')).toBe(0);
    expect(earnedCredits(record, 'average')).toBe(0);
    expect(earnedCredits(record, 'best')).toBe(4);
  });

  test('of a course are those of its latest passed attempt', () => {
    const record = toRecord(['CS101 4 B'], ['CS101 3 D'], ['CS101 2 F']).flat();
    expect(earnedCredits(record, 'best')).toBe(3);
    expect(earnedCredits(record, 'all')).toBe(3);
  });
});

test('average keeps thirds exact: A, B and B in one course and one F of the same hours are 10 ÷ 3 ÷ 2 = 1.67', () => {
  const record = toRecord(['CS101 3 A'], ['CS101 3 B'], ['CS101 3 B', 'EE111 3 F']);
  expect(sumCounted(countSubjects(record.flat(), 'average'))).toEqual({
    credits: 6,
    halfPoints: 60,
    parts: 3,
  });
  expect(gpaStanding(record, 'average').at(-1)?.cgpa).toBe(1.67);
});

test('53.5 ÷ 20 = 2.675 is rounded up to 2.68, and 259.5 ÷ 130 = 1.99615 to 2.00', () => {
  expect((53.5 / 20).toFixed(2)).toBe('2.67');
  expect(average({ credits: 20, halfPoints: 107 })).toBe(2.68);
  expect(average({ credits: 130, halfPoints: 519 })).toBe(2);
});

describe('the averages of each semester', () => {
  test('accumulate hours and points, not averages', () => {
    // Semester 1: 3 h A = 12 ÷ 3 = 4. Semester 2: 6 h C = 12 ÷ 6 = 2. Together 24 ÷ 9 = 2.67, not 3.
    expect(gpaStanding(toRecord(['CS101 3 A'], ['EE111 6 C']), 'all')).toEqual([
      { sgpa: 4, cgpa: 4 },
      { sgpa: 2, cgpa: 2.67 },
    ]);
  });

  test('are 0 and an unchanged CGPA for a semester without subjects', () => {
    expect(gpaStanding(toRecord(['CS101 3 B+'], [], ['EE111 3 C+']), 'all')).toEqual([
      { sgpa: 3.5, cgpa: 3.5 },
      { sgpa: 0, cgpa: 3.5 },
      { sgpa: 2.5, cgpa: 3 },
    ]);
  });

  test('are none without semesters', () => {
    expect(gpaStanding([], 'all')).toEqual([]);
  });
});

describe('for any record', () => {
  const subject = fc.record({
    course_id: fc.option(fc.integer({ min: 1, max: 6 })),
    credits: fc.option(fc.integer(CREDIT_HOURS)),
    points: fc.option(fc.constantFrom(...GRADE_LETTERS).map(gradePoints)),
  });
  const records = fc
    .array(fc.array(subject, { maxLength: 6 }), { maxLength: SEMESTER_COUNT })
    .map((semesters) =>
      semesters.map((subjects, i) =>
        subjects.map((one, j): RecordedSubject => ({ ...one, semester: i + 1, slot: j + 1 })),
      ),
    );
  const policies = fc.constantFrom(...REPEAT_POLICIES);

  test('the counted lines, added up with big integers, give the CGPA after every semester', () => {
    fc.assert(
      fc.property(records, policies, (semesters, policy) => {
        for (const [i, { cgpa }] of gpaStanding(semesters, policy).entries()) {
          let [credits, numerator, denominator] = [0n, 0n, 1n];
          for (const { subject: own, counted } of countSubjects(semesters.slice(0, i + 1).flat(), policy)) {
            if (counted === null || own.credits === null) continue;
            credits += BigInt(own.credits);
            numerator =
              numerator * BigInt(counted.parts) +
              BigInt(own.credits) * BigInt(counted.halfPoints) * denominator;
            denominator *= BigInt(counted.parts);
          }
          const divisor = 2n * denominator * credits;
          const hundredths = divisor === 0n ? 0n : (200n * numerator + divisor) / (2n * divisor);
          expect(Math.round(cgpa * 100)).toBe(Number(hundredths));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a later attempt never changes an earlier CGPA', () => {
    fc.assert(
      fc.property(records, policies, (semesters, policy) => {
        const whole = gpaStanding(semesters, policy);
        expect(gpaStanding(semesters.slice(0, -1), policy)).toEqual(
          whole.slice(0, Math.max(0, semesters.length - 1)),
        );
      }),
    );
  });

  test('the policy all gives the CGPA of all subjects with a grade', () => {
    fc.assert(
      fc.property(records, (semesters) => {
        expect(gpaStanding(semesters, 'all').map(({ cgpa }) => cgpa)).toEqual(
          semesters.map((_, i) =>
            average(sumCounted(countSubjects(semesters.slice(0, i + 1).flat(), 'all'))),
          ),
        );
      }),
    );
  });

  test('at most one attempt of a course counts, unless all do', () => {
    fc.assert(
      fc.property(records, fc.constantFrom('best', 'latest', 'average'), (semesters, policy) => {
        const ids = countSubjects(semesters.flat(), policy).flatMap(({ subject: own, counted }) =>
          counted === null || own.course_id === null ? [] : own.course_id,
        );
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
