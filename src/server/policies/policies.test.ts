import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test as plain, vi } from 'vitest';
import { insertStudents } from '../../../tests/support/app/fill-class.ts';
import { findings } from '../../../tests/support/app/findings.ts';
import { makePolicy } from '../../../tests/support/app/grading-policies.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../tests/support/app/mark-sheets.ts';
import { freshApps, type Person, sharedApps, TestApp } from '../../../tests/support/app/test-app.ts';
import { sqlite } from '../../../tests/support/database/engines.ts';
import { holdTransaction, waitUntilBlocked } from '../../../tests/support/database/open-transaction.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { cgpaReply, standingReply } from '../../contract/grading/grading.ts';
import { type PolicyPreview, policyListReply, policyPreview } from '../../contract/grading/policies.ts';
import { recordReply } from '../../contract/students/students.ts';
import { DEFAULT_RULES } from '../../domain/grading/policy.ts';
import { createLogger } from '../http/hooks/logger.ts';
import { lockPolicies } from '../students/grading/policies.ts';
import { applyPendingPolicies } from './apply.ts';

const COURSES = { MATH101: 101, CS101: 102, PHY101: 103, HU101: 104, EE111: 105, MATH102: 106, EE232: 107 };

const subject = (
  courseCode: keyof typeof COURSES,
  credits: number,
  grade: 'A' | 'B+' | 'B' | 'C+' | 'C' | 'D+' | 'F',
) => ({
  title: courseCode,
  courseId: COURSES[courseCode],
  credits,
  grade,
});

/** A record of which every CGPA is worked out by hand. */
const REPEATS = [
  [
    subject('MATH101', 3, 'C'),
    subject('CS101', 4, 'B+'),
    subject('PHY101', 3, 'F'),
    subject('HU101', 2, 'A'),
  ],
  [subject('PHY101', 3, 'C+'), subject('EE111', 4, 'B'), subject('MATH102', 3, 'D+')],
  [subject('MATH101', 3, 'D+'), subject('EE232', 3, 'B+')],
];

async function enterCourses(by: Person) {
  for (const [course_code, course_id] of Object.entries(COURSES)) {
    await by.post('/api/courses', { course_id, course_code, course_name: course_code });
  }
}

/** Enters students of a batch who repeated two courses. */
async function enterRepeaters(by: Person, degree: string, ids: readonly string[]) {
  await enterCourses(by);
  for (const id of ids) {
    await by.post('/api/students', aStudent({ id, degree, current_sem: 4 }));
    await by.post('/api/students/family', aFamily(id));
    for (const [i, subjects] of REPEATS.entries()) {
      const { status } = await by.post('/api/students/academics', aSemester(id, i + 1, subjects));
      expect(status).toBe(201);
    }
  }
}

const readPreview = async (by: Person, body: object): Promise<PolicyPreview> =>
  policyPreview.parse((await by.post('/api/policies/preview', body)).body);

/** The CGPA after each semester, in the record. */
const cgpas = async (by: Person, id: string) =>
  recordReply.parse((await by.get(`/api/students/${id}`)).body)?.academics.map(({ cgpa }) => cgpa);

const explained = async (by: Person, id: string) =>
  cgpaReply.parse((await by.get(`/api/students/${id}/cgpa`)).body);

