import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  type Answer,
  freshApps,
  getFieldErrors,
  type Person,
  TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import {
  bulkChangesReply,
  bulkPreview,
  bulkReply,
  bulkUndoReply,
  MAX_BULK_STUDENTS,
  MAX_NAMED_STUDENTS,
} from '../../../contract/students/bulk.ts';
import { type StudentInput, studentBaseReply } from '../../../contract/students/students.ts';
import { reindexAll } from '../derived/reindex.ts';

type Body = Record<string, unknown>;

const enter = async (by: Person, changes: Partial<StudentInput>[]) => {
  for (const change of changes) {
    expect((await by.post('/api/students', aStudent(change))).status).toBe(201);
  }
};
const preview = async (by: Person, body: Body) => {
  const answer = await by.post('/api/students/bulk/preview', body);
  expect(answer.status, answer.text).toBe(200);
  return bulkPreview.parse(answer.body);
};
const apply = (by: Person, body: Body) => by.post('/api/students/bulk', body);
/** Requests the preview and applies the change with its fingerprint. */
const previewAndApply = async (by: Person, body: Body) => {
  const { fingerprint } = await preview(by, body);
  const answer = await apply(by, { ...body, fingerprint });
  expect(answer.status, answer.text).toBe(201);
  return bulkReply.parse(answer.body);
};
const undo = (by: Person, id: number) => by.post(`/api/students/bulk/${id}/undo`);
const undone = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200);
  return bulkUndoReply.parse(answer.body);
};

const places = async (app: TestApp) =>
  Object.fromEntries(
    (
      await app.db.read
        .selectFrom('students')
        .select(['id', 'department', 'syn', 'current_sem'])
        .orderBy('id')
        .execute()
    ).map(({ id, department, syn, current_sem }) => [id, `${department}-${syn} ${current_sem}`]),
  );
const versions = async (app: TestApp) =>
  Object.fromEntries(
    (await app.db.read.selectFrom('students').select(['id', 'version']).execute()).map(({ id, version }) => [
      id,
      version,
    ]),
  );
const history = async (app: TestApp) =>
  (await app.db.read.selectFrom('history').selectAll().orderBy('id').execute()).map((row) => ({
    what: `${row.action} ${row.entity} ${row.entity_id}`,
    who: row.user_name,
    before: JSON.parse(row.before ?? 'null') as unknown,
    after: JSON.parse(row.after ?? 'null') as unknown,
  }));

/** Everything that the list is sorted, filtered, searched and counted by, without counts of 0. */
async function listing(app: TestApp) {
  const { read } = app.db;
  const counted = async (table: 'cohorts' | 'batch_counts' | 'cohort_cgpas') =>
    (await read.selectFrom(table).selectAll().where('students', '!=', 0).execute())
      .map((row) => JSON.stringify(Object.entries(row).sort()))
      .sort();
  return {
    students: (await read.selectFrom('students').selectAll().orderBy('id').execute()).map(
      ({ version: _, ...row }) => row,
    ),
    terms: await read.selectFrom('student_terms').selectAll().orderBy('student_id').orderBy('term').execute(),
    cohorts: await counted('cohorts'),
    batches: await counted('batch_counts'),
    cgpas: await counted('cohort_cgpas'),
    results: await read
      .selectFrom('course_results')
      .selectAll()
      .where('results', '!=', 0)
      .orderBy('course_id')
      .orderBy('half_points')
      .execute(),
  };
}

/** Expects the index of the list to equal one rebuilt from the records. */
async function expectConsistentIndex(app: TestApp): Promise<void> {
  const stored = await listing(app);
  await app.db.write.transaction().execute(reindexAll);
  expect(stored).toEqual(await listing(app));
}

/** Enters a record with family and results of two semesters, one of them in a course of the catalogue. */
async function enterWhole(by: Person, id: string, course_id: number): Promise<void> {
  await enter(by, [{ id, current_sem: 2, fsc_marks: 935.37, reason: 'محمد' }]);
  await by.post('/api/students/family', aFamily(id));
  const first = {
    ...aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]),
    subject_1_id: course_id,
  };
  expect((await by.post('/api/students/academics', first)).status).toBe(201);
  await by.post('/api/students/academics', aSemester(id, 2, [{ title: 'Dynamics', credits: 4, grade: 'F' }]));
}

