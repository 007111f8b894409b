import { describe, expect } from 'vitest';
import { findings } from '../../../tests/support/app/findings.ts';
import {
  addCourses,
  addDraft,
  addScheme,
  addStudent,
  aRow,
  previewOf,
  publish,
  refusedFields,
} from '../../../tests/support/app/schemes.ts';
import { freshApps } from '../../../tests/support/app/test-app.ts';
import { schemeListReply, schemeReply, schemeSavedReply } from '../../contract/schemes/schemes.ts';

const COURSES = { 'MATH-101': 101, 'EE-111': 111, 'EE-116': 116, 'EE-215': 215 };

describe.each(freshApps())('schemes, on $name', ({ test }) => {
  test('begin as drafts, of which rows get keys and titles', async ({ app, admin, staff, viewer }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const draft = await addDraft(
      admin,
      ['46'],
      [
        aRow([215], { semester: 3, lab: 1, needs: [{ course_id: 111, kind: 'before' }] }),
        aRow([101]),
        aRow([101, 111], { title: 'Elective I', key: 'E-1' }),
        aRow([101], { theory: 0 }),
      ],
    );
    expect(draft).toMatchObject({
      ...{
        number: null,
        name: 'BE Computer',
        department: 'CE',
        degrees: ['46'],
        in_force: false,
        version: 2,
      },
      ...{ created_by: { id: admin.user.id, name: admin.user.name }, published_at: null, published_by: null },
      rows: [
        { key: 'MATH-101', semester: 1, title: 'MATH-101', credits: 3 },
        { key: 'E-1', semester: 1, title: 'Elective I', credits: 3, options: [101, 111] },
        { key: 'MATH-101-2', credits: 0 },
        {
          key: 'EE-215',
          semester: 3,
          theory: 3,
          lab: 1,
          credits: 4,
          needs: [{ course_id: 111, kind: 'before' }],
        },
      ],
      courses: [
        { course_id: 101, course_code: 'MATH-101', course_name: 'MATH-101', credits: null },
        { course_id: 111 },
        { course_id: 215 },
      ],
      semesters: [
        { semester: 1, rows: 3, theory: 6, lab: 0, credits: 6, contact_hours: 6 },
        { semester: 3, rows: 1, theory: 3, lab: 1, credits: 4, contact_hours: 6 },
      ],
    });
    const path = `/api/schemes/${draft.scheme_id}`;
    const read = await viewer.get(path);
    expect(schemeReply.parse(read.body)).toEqual(draft);
    const etag = String(read.headers.etag);
    const same = { name: 'BE Computer', department: 'CE', degrees: ['46'], rows: draft.rows };
    const saved = await admin.call('PUT', path, { body: same, headers: { 'if-match': etag } });
    expect(saved).toMatchObject({ status: 200, body: { scheme: { version: 2 } } });
    const renamed = await admin.call('PUT', path, {
      body: { ...same, name: 'BE CE' },
      headers: { 'if-match': '"h1"' },
    });
    expect(renamed).toMatchObject({ status: 412, body: { current: draft, changed_by: admin.user.name } });
    const other = await admin.post('/api/schemes', { ...same, name: 'Next', from: draft.scheme_id });
    expect(other.headers.etag).toBe('"h1"');
    expect(schemeSavedReply.parse(other.body).scheme).toMatchObject({ name: 'Next', rows: draft.rows });
    expect((await staff.post('/api/schemes', same)).status).toBe(403);
    expect((await admin.get('/api/schemes/9999')).status).toBe(404);
    expect(await findings(app)).toEqual([]);
  });

  test.for<[string, object, Record<string, string>]>([
    [
      'a key twice',
      { rows: [aRow([101], { key: 'A' }), aRow([111], { key: 'a' })] },
      { 'rows.1.key': 'The key must be another than those of the rows before.' },
    ],
    [
      'an unknown course',
      { rows: [aRow([101]), aRow([999])] },
      { 'rows.1.options': 'The course id must be that of an existing course.' },
    ],
    [
      'an unknown course that is needed',
      { rows: [aRow([101], { needs: [{ course_id: 998, kind: 'before' }] })] },
      { 'rows.0.needs': 'The course id must be that of an existing course.' },
    ],
    [
      'a need that is an option',
      { rows: [aRow([101], { needs: [{ course_id: 101, kind: 'before' }] })] },
      { 'rows.0.needs': 'The needs must not name a course that fills the row itself.' },
    ],
    [
      'too many hours',
      { rows: [aRow([101], { theory: 7 })] },
      { 'rows.0.theory': 'The theory must be a whole number from 0 to 6.' },
    ],
    [
      'too many hours in all',
      { rows: [aRow([101], { theory: 4, lab: 3 })] },
      { 'rows.0.theory': 'The theory must be at most 6 together with the lab.' },
    ],
    ['no options', { rows: [aRow([])] }, { 'rows.0.options': 'The options must name at least one course.' }],
    [
      '121 rows',
      { rows: Array.from({ length: 121 }, () => aRow([101])) },
      { rows: 'The rows must be at most 120.' },
    ],
    ['a batch without students', { degrees: ['77'] }, { degrees: 'There is no student of CE in batch 77.' }],
    [
      'an unknown department',
      { department: 'XX' },
      { department: 'The department must be one of EE, CE, ME, MTS.' },
    ],
  ])('refuse %s', async ([, changes, errors], { admin, staff }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const { scheme_id } = await addDraft(admin, ['46']);
    const body = { name: 'BE', department: 'CE', degrees: ['46'], rows: [], ...changes };
    const refused = await admin.put(`/api/schemes/${scheme_id}`, body);
    expect(refused.status).toBe(422);
    expect(refusedFields(refused)).toMatchObject(errors);
  });

  test('are published with the next number, and never changed then', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    await addCourses(admin, COURSES);
    const open = await addStudent(staff, '46');
    const done = await addStudent(staff, '46', [[[101, 'B']]]);
    await addStudent(staff, '47');
    const draft = await addDraft(admin, ['46'], [aRow([101]), aRow([111])]);
    const preview = await previewOf(admin, draft);
    expect(preview).toMatchObject({
      refusals: [],
      students: 2,
      changed_students: 2,
      more: 2,
      fewer: 0,
      other: 0,
    });
    expect(preview.warnings.map(({ rule }) => rule)).toEqual(['sum', 'semester-load']);
    expect(Object.fromEntries(preview.sample.map((one) => [one.id, one.lacking_after]))).toEqual({
      [open]: ['MATH-101', 'EE-111'],
      [done]: ['EE-111'],
    });
    const path = `/api/schemes/${draft.scheme_id}`;
    expect(refusedFields(await admin.post(`${path}/publish`, {}))).toEqual({
      fingerprint: 'The fingerprint field is required.',
    });
    const stale = await admin.post(`${path}/publish`, { fingerprint: 'x' });
    expect(stale).toMatchObject({ status: 412, body: { current: preview } });
    const published = await publish(admin, draft);
    expect(published).toMatchObject({ number: 1, in_force: true, published_by: { name: admin.user.name } });
    const again = await admin.post(`${path}/publish`, { fingerprint: preview.fingerprint });
    expect(again).toMatchObject({ status: 409, body: { refusals: [] } });
    const body = { name: 'BE', department: 'CE', degrees: ['46'], rows: [] };
    expect((await admin.put(path, body)).status).toBe(409);
    expect((await admin.delete(path)).status).toBe(409);

    const forAll = await addScheme(admin, null, [aRow([101])]);
    expect(forAll).toMatchObject({ number: 2, degrees: null, in_force: true });
    await addDraft(admin, ['47']);
    const list = schemeListReply.parse((await viewer.get('/api/schemes?department=CE&degree=46')).body);
    expect(list.map(({ number, in_force }) => [number, in_force])).toEqual([
      [2, true],
      [1, false],
    ]);
    const all = schemeListReply.parse((await viewer.get('/api/schemes')).body);
    expect(all.map(({ number }) => number)).toEqual([null, 2, 1]);
    expect(await findings(app)).toEqual([]);
  });

  test('are refused by name while they contradict themselves', async ({ admin, staff }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const needs = [{ course_id: 116, kind: 'before' }];
    const draft = await addDraft(admin, ['46'], [aRow([111]), aRow([215], { semester: 3, needs })]);
    const preview = await previewOf(admin, draft);
    expect(preview.refusals).toEqual([
      { rule: 'need', text: 'EE-215 needs EE-116, which no earlier semester has.', keys: ['EE-215'] },
    ]);
    const { fingerprint } = preview;
    const refused = await admin.post(`/api/schemes/${draft.scheme_id}/publish`, { fingerprint });
    expect(refused).toMatchObject({ status: 409, body: { refusals: preview.refusals } });
  });

  test('are compared with the degree of batches to come where a department has no students', async ({
    admin,
  }) => {
    await addCourses(admin, COURSES);
    const { warnings, students } = await previewOf(admin, await addDraft(admin, null, [aRow([101])], 'ME'));
    expect(students).toBe(0);
    expect(warnings).toContainEqual({
      ...{ rule: 'sum', keys: [] },
      text: 'The rows come to 3 credit hours of 136.',
    });
  });

  test('publish one at a time: the second finds its preview outdated', async ({ admin, staff }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const drafts = [
      await addDraft(admin, ['46'], [aRow([101])]),
      await addDraft(admin, ['46'], [aRow([111])]),
    ];
    const previews = await Promise.all(drafts.map((draft) => previewOf(admin, draft)));
    const replies = await Promise.all(
      drafts.map(({ scheme_id }, i) =>
        admin.post(`/api/schemes/${scheme_id}/publish`, { fingerprint: previews[i]?.fingerprint }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  test('keep courses that were deleted, which are not chosen anew', async ({ admin, staff }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const draft = await addDraft(admin, ['46'], [aRow([101])]);
    await admin.delete('/api/courses/101');
    const path = `/api/schemes/${draft.scheme_id}`;
    const { rows } = draft;
    const head = { name: 'BE', department: 'CE', degrees: ['46'] };
    const saved = schemeSavedReply.parse((await admin.put(path, { ...head, rows })).body);
    expect(saved.scheme.courses).toEqual([
      { course_id: 101, course_code: 'MATH-101', course_name: 'MATH-101', credits: null },
    ]);
    const other = await addDraft(admin, ['46']);
    const refused = await admin.put(`/api/schemes/${other.scheme_id}`, { ...head, rows });
    expect(refusedFields(refused)).toHaveProperty(['rows.0.options']);
  });

  test('are restored from the history as drafts, not once they are published', async ({
    app,
    admin,
    staff,
  }) => {
    await addCourses(admin, COURSES);
    await addStudent(staff, '46');
    const draft = await addDraft(admin, ['46'], [aRow([101])]);
    const deleted = await admin.delete(`/api/schemes/${draft.scheme_id}`);
    const { entry } = deleted.body as { entry: number };
    expect((await admin.get(`/api/schemes/${draft.scheme_id}`)).status).toBe(404);
    const restored = await admin.post(`/api/history/${entry}/restore`, {});
    expect(restored.status, restored.text).toBe(201);
    const scheme = schemeReply.parse((await admin.get(`/api/schemes/${draft.scheme_id}`)).body);
    expect(scheme).toMatchObject({ rows: draft.rows, number: null });
    await publish(admin, scheme);
    const refused = await admin.post(`/api/history/${entry}/restore`, {});
    expect(refused).toMatchObject({ status: 409, body: { message: 'This can’t be restored.' } });
    expect(await findings(app)).toEqual([]);
  });
});