describe.each(freshApps())('grading policies, on $name', ({ test }) => {
  test('begin with policy 1, which has the specified rules', async ({ viewer }) => {
    const [first, ...others] = policyListReply.parse((await viewer.get('/api/policies')).body);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      policy_id: 1,
      degrees: null,
      rules: DEFAULT_RULES,
      created_by: null,
      in_force: true,
      progress: null,
    });
  });

  test.for([
    ['best', [2.33, 2.74, 2.84], 62.5],
    ['latest', [2.33, 2.74, 2.77], 61],
    ['average', [2.33, 2.54, 2.64], 58],
  ] as const)(
    'change every CGPA of their batch to %s attempts, and no other',
    async ([policy, after, points], { app, admin, staff }) => {
      await enterRepeaters(staff, '51', ['P-1', 'P-2']);
      await enterRepeaters(staff, '52', ['P-3']);
      const before = [2.33, 2.36, 2.39];
      expect(await cgpas(staff, 'P-1')).toEqual(before);

      const input = { degrees: ['51'], rules: { repeat_policy: policy } };
      expect(await readPreview(admin, input)).toMatchObject({
        students: 2,
        changed_students: 2,
        sample: [
          { id: 'P-1', first_name: 'Ayesha', last_name: 'Siddiqui', cgpa_before: 2.39, cgpa_after: after[2] },
          { id: 'P-2', cgpa_before: 2.39, cgpa_after: after[2] },
        ],
      });
      expect(await cgpas(staff, 'P-1')).toEqual(before);
      const made = await makePolicy(admin, input);
      expect(made).toMatchObject({
        policy_id: 2,
        name: 'Repeats',
        degrees: ['51'],
        rules: { ...DEFAULT_RULES, repeat_policy: policy },
        created_by: { id: admin.user.id, name: admin.user.name },
        in_force: true,
        progress: null,
      });
      for (const id of ['P-1', 'P-2']) expect(await cgpas(staff, id)).toEqual(after);
      expect(await cgpas(staff, 'P-3')).toEqual(before);
      expect(await explained(staff, 'P-1')).toMatchObject({
        policy_id: 2,
        repeat_policy: policy,
        quality_points: points,
        credits_counted: 22,
        credits_attempted: 28,
        credits_earned: 22,
        cgpa: after[2],
      });
      expect(await explained(staff, 'P-3')).toMatchObject({ policy_id: 1, cgpa: 2.39 });
      const { body } = await staff.get('/api/students?sort=id&direction=ascending');
      expect((body as { students: { cgpa: number }[] }).students.map(({ cgpa }) => cgpa)).toEqual([
        after[2],
        after[2],
        2.39,
      ]);
      expect(await findings(app)).toEqual([]);
    },
  );

  test('hold for what is saved afterwards', async ({ app, admin, staff }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    await makePolicy(admin, { degrees: ['51'], rules: { repeat_policy: 'latest' } });
    // A third attempt: 4 × 4 + 61 − 4.5 points in 22 + 1 hours.
    const fourth = aSemester('P-1', 4, [subject('MATH101', 4, 'A')]);
    const { body } = await staff.post('/api/students/academics', fourth);
    expect((body as { academic: { cgpa: number } }).academic.cgpa).toBe(3.15);
    await enterRepeaters(staff, '51', ['P-2']);
    expect(await cgpas(staff, 'P-2')).toEqual([2.33, 2.74, 2.77]);
    expect(await findings(app)).toEqual([]);
  });

  test('follow a student to another batch, and hold for a student who is restored', async ({
    app,
    admin,
    staff,
  }) => {
    await enterRepeaters(staff, '51', ['P-1', 'P-2']);
    await staff.post('/api/students', aStudent({ id: 'P-3', degree: '52' }));
    await makePolicy(admin, { degrees: ['52'], rules: { repeat_policy: 'best' } });
    await staff.call('PUT', '/api/students/P-1', {
      body: aStudent({ id: 'P-1', degree: '52', current_sem: 4 }),
    });
    expect(await cgpas(staff, 'P-1')).toEqual([2.33, 2.74, 2.84]);
    await staff.call('PUT', '/api/students/P-1', {
      body: aStudent({ id: 'P-1', degree: '51', current_sem: 4 }),
    });
    expect(await cgpas(staff, 'P-1')).toEqual([2.33, 2.36, 2.39]);

    await admin.call('DELETE', '/api/students/P-2');
    await makePolicy(admin, { degrees: null, rules: { repeat_policy: 'average' } });
    expect((await admin.post('/api/students/P-2/restore', {})).status).toBe(201);
    for (const id of ['P-1', 'P-2']) expect(await cgpas(staff, id)).toEqual([2.33, 2.54, 2.64]);
    expect(await findings(app)).toEqual([]);
  });

  test('are superseded for a batch by a higher number', async ({ admin, staff }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    await enterRepeaters(staff, '52', ['P-2']);
    await makePolicy(admin, { degrees: ['51'], rules: { repeat_policy: 'best' } });
    await makePolicy(admin, { degrees: ['51', '52'], rules: { repeat_policy: 'latest' } });
    const inForce = async () =>
      policyListReply
        .parse((await staff.get('/api/policies')).body)
        .map(({ policy_id, in_force }) => [policy_id, in_force]);
    expect(await inForce()).toEqual([
      [3, true],
      [2, false],
      [1, true],
    ]);
    await makePolicy(admin, { degrees: null, rules: {} });
    expect(await inForce()).toEqual([
      [4, true],
      [3, false],
      [2, false],
      [1, false],
    ]);
    for (const id of ['P-1', 'P-2']) expect(await cgpas(staff, id)).toEqual([2.33, 2.36, 2.39]);
  });

  test('preview the standings that they change, those of notified results apart, and the drafts that follow', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 3);
    const [notified = '', byHand = '', good = ''] = own.ids;
    const written = await fillSheet(staff, await createSheet(staff, own, { ids: [notified] }), [72]);
    await submitSheet(staff, written);
    await confirmSheet(admin, written);
    const ofClass = { term_id: own.term_id, department: 'CE', degree: own.degree, semester: 1 };
    expect((await admin.post('/api/result-notifications', ofClass)).status).toBe(201);
    for (const [id, grade] of [[byHand, 'C+'] as const, [good, 'A'] as const]) {
      await staff.post('/api/students/family', aFamily(id));
      const answer = await staff.post(
        '/api/students/academics',
        aSemester(id, 1, [{ title: 'Statics', credits: 3, grade }]),
      );
      expect(answer.status, answer.text).toBe(201);
    }
    const draft = await createSheet(staff, own, { ids: [good] });
    const input = { degrees: [own.degree], rules: { warning_sgpa: 3 } };
    const preview = await readPreview(admin, input);
    const before = { before: 'good', after: 'warning' };
    expect(preview).toMatchObject({
      ...{ students: 3, changed_students: 0, sample: [], drafts: 1 },
      standing: {
        changed: 1,
        sample: [{ id: byHand, first_name: 'Ayesha', last_name: 'Siddiqui', semester: 1, ...before }],
        moves: [{ ...before, students: 1 }],
      },
    });
    // The same rules change nothing; a submitted sheet keeps its policy.
    await fillSheet(staff, draft, [60]);
    await submitSheet(staff, draft);
    expect(await readPreview(admin, { degrees: [own.degree], rules: {} })).toMatchObject({
      ...{ drafts: 0, standing: { changed: 0, sample: [], moves: [] } },
    });

    // Another standing since the preview asks for a new one.
    const stale = { degrees: [own.degree], rules: { warning_sgpa: 3.9 } };
    const { fingerprint } = await readPreview(admin, stale);
    const academics = recordReply.parse((await staff.get(`/api/students/${good}`)).body)?.academics;
    const edited = await staff.put(`/api/students/academics/${academics?.[0]?.academic_id}`, {
      ...aSemester(good, 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]),
    });
    expect(edited.status, edited.text).toBe(200);
    const refused = await admin.post('/api/policies', { name: 'Stricter', ...stale, fingerprint });
    expect(refused).toMatchObject({ status: 412, body: { current: { standing: { changed: 2 } } } });
    await makePolicy(admin, input);
    expect(standingReply.parse((await staff.get(`/api/students/${byHand}/standing`)).body)).toMatchObject({
      ...{ standing: 'warning', policy_id: 2 },
    });
  });

  test('preview the standings that another repeat policy changes', async ({ admin, staff }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    // 2.33, 2.36 and 2.39 with all attempts; the best ones give 2.33, 2.74 and 2.84.
    const limits = { probation_cgpa: 2.5, warning_sgpa: 1, review_probations: 8 };
    await makePolicy(admin, { degrees: ['51'], rules: limits });
    const rules = { ...limits, repeat_policy: 'best' };
    expect(await readPreview(admin, { degrees: ['51'], rules })).toMatchObject({
      changed_students: 1,
      standing: { changed: 1, sample: [{ id: 'P-1', semester: 3, before: 'probation', after: 'good' }] },
    });
  });

  test('change the standing by their limits', async ({ admin, staff }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    const standing = async () =>
      ((await staff.get('/api/students/P-1/standing')).body as { standing: string }).standing;
    expect(await standing()).toBe('good');
    await makePolicy(admin, { degrees: ['51'], rules: { probation_cgpa: 2.4 } });
    expect(await standing()).toBe('probation');
    const listed = await staff.get('/api/students?standing=probation');
    expect((listed.body as { students: { id: string }[] }).students.map(({ id }) => id)).toEqual(['P-1']);
  });

  test('are refused with a new preview when a record has changed since the preview', async ({
    admin,
    staff,
  }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    const input = { degrees: ['51'], rules: { repeat_policy: 'best' } };
    const { fingerprint } = await readPreview(admin, input);
    await enterRepeaters(staff, '51', ['P-2']);
    const { status, body } = await admin.post('/api/policies', { name: 'Repeats', ...input, fingerprint });
    expect(status).toBe(412);
    const { current } = body as { current: PolicyPreview };
    expect(current).toEqual(await readPreview(admin, input));
    expect(current.changed_students).toBe(2);
    expect(policyListReply.parse((await admin.get('/api/policies')).body)).toHaveLength(1);
    const again = { name: 'Repeats', ...input, fingerprint: current.fingerprint };
    expect((await admin.post('/api/policies', again)).status).toBe(201);
  });

  test('are refused with a new preview when another one was made at the same moment', async ({
    app,
    admin,
    staff,
  }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    const inputs = (['best', 'latest'] as const).map((repeat_policy) => ({
      degrees: ['51'],
      rules: { repeat_policy },
    }));
    const bodies = await Promise.all(
      inputs.map(async (input) => {
        const { fingerprint } = await readPreview(admin, input);
        return { name: 'Repeats', ...input, fingerprint };
      }),
    );
    const release = await holdTransaction(app.db.write, lockPolicies);
    const calls = bodies.map((body) => admin.post('/api/policies', body));
    await waitUntilBlocked(app.db.read, calls.length);
    await release();
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412]);
    const refused = answers.findIndex(({ status }) => status === 412);
    expect(answers[refused]?.body).toMatchObject({
      current: await readPreview(admin, inputs[refused] ?? {}),
    });
  });

  test('are made for batches that have students', async ({ admin, staff, viewer }) => {
    for (const degree of ['9', '51', '51', '100']) await staff.post('/api/students', aStudent({ degree }));
    expect((await admin.get('/api/policies/batches')).body).toEqual([
      { degree: '100', students: 1 },
      { degree: '51', students: 2 },
      { degree: '9', students: 1 },
    ]);
    for (const person of [staff, viewer]) {
      expect((await person.get('/api/policies/batches')).status).toBe(403);
    }
  });

  test('answer a repeated request once', async ({ admin, staff }) => {
    await enterRepeaters(staff, '51', ['P-1']);
    const input = { degrees: ['51'], rules: { repeat_policy: 'best' } };
    const body = { name: 'Repeats', ...input, fingerprint: (await readPreview(admin, input)).fingerprint };
    const send = () => admin.call('POST', '/api/policies', { body, headers: { 'idempotency-key': 'once' } });
    const first = await send();
    expect(first.status).toBe(201);
    // A policy for a batch without students would be refused.
    await staff.delete('/api/students/P-1');
    expect(await send()).toMatchObject({ status: 201, body: first.body });
    expect(policyListReply.parse((await admin.get('/api/policies')).body)).toHaveLength(2);
  });

  // Covers A46
  test('are made by administrators only, with an entry in the history', async ({ admin, staff, viewer }) => {
    const input = { degrees: null, rules: {} };
    for (const person of [staff, viewer]) {
      expect((await person.post('/api/policies/preview', input)).status).toBe(403);
      expect((await person.post('/api/policies', { name: 'x', ...input, fingerprint: 'x' })).status).toBe(
        403,
      );
    }
    await makePolicy(admin, { degrees: null, rules: { warning_sgpa: 2.1 } });
    const { entries } = (await admin.get('/api/history?entity=policy')).body as {
      entries: { entity_id: string; changes: { field: string; after: unknown }[] }[];
    };
    expect(entries.map(({ entity_id }) => entity_id)).toEqual(['2']);
    expect(entries[0]?.changes).toContainEqual({
      ...{ field: 'warning_sgpa', label: 'SGPA for a warning', before: null, after: '2.10' },
    });
    expect(entries[0]?.changes).toContainEqual({
      ...{ field: 'absolute_boundaries', label: 'Lowest mark of each letter', before: null },
      after: 'A 85, B+ 80, B 75, C+ 70, C 65, D+ 60, D 50',
    });
  });

  test('that are cut off while they are applied go on where they stopped', async ({ app, admin, staff }) => {
    await enterRepeaters(staff, '51', ['P-001']);
    const more = Array.from({ length: 120 }, (_, i) => `P-${String(i + 2).padStart(3, '0')}`);
    for (const id of more) await staff.post('/api/students', aStudent({ id, degree: '51' }));
    await enterRepeaters(staff, '51', ['P-999']);
    await makePolicy(admin, { degrees: ['51'], rules: { repeat_policy: 'best' } });
    // As if the process had ended before the first piece.
    await app.db.write
      .updateTable('policies')
      .set({ applied: 0, applied_to: '' })
      .where('policy_id', '=', 2)
      .execute();
    await app.db.write.updateTable('students').set({ policy_id: 1 }).execute();
    await app.db.write.updateTable('semesters').set({ cgpa: 236 }).where('semester', '=', 2).execute();

    let pieces = 0;
    const isStopping = () => {
      pieces += 1;
      return pieces > 1;
    };
    await applyPendingPolicies(app.db.write, isStopping);
    const progress = async () =>
      policyListReply.parse((await staff.get('/api/policies')).body).map((policy) => policy.progress);
    expect(await progress()).toEqual([{ done: 50, of: 122 }, null]);
    expect(await cgpas(staff, 'P-001')).toEqual([2.33, 2.74, 2.84]);
    // A save in between that computes the figures does so by the new policy.
    await staff.call('PUT', '/api/students/P-999', {
      body: aStudent({ id: 'P-999', degree: '51', current_sem: 4, syn: 'C' }),
    });
    expect(await cgpas(staff, 'P-999')).toEqual([2.33, 2.74, 2.84]);

    await applyPendingPolicies(app.db.write, () => false);
    expect(await progress()).toEqual([null, null]);
    expect(await findings(app)).toEqual([]);
  });
});

