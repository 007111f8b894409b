import { sql } from 'kysely';
import { describe, expect, vi } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import { makePolicy } from '../../../tests/support/app/grading-policies.ts';
import { importRows } from '../../../tests/support/app/import-file.ts';
import {
  addCourses,
  addDraft,
  addScheme,
  addStudent,
  aRow,
  previewOf,
  refusedFields,
  statesOf,
} from '../../../tests/support/app/schemes.ts';
import { freshApps, type Person, type TestApp } from '../../../tests/support/app/test-app.ts';
import { aSemester } from '../../../tests/support/records.ts';
import { cgpaReply } from '../../contract/grading/grading.ts';
import {
  type EquivalentPreview,
  equivalentPreview,
  equivalentReply,
} from '../../contract/schemes/equivalents.ts';
import { academicCalls } from '../../contract/students/academics.ts';
import { recordReply } from '../../contract/students/students.ts';
import { isPostgres } from '../db/dialect/sql.ts';
import { transact } from '../history/transaction.ts';
import { updateSemester } from '../students/semesters/write-semester.ts';

const COURSES = { 'CS-101': 101, 'CS-110': 110, 'CS-120': 120 };

const preview = async (admin: Person, pair: object): Promise<EquivalentPreview> =>
  equivalentPreview.parse((await admin.post('/api/equivalents/preview', pair)).body);

async function join(admin: Person, pair: object): Promise<number> {
  const { fingerprint } = await preview(admin, pair);
  const made = await admin.post('/api/equivalents', { ...pair, fingerprint });
  expect(made.status, made.text).toBe(201);
  return (made.body as { equivalent: { equivalent_id: number } }).equivalent.equivalent_id;
}