describe.each(freshApps())('a bulk change, on $name', ({ engine, test }) => {
  test('previews its effect, applies it and adds a history entry per student', async ({ app, staff }) => {
    await enter(staff, [
      { id: 'S1', current_sem: 1 },
      { id: 'S2', current_sem: 7, gender: null },
      { id: 'S3', current_sem: 8 },
      { id: 'S4', current_sem: 1, department: 'EE' },
    ]);
    const body = { action: 'next-semester', filter: { department: 'CE' } };
    const seen = await preview(staff, body);
    const active = { status: 'active', status_date: null, status_reason: null };
    const class44 = { department: 'CE', degree: '44', syn: 'B', ...active };
    const named = { first_name: 'Ayesha', last_name: 'Siddiqui' };
    expect(seen).toEqual({
      fingerprint: expect.any(String),
      changing: 2,
      in_last_semester: 1,
      not_active: { 'on-leave': 0, withdrawn: 0, graduated: 0, transferred: 0 },
      joined_later: 0,
      as_asked: 0,
      unknown: 0,
      unknown_ids: [],
      sample: [
        { id: 'S1', ...named, before: { ...class44, current_sem: 1 }, after: { ...class44, current_sem: 2 } },
        { id: 'S2', ...named, before: { ...class44, current_sem: 7 }, after: { ...class44, current_sem: 8 } },
      ],
    });
    const untouched = (await staff.get('/api/students/S3/base')).headers.etag;
    const bases = await Promise.all(['S1', 'S2'].map((id) => staff.get(`/api/students/${id}/base`)));
    const earlier = (await history(app)).length;

    const { message, change } = await previewAndApply(staff, body);
    expect(message).toBe('2 students have been moved to the next semester.');
    expect(change).toMatchObject({ action: 'next-semester', students: 2 });
    expect(await places(app)).toEqual({ S1: 'CE-B 2', S2: 'CE-B 8', S3: 'CE-B 8', S4: 'EE-B 1' });
    expect(await versions(app)).toEqual({ S1: 2, S2: 2, S3: 1, S4: 1 });
    expect((await staff.get('/api/students/S3/base')).headers.etag).toBe(untouched);
    const after = await Promise.all(['S1', 'S2'].map((id) => staff.get(`/api/students/${id}/base`)));
    const inner = (answer?: Answer) => (answer?.body as { student: unknown } | undefined)?.student;
    expect((await history(app)).slice(earlier).toSorted((a, b) => (a.what < b.what ? -1 : 1))).toEqual(
      ['S1', 'S2'].map((id, i) => ({
        what: `update student ${id}`,
        who: staff.user.name,
        before: inner(bases[i]),
        after: inner(after[i]),
      })),
    );
    await expectConsistentIndex(app);
  });

  test('moves students to a syndicate or a department, by ids or all with exceptions', async ({
    app,
    admin,
    staff,
  }) => {
    await enter(staff, [
      { id: 'S1', syn: 'A' },
      { id: 'S2', syn: 'B' },
      { id: 'S3', syn: 'C' },
    ]);
    const named = { action: 'syndicate', syn: 'B', ids: ['S3', 'S1', 'S2', 'S3', 'gone', 'no id!'] };
    expect(await preview(staff, named)).toMatchObject({
      changing: 2,
      as_asked: 1,
      unknown: 2,
      unknown_ids: ['gone', 'no id!'],
    });
    expect((await previewAndApply(staff, named)).message).toBe('2 students have been put in syndicate B.');
    const but = { action: 'department', department: 'MTS', filter: {}, except: ['S2'] };
    expect((await previewAndApply(admin, but)).message).toBe(
      '2 students have been put in Mechatronics Engineering.',
    );
    expect(await places(app)).toEqual({ S1: 'MTS-B 2', S2: 'CE-B 2', S3: 'MTS-B 2' });
    await expectConsistentIndex(app);
  });

  test('deletes whole records like a single delete, and its undo restores them', async ({
    app,
    admin,
    staff,
  }) => {
    const course = aCourse();
    await staff.post('/api/courses', course);
    for (const id of ['S1', 'S2', 'S3']) await enterWhole(staff, id, course.course_id);
    await enter(staff, [{ id: 'S4' }]);
    const before = await listing(app);
    const records = await Promise.all(
      ['S1', 'S2'].map(async (id) => (await staff.get(`/api/students/${id}`)).body),
    );

    const body = { action: 'delete', ids: ['S1', 'S2', 'S4'] };
    expect((await preview(staff, body)).sample[0]?.after).toBeNull();
    const { message, change } = await previewAndApply(staff, body);
    expect(message).toBe('3 students have been deleted from the database.');
    expect(Object.keys(await places(app))).toEqual(['S3']);
    await expectConsistentIndex(app);
    await staff.delete('/api/students/S3');
    const deletes = (await history(app)).filter(({ what }) => what.startsWith('delete'));
    const single = deletes.find(({ what }) => what === 'delete student S3');
    expect(deletes.find(({ what }) => what === 'delete student S1')?.before).toEqual(records[0]);
    expect(Object.keys(Object(single?.before))).toEqual(Object.keys(Object(records[0])));
    expect(deletes.find(({ what }) => what === 'delete student S4')?.before).toEqual({
      student: expect.objectContaining({ id: 'S4' }) as unknown,
    });
    await admin.post('/api/students/S3/restore');

    expect(undone(await undo(staff, change.id))).toEqual({
      message: '3 students have been restored.',
      undone: 3,
      left: 0,
    });
    expect(await listing(app)).toEqual(before);
    expect((await staff.get('/api/students/S2')).body).toEqual(records[1]);
    const entries = historyReply.parse((await staff.get('/api/students/S1/history')).body).entries;
    expect(entries.map(({ action }) => action).slice(0, 2)).toEqual(['create', 'delete']);
    expect(entries[0]?.restored_from).toBe(entries[1]?.id);
    // Higher than any version of the deleted record.
    expect((await versions(app)).S1).toBeGreaterThan(1);
    await expectConsistentIndex(app);
  });

  test('is listed for whoever made it and for administrators, and nobody else undoes a delete', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const other = await app.register();
    await enter(staff, [{ id: 'S1' }, { id: 'S2' }]);
    const { change } = await previewAndApply(staff, { action: 'delete', ids: ['S1', 'S2'] });
    const listed = async (by: Person) =>
      bulkChangesReply.parse((await by.get('/api/bulk-changes')).body).changes;
    expect(await listed(staff)).toEqual([
      {
        id: change.id,
        at: expect.any(String) as unknown,
        action: 'delete',
        students: 2,
        user: { id: staff.user.id, name: staff.user.name },
        undo: null,
      },
    ]);
    expect(await listed(other)).toEqual([]);
    expect((await viewer.get('/api/bulk-changes')).status).toBe(403);
    expect((await undo(other, change.id)).status).toBe(403);
    expect(await places(app)).toEqual({});

    const reply = undone(await undo(admin, change.id));
    expect(await listed(admin)).toMatchObject([{ id: change.id, undo: reply }]);
  });

  test('is undone once, except for students changed later', async ({ app, admin, staff }) => {
    await enter(
      staff,
      ['S1', 'S2', 'S3', 'S4', 'S5'].map((id) => ({ id, current_sem: id === 'S1' ? 3 : 1 })),
    );
    for (const id of ['S2', 'S5']) await staff.post('/api/students/family', aFamily(id));
    const { change } = await previewAndApply(staff, { action: 'next-semester', filter: {} });
    await staff.put('/api/students/S3', aStudent({ id: 'S3', first_name: 'Hina', current_sem: 2 }));
    await staff.delete('/api/students/S4');
    await staff.put('/api/students/S2/family', aFamily('S2', { father_name: 'Other' }));
    await staff.post('/api/students/academics', aSemester('S5', 1, []));
    const earlier = (await history(app)).length;

    const answers = await Promise.all([undo(admin, change.id), undo(staff, change.id)]);
    const reply = {
      message: '2 students are as before. 3 of 5 had been changed since and were left as they are.',
      undone: 2,
      left: 3,
    };
    expect(answers.map(undone)).toEqual([reply, reply]);
    expect(await places(app)).toEqual({ S1: 'CE-B 3', S2: 'CE-B 1', S3: 'CE-B 2', S5: 'CE-B 2' });
    expect(await versions(app)).toMatchObject({ S1: 3, S2: 3 });
    expect(
      (await history(app))
        .slice(earlier)
        .map(({ what }) => what)
        .sort(),
    ).toEqual(['update student S1', 'update student S2']);
    await expectConsistentIndex(app);
    expect((await undo(staff, 999)).status).toBe(404);
  });

  test('can be undone by another process, after a restart', async () => {
    const database = await engine.prepare({ isMade: true });
    const first = await TestApp.open(engine, { database });
    const admin = await first.register();
    await enter(admin, [{ id: 'S1' }]);
    const { change } = await previewAndApply(admin, { action: 'delete', ids: ['S1'] });
    await first.close();
    const second = await TestApp.open(engine, { database });
    const sameAdmin = await second.signIn(admin);
    expect(undone(await undo(sameAdmin, change.id))).toMatchObject({ undone: 1, left: 0 });
    expect(await places(second)).toEqual({ S1: 'CE-B 2' });
    await second.close();
    await database.remove();
  });

  test('is refused with a new preview when other students match or some have been changed', async ({
    app,
    staff,
  }) => {
    await enter(staff, [{ id: 'S1' }, { id: 'S2' }]);
    const body = { action: 'syndicate', syn: 'A', filter: { syn: 'B' } };
    const seen = await preview(staff, body);
    await staff.put('/api/students/S2', aStudent({ id: 'S2', first_name: 'Hina' }));
    const stale = await apply(staff, { ...body, fingerprint: seen.fingerprint });
    expect(stale).toMatchObject({ status: 412, body: { current: { changing: 2 } } });
    expect(stale.body).toMatchObject({ current: await preview(staff, body) });
    await enter(staff, [{ id: 'S3' }]);
    const { fingerprint } = (stale.body as { current: { fingerprint: string } }).current;
    const more = await apply(staff, { ...body, fingerprint });
    expect(more).toMatchObject({ status: 412, body: { current: { changing: 3 } } });
    // A fingerprint is valid for this change only, not for another of the same students.
    const other = await apply(staff, {
      ...body,
      syn: 'C',
      fingerprint: (await preview(staff, body)).fingerprint,
    });
    expect(other.status).toBe(412);
    expect(await versions(app)).toEqual({ S1: 1, S2: 2, S3: 1 });
  });

  test('runs once and returns the same reply when repeated with its idempotency key', async ({
    app,
    staff,
  }) => {
    await enter(staff, [{ id: 'S1' }, { id: 'S2' }]);
    const body = { action: 'next-semester', ids: ['S1', 'S2'] };
    const { fingerprint } = await preview(staff, body);
    const send = () =>
      staff.call('POST', '/api/students/bulk', {
        body: { ...body, fingerprint },
        headers: { 'idempotency-key': 'press-1' },
      });
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ text, status }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await places(app)).toEqual({ S1: 'CE-B 3', S2: 'CE-B 3' });
  });

  test('waits for a concurrent one, and is refused if that has changed its students', async ({
    app,
    staff,
    admin,
  }) => {
    const ids = Array.from({ length: 60 }, (_, i) => `S${i + 10}`);
    await enter(
      staff,
      ids.map((id) => ({ id, syn: 'A' })),
    );
    const forward = { action: 'syndicate', syn: 'B', ids };
    const backward = { action: 'next-semester', ids: ids.toReversed() };
    const half = { action: 'department', department: 'ME', ids: ids.slice(0, 30) };
    const others = { action: 'department', department: 'EE', ids: ids.slice(30) };
    const applyConcurrently = async (bodies: Body[]) => {
      const seen = await Promise.all(bodies.map((body) => preview(staff, body)));
      const answers = await Promise.all(
        bodies.map((body, i) =>
          apply(i === 0 ? staff : admin, { ...body, fingerprint: seen[i]?.fingerprint }),
        ),
      );
      return answers.map(({ status }) => status).sort();
    };
    expect(await applyConcurrently([forward, backward])).toEqual([201, 412]);
    expect(await applyConcurrently([half, others])).toEqual([201, 201]);
    // Concurrent edits of single students run before the bulk change, which is then refused, or after it.
    const seen = await preview(staff, { ...forward, syn: 'C' });
    const [bulk, ...edits] = await Promise.all([
      apply(admin, { ...forward, syn: 'C', fingerprint: seen.fingerprint }),
      ...ids.slice(0, 8).map((id) => staff.put(`/api/students/${id}`, aStudent({ id, first_name: 'Hina' }))),
    ]);
    expect([201, 412]).toContain(bulk?.status);
    expect(edits.map(({ status }) => status)).toEqual(edits.map(() => 200));
    await expectConsistentIndex(app);
  });

  test('is refused for viewers and for invalid fields', async ({ app, staff, viewer }) => {
    await enter(staff, [{ id: 'S1', current_sem: 8 }]);
    const ok = { action: 'delete', ids: ['S1'] };
    const { fingerprint } = await preview(staff, ok);
    expect((await viewer.post('/api/students/bulk/preview', ok)).status).toBe(403);
    expect((await apply(viewer, { ...ok, fingerprint })).status).toBe(403);
    expect((await undo(viewer, 1)).status).toBe(403);
    const refused: [Body, string, string][] = [
      [{ action: 'delete' }, 'ids', 'The ids must name at least one student.'],
      [{ action: 'delete', ids: [] }, 'ids', 'The ids must name at least one student.'],
      [{ ...ok, ids: 'S1' }, 'ids', 'The ids must be a list of student IDs.'],
      [{ ...ok, filter: {} }, 'filter', 'The filter must not be sent beside ids.'],
      [{ ...ok, except: ['S1'] }, 'except', 'The except must not be sent beside ids.'],
      [
        { ...ok, action: 'expel' },
        'action',
        'The action must be one of next-semester, syndicate, department, status, delete.',
      ],
      [{ ids: ['S1'] }, 'action', 'The action field is required.'],
      [{ ids: ['S1'], action: 'syndicate' }, 'syn', 'The syn field is required.'],
      [{ ids: ['S1'], action: 'department' }, 'department', 'The department field is required.'],
      [{ ids: ['S1'], action: 'syndicate', syn: 'D' }, 'syn', 'The syn must be one of A, B, C.'],
      [
        { ...ok, ids: Array.from({ length: MAX_NAMED_STUDENTS + 1 }, (_, i) => `x${i}`) },
        'ids',
        'The ids must be at most 5,000 students; narrow the list down instead.',
      ],
    ];
    for (const [body, field, text] of refused) {
      expect(getFieldErrors(await staff.post('/api/students/bulk/preview', body)), text).toEqual({
        [field]: [text],
      });
    }
    expect(getFieldErrors(await apply(staff, ok))).toEqual({
      fingerprint: ['The fingerprint field is required.'],
    });
    const nothing = { action: 'next-semester', ids: ['S1'] };
    const seen = await preview(staff, nothing);
    expect(seen).toMatchObject({ changing: 0, in_last_semester: 1 });
    expect(getFieldErrors(await apply(staff, { ...nothing, fingerprint: seen.fingerprint }))).toEqual({
      action: ['None of these students would change.'],
    });
    expect(await versions(app)).toEqual({ S1: 1 });
    expect(await app.db.read.selectFrom('bulk_changes').selectAll().execute()).toEqual([]);
  });

  test('moves active students to the next semester, and counts the others by status', async ({ staff }) => {
    await enter(staff, [
      { id: 'S1', current_sem: 2 },
      { id: 'S2', current_sem: 2 },
      { id: 'S3', current_sem: 8 },
      { id: 'S4', current_sem: 8 },
      { id: 'S5', current_sem: 2 },
    ]);
    for (const [id, status] of [
      ['S2', 'on-leave'],
      ['S4', 'graduated'],
      ['S5', 'withdrawn'],
    ]) {
      expect((await staff.put(`/api/students/${id}/status`, { status })).status).toBe(200);
    }
    const body = { action: 'next-semester', ids: ['S1', 'S2', 'S3', 'S4', 'S5'] };
    expect(await preview(staff, body)).toMatchObject({
      ...{ changing: 1, in_last_semester: 1 },
      not_active: { 'on-leave': 1, withdrawn: 1, graduated: 1, transferred: 0 },
    });
    await previewAndApply(staff, body);
    const semesterOf = async (id: string) =>
      studentBaseReply.parse((await staff.get(`/api/students/${id}/base`)).body).student.current_sem;
    expect(await Promise.all(body.ids.map(semesterOf))).toEqual([3, 2, 8, 8, 2]);
    const others = { action: 'syndicate', syn: 'C', ids: body.ids };
    expect(await preview(staff, others)).toMatchObject({ changing: 5 });
  });

  test('refuses more students than the limit', async ({ app, staff }) => {
    const one = aStudent({ id: 'S' });
    const { fsc_marks: _f, matric_marks: _m, ...rest } = one;
    for (let done = 0; done <= MAX_BULK_STUDENTS.delete; done += 500) {
      await app.db.write
        .insertInto('students')
        .values(
          Array.from({ length: 500 }, (_, i) => ({
            ...rest,
            id: `S${done + i}`,
            id_key: `s${String(done + i).padStart(6, '0')}`,
            fsc_marks: 90_000,
            matric_marks: 90_000,
            version: 1,
          })),
        )
        .execute();
    }
    const students = MAX_BULK_STUDENTS.delete + 500;
    const batch = { department: 'CE', degree: '44', current_sem: 2, gender: 'F', is_complete: 0 } as const;
    const counted = { ...batch, status: 'active', students } as const;
    await app.db.write.insertInto('batch_counts').values(counted).execute();
    await app.db.write
      .insertInto('cohorts')
      .values({ ...counted, syn: 'B', standing: '' })
      .execute();
    const all = { action: 'delete', filter: { department: 'CE' } };
    expect(getFieldErrors(await staff.post('/api/students/bulk/preview', all))).toEqual({
      filter: ['At most 2,000 students can be deleted at once. Narrow the list down.'],
    });
    expect(await preview(staff, { ...all, action: 'next-semester' })).toMatchObject({
      changing: students,
    });
  });

  test('is reverted completely by its undo, for any students', async ({ app, admin }) => {
    const student = fc.record({
      current_sem: fc.integer({ min: 1, max: 8 }),
      department: fc.constantFrom('EE', 'CE', 'ME', 'MTS'),
      syn: fc.constantFrom('A', 'B', 'C'),
      gender: fc.constantFrom('M', 'F', null),
    });
    const change = fc.constantFrom(
      { action: 'next-semester' },
      { action: 'syndicate', syn: 'B' },
      { action: 'department', department: 'ME' },
      { action: 'delete' },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(student, { minLength: 1, maxLength: 6 }),
        change,
        async (students, request) => {
          run += 1;
          const ids = students.map((_, i) => `R${run}-${i}`);
          await enter(
            admin,
            students.map((one, i) => ({ ...one, id: ids[i] ?? '' })),
          );
          await admin.post('/api/students/family', aFamily(ids[0] ?? ''));
          const before = await listing(app);
          const body = { ...request, ids };
          if ((await preview(admin, body)).changing === 0) return;
          const { change: made } = await previewAndApply(admin, body);
          expect(await listing(app)).not.toEqual(before);
          expect(undone(await undo(admin, made.id))).toMatchObject({ undone: made.students, left: 0 });
          expect(await listing(app)).toEqual(before);
        },
      ),
      { numRuns: 12 },
    );
  });
});