describe.each(freshApps())('the background work of grading policies, on $name', ({ test, engine }) => {
  test('goes on after a piece that failed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const lines: string[] = [];
    const logger = createLogger('error', { write: (line) => lines.push(line) });
    const opened = await TestApp.open(engine, { logger });
    onTestFinished(async () => {
      vi.useRealTimers();
      await opened.close();
    });
    const { app, db } = opened;
    await insertStudents(
      db.write,
      ['1', '2', '3'].map((id) => aStudent({ id })),
    );
    await db.write
      .insertInto('policies')
      .values({
        ...{
          policy_id: 2,
          name: 'Later',
          created_at: '2026-01-01T00:00:00.000Z',
          user_id: null,
          user_name: null,
        },
        ...{ degrees: 'no JSON', rules: JSON.stringify(DEFAULT_RULES) },
        ...{ students: 3, applied: 0, applied_to: '' },
      })
      .execute();
    const findProgress = () =>
      db.read
        .selectFrom('policies')
        .select(['applied', 'applied_to'])
        .where('policy_id', '=', 2)
        .executeTakeFirstOrThrow();
    await app.ready();
    await expect
      .poll(() => lines.join(''), { timeout: 60_000 })
      .toContain('a policy was not applied to all students');
    expect(await findProgress()).toEqual({ applied: 0, applied_to: '' });
    await db.write.updateTable('policies').set({ degrees: null }).where('policy_id', '=', 2).execute();
    await vi.waitUntil(
      async () => {
        vi.advanceTimersByTime(30_000);
        return (await findProgress()).applied_to === null;
      },
      { timeout: 20_000 },
    );
    expect(await findProgress()).toEqual({ applied: 3, applied_to: null });
  });
});