/** Whether a transaction of this database waits for a lock. */
async function isWaiting({ db }: TestApp): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and not l.granted`.execute(db.read);
  return rows.length > 0;
}

const figuresOf = async (by: Person, id: string) => {
  const explained = cgpaReply.parse((await by.get(`/api/students/${id}/cgpa`)).body);
  const record = recordReply.parse((await by.get(`/api/students/${id}`)).body);
  return [explained.cgpa, explained.credits_earned, record?.academics.map(({ cgpa }) => cgpa)];
};

describe.each(freshApps())('equivalents, on $name', ({ test }) => {
  test('join the attempts of two courses, and part them again', async ({ app, admin, staff, viewer }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[101, 'F']], [[110, 'B']]]);
    await makePolicy(admin, { degrees: ['46'], rules: { repeat_policy: 'latest' } });
    await addScheme(admin, ['46'], [aRow([101], { key: 'A' })]);
    expect(await figuresOf(staff, id)).toEqual([1.5, 3, [0, 1.5]]);
    expect(await statesOf(staff, id)).toEqual({ A: 'failed' });
    const pair = { course_id: 101, other_id: 110, degrees: null };
    const shown = await preview(admin, pair);
    expect(shown).toMatchObject({
      ...{ students: 1, changed_students: 1 },
      sample: [{ id, cgpa_before: 1.5, cgpa_after: 3, earned_before: 3, earned_after: 3 }],
    });
    expect(await admin.post('/api/equivalents', { ...pair, fingerprint: 'x' })).toMatchObject({
      status: 412,
      body: { current: shown },
    });
    const number = await join(admin, pair);
    expect(await figuresOf(staff, id)).toEqual([3, 3, [0, 3]]);
    expect(await statesOf(staff, id)).toEqual({ A: 'passed' });
    expect((await viewer.get('/api/equivalents')).body).toMatchObject([
      { equivalent_id: number, ...pair, created_by: { id: admin.user.id, name: admin.user.name } },
    ]);
    expect(await findings(app)).toEqual([]);

    // What is saved afterwards follows too, also in a batch that is named nowhere.
    const other = await addStudent(staff, '47', [[[110, 'A']], [[101, 'C']]]);
    expect(await figuresOf(staff, other)).toEqual([3, 3, [4, 3]]);
    expect(await findings(app)).toEqual([]);

    const path = `/api/equivalents/${number}/removal`;
    const removal = equivalentPreview.parse((await admin.get(path)).body);
    expect(removal.sample).toContainEqual(expect.objectContaining({ id, cgpa_before: 3, cgpa_after: 1.5 }));
    expect((await staff.post(path, removal)).status).toBe(403);
    expect((await admin.post(path, { fingerprint: removal.fingerprint })).status).toBe(200);
    expect((await admin.get(path)).status).toBe(404);
    expect(await figuresOf(staff, id)).toEqual([1.5, 3, [0, 1.5]]);
    expect(await figuresOf(staff, other)).toEqual([3, 6, [4, 3]]);
    expect(await findings(app)).toEqual([]);
  });

  test('wait for results that are being stored, and then are previewed again', async ({
    app,
    admin,
    staff,
  }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[101, 'F']], [[120, 'C']]]);
    await makePolicy(admin, { degrees: ['46'], rules: { repeat_policy: 'latest' } });
    const { academics = [] } = recordReply.parse((await staff.get(`/api/students/${id}`)).body) ?? {};
    const pair = { course_id: 101, other_id: 110, degrees: null };
    const { fingerprint } = await preview(admin, pair);
    const second = aSemester(id, 2, [{ title: 'Programming', courseId: 110, credits: 3, grade: 'B' }]);
    const input = academicCalls.calls['PUT /api/students/academics/:academic_id(^\\d+$)'].body.parse(second);
    const { sent } = await transact(app.db.write, async (tx) => {
      const right = { role: 'staff', reason: null } as const;
      await updateSemester(tx, staff.user, academics[1]?.academic_id ?? 0, input, {
        right,
        ifMatch: undefined,
      });
      const spy = vi.spyOn(app.db.write, 'transaction');
      let answered = false;
      const joining = admin.post('/api/equivalents', { ...pair, fingerprint }).finally(() => {
        answered = true;
      });
      await vi.waitFor(() => expect(spy).toHaveBeenCalled());
      spy.mockRestore();
      // Before the results are stored, the pair can't be, in whatever order the two begin.
      if (isPostgres(tx))
        await vi.waitFor(async () => expect(answered || (await isWaiting(app))).toBe(true), 30_000);
      return { sent: joining };
    });
    expect((await sent).status).toBe(412);
    await join(admin, pair);
    expect(await figuresOf(staff, id)).toEqual([3, 3, [0, 3]]);
    expect(await findings(app)).toEqual([]);
  });

  test('are transitive, and hold for the batches that they name', async ({ app, admin, staff }) => {
    await addCourses(admin, COURSES);
    await makePolicy(admin, { degrees: null, rules: { repeat_policy: 'best' } });
    const attempts = [[[101, 'A']], [[120, 'C']]] as const;
    const id = await addStudent(staff, '46', attempts);
    const other = await addStudent(staff, '47', attempts);
    const imported = await addStudent(staff, '47', attempts);
    await join(admin, { course_id: 101, other_id: 110, degrees: null });
    expect(await figuresOf(staff, id)).toEqual([3, 6, [4, 3]]);
    await join(admin, { course_id: 120, other_id: 110, degrees: ['46'] });
    expect(await figuresOf(staff, id)).toEqual([4, 3, [4, 4]]);
    expect(await figuresOf(staff, other)).toEqual([3, 6, [4, 3]]);
    const base = recordReply.parse((await staff.get(`/api/students/${other}`)).body)?.student;
    const moved = await staff.put(`/api/students/${other}`, {
      ...base,
      ...{ fsc_marks: 935, matric_marks: 987.5, degree: '46' },
    });
    expect(moved.status, moved.text).toBe(200);
    expect(await figuresOf(staff, other)).toEqual([4, 3, [4, 4]]);
    await importRows(staff, 'students', [{ 'CMS ID': imported, Batch: '46' }], {
      mapping: { id: 0, degree: 1 },
      mode: 'update',
    });
    expect(await figuresOf(staff, imported)).toEqual([4, 3, [4, 4]]);
    expect(await findings(app)).toEqual([]);
  });

  test('change one at a time: the second finds its preview outdated', async ({ app, admin, staff }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[101, 'F']], [[110, 'B']], [[120, 'A']]]);
    const pairs = [110, 120].map((other_id) => ({ course_id: 101, other_id, degrees: null }));
    const previews = await Promise.all(pairs.map((pair) => preview(admin, pair)));
    const replies = await Promise.all(
      pairs.map((pair, i) =>
        admin.post('/api/equivalents', { ...pair, fingerprint: previews[i]?.fingerprint }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 412]);
    const [stored, ...others] = equivalentReply.array().parse((await admin.get('/api/equivalents')).body);
    expect(others).toEqual([]);
    const scheme = await addDraft(admin, ['46'], [aRow([101], { key: 'A' })]);
    const { fingerprint } = await previewOf(admin, scheme);
    const path = `/api/equivalents/${stored?.equivalent_id}/removal`;
    const removal = equivalentPreview.parse((await admin.get(path)).body);
    const removals = await Promise.all(
      [1, 2].map(() => admin.post(path, { fingerprint: removal.fingerprint })),
    );
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    // A publication that was previewed with the pair finds its preview outdated too.
    const published = await admin.post(`/api/schemes/${scheme.scheme_id}/publish`, { fingerprint });
    expect(published.status, published.text).toBe(412);
    expect(await figuresOf(staff, id)).toEqual([2.33, 6, [0, 1.5, 2.33]]);
    expect(await findings(app)).toEqual([]);
  });

  test('are refused where they say nothing, or say it again', async ({ admin, staff }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const refuse = async (body: object) => refusedFields(await admin.post('/api/equivalents/preview', body));
    const pair = { course_id: 101, other_id: 110, degrees: ['46'] };
    expect(await refuse({ ...pair, other_id: 101 })).toEqual({
      other_id: 'The other id must be that of another course.',
    });
    expect(await refuse({ ...pair, other_id: 999 })).toEqual({
      other_id: 'The other id must be that of an existing course.',
    });
    expect(await refuse({ ...pair, degrees: ['77'] })).toEqual({
      degrees: 'There is no student in batch 77.',
    });
    await join(admin, pair);
    expect(await refuse({ course_id: 110, other_id: 101, degrees: null })).toEqual({
      other_id: 'These two courses count as one already.',
    });
    expect((await staff.post('/api/equivalents', pair)).status).toBe(403);
  });
});
