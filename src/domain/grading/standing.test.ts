import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from './policy.ts';
import {
  answerStandings,
  latestStanding,
  type PolicyStanding,
  type SemesterFigures,
  standingAfterEach,
} from './standing.ts';

/** A graded semester: SGPA, CGPA and number of F. */
const semesters = (...figures: readonly (readonly [sgpa: number, cgpa: number, fails?: number])[]) =>
  figures.map(
    ([sgpa, cgpa, fails = 0], i): SemesterFigures => ({
      ...{ semester: i + 1, sgpa, cgpa, fails },
      ...{ isGraded: true, isProvisional: false },
    }),
  );

const standings = (all: readonly SemesterFigures[], rules = DEFAULT_RULES) =>
  standingAfterEach(all, rules).map(({ standing }) => standing);

describe('the standing', () => {
  test('leaves out a provisional semester and its F', () => {
    const [first, second, third] = semesters([3, 3], [0.5, 1.75, 4], [3, 2.17, 3]);
    if (!first || !second || !third) throw new Error('A semester is missing.');
    expect(standings([first, { ...second, isProvisional: true }, third])).toEqual(['good', null, 'warning']);
    expect(standings([first, second, third])).toEqual(['good', 'probation', 'review']);
  });

  test('of a student who recovers is warning, probation, good', () => {
    // Credits and points 17/30.5, 18/34, 17/39.5: CGPA 1.79, 64.5 ÷ 35 = 1.84, 104 ÷ 52 = 2.00.
    expect(standingAfterEach(semesters([1.79, 1.79], [1.89, 1.84], [2.32, 2]), DEFAULT_RULES)).toEqual([
      { standing: 'warning', clause: 'SGPA 1.79 is below 2.00.' },
      { standing: 'probation', clause: 'CGPA 1.84 is below 2.00.' },
      { standing: 'good', clause: null },
    ]);
  });

  test('is a warning for one F even with good averages, only in the semester of the F', () => {
    expect(standingAfterEach(semesters([3.2, 3.2, 1], [3.4, 3.3]), DEFAULT_RULES)).toEqual([
      { standing: 'warning', clause: '1 F in this semester.' },
      { standing: 'good', clause: null },
    ]);
  });

  test('compares the printed average: 1.99615, printed as 2.00, is 2.00', () => {
    expect(standings(semesters([2.1, 2.1], [2, 2]))).toEqual(['good', 'good']);
  });

  test('is never probation after the first semester', () => {
    expect(standings(semesters([1.2, 1.2]))).toEqual(['warning']);
  });

  test('is a review from the seventh F on, also in later semesters without an F', () => {
    const all = semesters([2.4, 2.4, 3], [2.4, 2.4, 3], [2.4, 2.4, 1], [3, 2.6]);
    expect(standings(all)).toEqual(['warning', 'warning', 'review', 'review']);
    expect(standingAfterEach(all, DEFAULT_RULES)[3]?.clause).toBe('7 F in all, a review is due from 7 on.');
  });

  test('is a review in the fourth semester on probation in a row, and counts on while under review', () => {
    const low = [1.9, 1.9] as const;
    const all = semesters(low, low, low, low, low, low, [2.6, 2.1], low);
    expect(standings(all)).toEqual([
      'warning',
      'probation',
      'probation',
      'probation',
      'review',
      'review',
      'good',
      'probation',
    ]);
    expect(standingAfterEach(all, DEFAULT_RULES)[5]?.clause).toBe(
      'CGPA below 2.00 after 5 semesters in a row, a review is due from 4 on.',
    );
  });

  test('is a review after five F in the first semester', () => {
    expect(standings(semesters([2.1, 2.1, 5], [3, 2.5]))).toEqual(['review', 'review']);
  });

  test('names every rule on removal that is met', () => {
    expect(standingAfterEach(semesters([1.1, 1.1, 7]), DEFAULT_RULES)[0]?.clause).toBe(
      '7 F in all, a review is due from 7 on; 7 F in the first semester, a review is due from 5 on.',
    );
  });

  test('follows the limits of the policy', () => {
    const strict = { ...DEFAULT_RULES, warning_sgpa: 2.5, probation_cgpa: 2.4, review_probations: 2 };
    expect(standings(semesters([2.45, 2.45], [2.3, 2.38], [2.3, 2.35]), strict)).toEqual([
      'warning',
      'probation',
      'review',
    ]);
  });

  test('of a semester without a grade is none, and a run of probations goes on past it', () => {
    const [first, second, third] = semesters([1.9, 1.9], [1.9, 1.9], [1.9, 1.9]);
    const ungraded = { semester: 3, sgpa: 0, cgpa: 1.9, fails: 0, isGraded: false };
    const all = [first, second, ungraded, { ...third, semester: 4 }].flatMap((one) => one ?? []);
    const found = standingAfterEach(all as SemesterFigures[], DEFAULT_RULES);
    expect(found.map(({ standing }) => standing)).toEqual(['warning', 'probation', null, 'probation']);
    expect(found[3]?.clause).toBe('CGPA 1.90 is below 2.00, 2 semesters in a row.');
    expect(latestStanding(found.slice(0, 3))).toEqual(found[1]);
    expect(latestStanding([])).toEqual({ standing: null, clause: null });
  });
});

describe('the standing that is answered', () => {
  const stricter = { policy_id: 2, rules: { ...DEFAULT_RULES, warning_sgpa: 3 } };
  const good: PolicyStanding = { standing: 'good', clause: null, policy_id: 1 };
  const answers = (
    figures: readonly SemesterFigures[],
    notified: readonly (PolicyStanding | null)[],
    policy = stricter,
  ) =>
    answerStandings(
      figures.map((one, i) => ({ ...one, notified: notified[i] ?? null })),
      policy,
    );

  test('is that which was notified, with the policy of that time, and what it is now where that differs', () => {
    // A semester notified as good, another one never notified, and one of 3.40 that is good by either policy.
    expect(answers(semesters([2.5, 2.5], [2.6, 2.55], [3.4, 2.83]), [good, null, good])).toEqual([
      { ...good, now: { standing: 'warning', clause: 'SGPA 2.50 is below 3.00.', policy_id: 2 } },
      { standing: 'warning', clause: 'SGPA 2.60 is below 3.00.', policy_id: 2 },
      good,
    ]);
  });

  test('stays after a correction, which changes what it is now and what follows', () => {
    // Credits and points 17/34, then 17/30.5: an F of a rectification after both were notified as good.
    const notified = [good, good];
    const policy = { policy_id: 1, rules: DEFAULT_RULES };
    expect(answers(semesters([2, 2], [1.79, 1.9, 1]), notified, policy)).toEqual([
      good,
      { ...good, now: { standing: 'probation', clause: 'CGPA 1.90 is below 2.00.', policy_id: 1 } },
    ]);
  });

  test('is none while the semester is provisional again, and what it has become after a first grade', () => {
    const [first, second] = semesters([2.5, 2.5], [2.4, 2.45]);
    if (!first || !second) throw new Error('A semester is missing.');
    const ungraded: PolicyStanding = { standing: null, clause: null, policy_id: 1 };
    expect(answers([first, { ...second, isProvisional: true }], [ungraded, good])).toEqual([
      { standing: 'warning', clause: 'SGPA 2.50 is below 3.00.', policy_id: 2 },
      { standing: null, clause: null, policy_id: 2 },
    ]);
  });
});
