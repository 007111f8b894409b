import { describe, expect } from 'vitest';
import { findings } from '../../../../tests/support/app/findings.ts';
import { importRows } from '../../../../tests/support/app/import-file.ts';
import {
  addCourses,
  addDraft,
  addScheme,
  addStudent,
  aRow,
  auditOf,
  previewOf,
  statesOf,
} from '../../../../tests/support/app/schemes.ts';
import { freshApps, type Person } from '../../../../tests/support/app/test-app.ts';
import { aSemester, aStudent } from '../../../../tests/support/records.ts';
import { degreeCheckReply } from '../../../contract/grading/grading.ts';
import { schemeReply } from '../../../contract/schemes/schemes.ts';
import { bulkPreview } from '../../../contract/students/bulk.ts';

const COURSES = { 'X-1': 1, 'X-2': 2, 'X-3': 3 };
const REASON = 'Decided by the faculty board.';

const move = async (by: Person, id: string, changes: object) => {
  const answer = await by.put(`/api/students/${id}`, aStudent({ id, department: 'CE', ...changes }));
  expect(answer.status, answer.text).toBe(200);
};

describe.each(freshApps())('the audit of a student who changes class, on $name', ({ test }) => {
  test('lets exceptions and credits wait for a scheme that has their rows', async ({ app, admin, staff }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46');
    await addStudent(staff, '47');
    await addScheme(admin, ['46'], [aRow([1], { key: 'A' }), aRow([2], { key: 'B' })]);
    await addScheme(admin, ['47'], [aRow([1], { key: 'a' }), aRow([3], { key: 'C' })]);
    const path = `/api/students/${id}`;
    for (const row of ['A', 'B']) {
      const body =
        row === 'A'
          ? { row, course_id: null, reason: REASON }
          : { row, title: 'Physics', credits: 3, institution: 'UET', grade: null };
      const made = await admin.post(`${path}/${row === 'A' ? 'exceptions' : 'outside-credits'}`, body);
      expect(made.status, made.text).toBe(201);
    }
    const before = await auditOf(staff, id);
    const unusedOf = ({ exceptions, outside_credits }: typeof before) =>
      [...exceptions, ...outside_credits].map(({ row, unused }) => [row, unused]);
    expect(unusedOf(before)).toEqual([
      ['A', false],
      ['B', false],
    ]);
    expect(before).toMatchObject({ complete: true, missing_credits: 133 });
    // How it would be in the other class, and then is.
    const asked = await auditOf(staff, id, '?degree=47');
    expect(unusedOf(asked)).toEqual([
      ['A', false],
      ['B', true],
    ]);
    await move(staff, id, { degree: '47' });
    expect(await auditOf(staff, id)).toEqual(asked);
    expect(await statesOf(staff, id)).toEqual({ a: 'waived', C: 'open' });
    // Credits that fill no row are still credits.
    expect(asked.credits).toMatchObject({ outside: 3, total: 3 });
    await move(staff, id, { degree: '48' });
    expect(unusedOf(await auditOf(staff, id))).toEqual([
      ['A', true],
      ['B', true],
    ]);
    await move(staff, id, { degree: '46' });
    expect(await auditOf(staff, id)).toEqual(before);
    expect(await findings(app)).toEqual([]);
  });

  test('follows at once, by a bulk change and an import too', async ({ app, admin, staff }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[1, 'B']]]);
    await addStudent(staff, '46', [], 'ME');
    await addStudent(staff, '47', [], 'ME');
    await addScheme(admin, ['46'], [aRow([1], { key: 'A' })]);
    await addScheme(admin, ['46'], [aRow([2], { key: 'B' })], 'ME');
    await addScheme(admin, ['47'], [aRow([3, 1], { key: 'C' })], 'ME');
    expect(await statesOf(staff, id)).toEqual({ A: 'passed' });
    const change = { action: 'department', department: 'ME', ids: [id] };
    const { fingerprint } = bulkPreview.parse((await admin.post('/api/students/bulk/preview', change)).body);
    const done = await admin.post('/api/students/bulk', { ...change, fingerprint });
    expect(done.status, done.text).toBe(201);
    expect(await statesOf(staff, id)).toEqual({ B: 'open' });
    await importRows(staff, 'students', [{ 'CMS ID': id, Batch: '47' }], {
      mapping: { id: 0, degree: 1 },
      mode: 'update',
    });
    expect(await statesOf(staff, id)).toEqual({ C: 'passed' });
    expect(await findings(app)).toEqual([]);
  });

  test('is by the published scheme or by none, when schemes are published meanwhile', async ({
    app,
    admin,
    staff,
  }) => {
    await addCourses(admin, COURSES);
    const ids = [];
    for (let i = 0; i < 6; i += 1) ids.push(await addStudent(staff, '46'));
    await addStudent(staff, '47');
    const draft = await addDraft(admin, ['46'], [aRow([1], { key: 'A' })]);
    const { fingerprint, students } = await previewOf(admin, draft);
    expect(students).toBe(6);
    const path = `/api/schemes/${draft.scheme_id}`;
    const [published] = await Promise.all([
      admin.post(`${path}/publish`, { fingerprint }),
      ...ids.slice(0, 3).map((id) => move(staff, id, { degree: '47' })),
    ]);
    expect([200, 412]).toContain(published.status);
    const { number } = schemeReply.parse((await admin.get(path)).body);
    expect(number).toBe(published.status === 200 ? 1 : null);
    for (const [i, id] of ids.entries())
      expect(await statesOf(staff, id)).toEqual(i < 3 || number === null ? {} : { A: 'open' });
    // Who has moved since a preview makes it outdated.
    const other = await addDraft(admin, ['46'], [aRow([2], { key: 'B' })]);
    const seen = await previewOf(admin, other);
    await move(staff, ids[3] ?? '', { degree: '47' });
    const stale = await admin.post(`/api/schemes/${other.scheme_id}/publish`, {
      fingerprint: seen.fingerprint,
    });
    expect(stale).toMatchObject({ status: 412, body: { current: { students: 2 } } });
    expect(await findings(app)).toEqual([]);
  });

  test('does not know whether a lacking row is filled while a graded subject has no course', async ({
    admin,
    staff,
    viewer,
  }) => {
    await addCourses(admin, COURSES);
    const id = await addStudent(staff, '46', [[[1, 'B']]]);
    await addScheme(admin, ['46'], [aRow([1], { key: 'A' }), aRow([2], { key: 'B' })]);
    const lineOf = async () => {
      const { body } = await viewer.get(`/api/students/${id}/degree-check`);
      return degreeCheckReply.parse(body).lines.find(({ rule }) => rule === 'scheme');
    };
    const text = '1 row of the scheme is lacking: B.';
    expect(await lineOf()).toEqual({ rule: 'scheme', state: 'fail', text });
    await move(staff, id, { degree: '46', current_sem: 2 });
    const unlinked = aSemester(id, 2, [{ title: 'Physics', credits: 3, grade: 'B' }]);
    expect((await staff.post('/api/students/academics', unlinked)).status).toBe(201);
    expect(await lineOf()).toEqual({ rule: 'scheme', state: 'unknown', text });
    const credit = { title: 'Physics', credits: 3, institution: 'UET', grade: null, row: 'B' };
    expect((await staff.post(`/api/students/${id}/outside-credits`, credit)).status).toBe(201);
    expect(await lineOf()).toMatchObject({ state: 'pass' });
  });
});