describe('a look for policies that are to be applied', () => {
  plain('says nothing of policies while the database is away', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const lines: string[] = [];
    const opened = await TestApp.open(sqlite, {
      logger: createLogger('error', { write: (line) => lines.push(line) }),
    });
    onTestFinished(async () => {
      vi.restoreAllMocks();
      vi.useRealTimers();
      await opened.close();
    });
    const { app, db } = opened;
    await app.ready();
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const read = vi.spyOn(db.write, 'selectFrom').mockImplementation(() => {
      throw away;
    });
    const transaction = vi.spyOn(db.write, 'transaction').mockImplementation(() => {
      throw away;
    });
    vi.advanceTimersByTime(30_000);
    await vi.waitUntil(() => read.mock.calls.length + transaction.mock.calls.length > 0);
    await setImmediate();
    expect(lines.join('')).not.toMatch(/polic/);
  });
});

describe.each(sharedApps())('invalid grading policies, on $name', ({ test }) => {
  test.for([
    [
      'a batch nobody is in',
      { degrees: ['99'], rules: {} },
      { degrees: ['There is no student in batch 99.'] },
    ],
    [
      'boundaries that do not fall',
      { degrees: null, rules: { absolute_boundaries: [85, 80, 80, 70, 65, 60, 50] } },
      { 'rules.absolute_boundaries': ['The absolute boundaries must fall from A to D.'] },
    ],
    [
      'shares of more than 1 in all',
      { degrees: null, rules: { quotas: [0.5, 0.2, 0.2, 0.1, 0.1, 0, 0] } },
      { 'rules.quotas': ['The quotas must not come to more than 1 in all.'] },
    ],
    [
      'a share over 1',
      { degrees: null, rules: { max_a_share: 1.2 } },
      { 'rules.max_a_share': ['The max a share must be a share of 0 to 1 with at most two decimals.'] },
    ],
    [
      'a limit over 4',
      { degrees: null, rules: { probation_cgpa: 4.5 } },
      { 'rules.probation_cgpa': ['The probation cgpa must be 0 to 4 with at most two decimals.'] },
    ],
    [
      'a larger load with a good CGPA that is smaller',
      { degrees: null, rules: { load_max: 22 } },
      { 'rules.load_good': ['The load good must not be below the credit hours of a term.'] },
    ],
    [
      'a repeat from F on',
      { degrees: null, rules: { improve_below: 'F' } },
      { 'rules.improve_below': ['The improve below must be one of A, B+, B, C+, C, D+, D.'] },
    ],
    [
      'an unknown rule',
      { degrees: null, rules: { repeats: 'best' } },
      { rules: ['The rules must not hold repeats.'] },
    ],
  ] as const)('are refused for %s on the field', async ([, input, errors], { admin }) => {
    for (const [path, body] of [
      ['/api/policies/preview', input],
      ['/api/policies', { name: 'x', ...input, fingerprint: 'x' }],
    ] as const) {
      const reply = await admin.post(path, body);
      expect([reply.status, (reply.body as { errors: object }).errors]).toEqual([422, errors]);
    }
  });

  test('without a fingerprint are refused', async ({ admin }) => {
    const { status, body } = await admin.post('/api/policies', { name: 'x', degrees: null, rules: {} });
    expect([status, body]).toMatchObject([
      422,
      { errors: { fingerprint: ['The fingerprint field is required.'] } },
    ]);
  });
});
