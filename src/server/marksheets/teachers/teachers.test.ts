import { describe, expect } from 'vitest';
import { runBeforeTransaction } from '../../../../tests/support/app/before-transaction.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  getSheet,
  nameTeachers,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { SheetStream } from '../../../../tests/support/app/sheet-stream.ts';
import {
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { aStudent, unique } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import { homeReply } from '../../../contract/home.ts';
import { type Sheet, sheetListReply, sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import { incorrectSheets } from '../../verify/sheets.ts';

const getPath = ({ sheet_id }: Pick<Sheet, 'sheet_id'>) => `/api/sheets/${sheet_id}`;
const NO_SHEET = { status: 404, body: { message: 'There is no such mark sheet.' } };

/** Somebody with the role of a teacher, for tests that lock or demote them. */
async function addTeacher(app: TestApp, admin: Person, name = 'Tara Teacher'): Promise<Person> {
  const teacher = await app.register({ name });
  const { status, text } = await app.giveRole(admin, teacher, 'teacher');
  expect(status, text).toBe(200);
  return { ...teacher, user: { ...teacher.user, role: 'teacher' } };
}

async function aTaughtSheet(
  { app, admin, staff }: { app: TestApp; admin: Person; staff: Person },
  teachers: readonly Person[],
  students = 2,
): Promise<Sheet> {
  return nameTeachers(staff, await createSheet(staff, await aClass({ app, admin }, students)), teachers);
}

const listSheets = async (person: Person, query = '') =>
  sheetListReply.parse((await person.get(`/api/sheets${query}`)).body);

const idsIn = (sheets: readonly Pick<Sheet, 'sheet_id'>[]) => sheets.map(({ sheet_id }) => sheet_id);

describe.each(sharedApps({ settings: { loginLimit: 1_000 } }))(
  'the teachers of a mark sheet, on $name',
  ({ test }) => {
    test('are named by staff in any state, each once and in order, with an entry in the history', async ({
      app,
      admin,
      staff,
      teacher,
    }) => {
      const sheet = await createSheet(staff, await aClass({ app, admin }, 1));
      expect(sheet.teachers).toEqual([]);
      const path = `${getPath(sheet)}/teachers`;
      const ids = [teacher.user.id, staff.user.id];
      const answer = await staff.put(path, { ids: [...ids, teacher.user.id] });
      expect(answer.status, answer.text).toBe(200);
      const { sheet: named } = sheetSavedReply.parse(answer.body);
      expect(named.teachers).toEqual([
        { id: teacher.user.id, name: 'Tahir Teacher', active: true },
        { id: staff.user.id, name: staff.user.name, active: true },
      ]);
      expect(named.version).toBe(2);
      expect((await nameTeachers(staff, sheet, [teacher, staff])).version).toBe(2);
      expect((await getSheet(staff, sheet.sheet_id)).teachers).toEqual(named.teachers);
      const stale = await staff.call('PUT', path, { body: { ids: [] }, headers: { 'if-match': '"h1"' } });
      expect(stale.status, stale.text).toBe(412);

      const { entries } = historyReply.parse((await staff.get(`${getPath(sheet)}/history`)).body);
      expect(entries[0]?.changes).toEqual([
        { field: 'teachers', label: 'Teachers', before: null, after: `Tahir Teacher, ${staff.user.name}` },
      ]);

      await submitSheet(staff, await fillSheet(staff, named, [70]));
      expect((await nameTeachers(staff, sheet, [teacher])).state).toBe('submitted');
      await confirmSheet(admin, sheet);
      const confirmed = await nameTeachers(staff, sheet, [staff]);
      expect(confirmed).toMatchObject({ state: 'confirmed', teachers: [{ id: staff.user.id }] });
      const faults = [];
      for await (const fault of incorrectSheets(app.db.read)) faults.push(fault);
      expect(faults).toEqual([]);
    });

    test('are at most ten accounts that can sign in, no viewers', async ({ app, admin, staff, viewer }) => {
      const sheet = await createSheet(staff, await aClass({ app, admin }, 1));
      const refused = async (ids: unknown) =>
        getFieldErrors(await staff.put(`${getPath(sheet)}/teachers`, { ids }));
      expect(await refused([viewer.user.id])).toEqual({ ids: ['Vera Viewer is a viewer, not a teacher.'] });
      expect(await refused([2_000_000_000])).toEqual({
        ids: ['There is no account with number 2000000000.'],
      });
      expect(await refused(Array.from({ length: 11 }, (_, i) => i + 1))).toEqual({
        ids: ['The ids must be at most 10.'],
      });
      expect(await refused(undefined)).toEqual({ ids: ['The ids field is required.'] });
      expect(await refused('5')).toEqual({ ids: ['The ids must be a list of accounts.'] });
      const invited = await app.register();
      const waiting = { waiting_for: 'approval' as const };
      await app.db.write.updateTable('users').set(waiting).where('id', '=', invited.user.id).execute();
      expect(await refused([invited.user.id])).toHaveProperty('ids');
      expect(await getSheet(staff, sheet.sheet_id)).toEqual(sheet);
    });

    test('find sheets by teacher, class and semester, and those without an active one', async ({
      app,
      admin,
      staff,
    }) => {
      const [first, second] = [await addTeacher(app, admin), await addTeacher(app, admin)];
      const one = await aTaughtSheet({ app, admin, staff }, [first]);
      const both = await aTaughtSheet({ app, admin, staff }, [first, second]);
      const none = await createSheet(staff, await aClass({ app, admin }, 1));
      const confirmed = await createSheet(staff, await aClass({ app, admin }, 1));
      await submitSheet(staff, await fillSheet(staff, confirmed, [70]));
      await confirmSheet(admin, confirmed);
      expect(idsIn(await listSheets(staff, `?teacher=${first.user.id}`))).toEqual([
        both.sheet_id,
        one.sheet_id,
      ]);
      const ofClass = `?department=CE&degree=${one.degree}&semester=1`;
      expect(idsIn(await listSheets(staff, ofClass))).toEqual([one.sheet_id]);
      expect(await listSheets(staff, ofClass.replace('semester=1', 'semester=2'))).toEqual([]);
      expect((await staff.get('/api/sheets?teacher=nobody')).status).toBe(422);

      const withoutOne = async () => idsIn(await listSheets(staff, '?teacher=none'));
      const before = await withoutOne();
      expect(before).toContain(none.sheet_id);
      for (const { sheet_id } of [one, both, confirmed]) expect(before).not.toContain(sheet_id);
      const body = { locked: true, password: admin.password };
      expect((await admin.put(`/api/users/${first.user.id}/lock`, body)).status).toBe(200);
      expect(await withoutOne()).toContain(one.sheet_id);
      expect(await withoutOne()).not.toContain(both.sheet_id);
      expect((await app.giveRole(admin, second, 'viewer')).status).toBe(200);
      expect(await withoutOne()).toContain(both.sheet_id);
      expect((await getSheet(staff, both.sheet_id)).teachers).toMatchObject([
        { id: first.user.id, active: false },
        { id: second.user.id, active: false },
      ]);
      const { without_teacher } = homeReply.parse((await staff.get('/api/home')).body);
      expect(without_teacher?.count).toBe((await withoutOne()).length);
    });

    test('stay with a draft that is deleted and restored, and with a rectification', async ({
      app,
      admin,
      staff,
      teacher,
    }) => {
      const sheet = await aTaughtSheet({ app, admin, staff }, [teacher], 1);
      expect((await staff.delete(getPath(sheet))).status).toBe(200);
      const { entries } = historyReply.parse(
        (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
      );
      const restored = await admin.post(`/api/history/${entries[0]?.id}/restore?state=before`);
      expect(restored.status, restored.text).toBe(201);
      const [latest] = await listSheets(staff, `?degree=${sheet.degree}`);
      expect(latest?.teachers).toEqual(sheet.teachers);

      const again = await getSheet(staff, latest?.sheet_id ?? 0);
      await submitSheet(staff, await fillSheet(staff, again, [70]));
      await confirmSheet(admin, again);
      const body = { kind: 'totalling', reason: 'Question 4 was not added' };
      const rectification = await staff.post(`${getPath(again)}/rectify`, body);
      const { sheet: rectified } = sheetSavedReply.parse(rectification.body);
      expect(rectified.teachers).toEqual(sheet.teachers);
      expect((await teacher.get(getPath(rectified))).status).toBe(200);
      const faults = [];
      for await (const fault of incorrectSheets(app.db.read)) faults.push(fault);
      expect(faults).toEqual([]);
      await app.db.write.deleteFrom('sheet_teachers').where('sheet_id', '=', rectified.sheet_id).execute();
      for await (const fault of incorrectSheets(app.db.read)) faults.push(fault);
      expect(faults).toEqual([`Mark sheet ${rectified.sheet_id}: its teachers differ from the history.`]);
      await app.db.write
        .insertInto('sheet_teachers')
        .values({ sheet_id: rectified.sheet_id, user_id: teacher.user.id, position: 1 })
        .execute();
    });
  },
);

describe.each(sharedApps({ settings: { loginLimit: 1_000 } }))(
  'a teacher’s own sheet, on $name',
  ({ test }) => {
    test('is filled, graded, submitted and taken back by the teacher, who sees no other', async ({
      app,
      admin,
      staff,
    }) => {
      const teacher = await addTeacher(app, admin);
      const sheet = await aTaughtSheet({ app, admin, staff }, [teacher]);
      const others = await createSheet(staff, await aClass({ app, admin }, 1));
      expect(await listSheets(teacher)).toMatchObject([{ sheet_id: sheet.sheet_id, students: 2 }]);
      expect(await listSheets(teacher, `?course_id=${others.course_id}`)).toEqual([]);
      const home = homeReply.parse((await teacher.get(`/api/home?opened=${sheet.rows[0]?.student_id}`)).body);
      expect(home).toMatchObject({
        own_drafts: { count: 1, items: [{ sheet_id: sheet.sheet_id, missing: { cells: 2, of: 2 } }] },
        ...{ sent_back: { count: 0 }, to_confirm: null, without_teacher: null, ready_to_notify: null },
        ...{ incomplete_entries: null, to_approve: null, opened: [], setup: null },
      });

      const filled = await fillSheet(teacher, sheet, [81, 64]);
      const proposal = await teacher.post(`${getPath(sheet)}/boundaries/propose`, { method: 'absolute' });
      expect(proposal.status, proposal.text).toBe(200);
      const boundaries = [90, 80, 70, 60, 50, 45, 40];
      const graded = { method: 'absolute', boundaries, reason: 'Agreed by the board' };
      expect((await teacher.put(`${getPath(sheet)}/boundaries`, graded)).status).toBe(200);
      expect((await teacher.get(`${getPath(sheet)}/award-list.pdf`)).status).toBe(200);
      expect((await teacher.get(`${getPath(sheet)}/offerings`)).body).toEqual([]);
      await submitSheet(teacher, filled);
      const reason = { reason: 'A mark is wrong' };
      expect((await teacher.post(`${getPath(sheet)}/take-back`, reason)).status).toBe(200);
      await submitSheet(staff, filled);
      expect((await teacher.post(`${getPath(sheet)}/take-back`, reason)).status).toBe(403);
      expect((await getSheet(teacher, sheet.sheet_id)).submitted_by).toMatchObject({ id: staff.user.id });
    });

    test('keeps its title, credit hours and semesters, and its weights once there are marks', async ({
      app,
      admin,
      staff,
      teacher,
    }) => {
      const sheet = await aTaughtSheet({ app, admin, staff }, [teacher]);
      const [final] = sheet.categories;
      const put = (changes: object) =>
        teacher.put(getPath(sheet), {
          title: sheet.title,
          credits: 3,
          categories: sheet.categories,
          ...changes,
        });
      expect(getFieldErrors(await put({ title: 'Other', credits: 4 }))).toEqual({
        title: ['The title is set by the office.'],
        credits: ['The credits are set by the office.'],
      });
      const quiz = { name: 'Quiz', weight: 20, components: [{ name: 'Quiz 1', max: 10 }] };
      const first = await put({ categories: [{ ...final, weight: 80 }, quiz] });
      expect(first.status, first.text).toBe(200);
      const { categories, rows } = sheetSavedReply.parse(first.body).sheet;
      await fillSheet(teacher, { ...sheet, categories, rows }, [81]);
      const [exam, quizzes] = categories;
      const refused = async (list: readonly object[]) =>
        Object.keys(getFieldErrors(await put({ categories: list, discard: true })));
      expect(
        await refused([
          { ...exam, weight: 70 },
          { ...quizzes, weight: 30 },
        ]),
      ).toEqual(['categories.0.weight', 'categories.1.weight']);
      const two = [...(quizzes?.components ?? []), { name: 'Quiz 2', max: 10 }];
      expect(await refused([exam ?? {}, { ...quizzes, components: two, best_of: 1 }])).toEqual([
        'categories.1.weight',
      ]);
      expect(await refused([{ ...exam, weight: 100 }])).toEqual(['categories.0.weight']);
      expect((await put({ categories: [exam, { ...quizzes, components: two }] })).status).toBe(200);

      const [id] = rows.map(({ student_id }) => student_id);
      const path = `${getPath(sheet)}/rows/${id}`;
      expect((await staff.put(path, { status: 'graded', reason: null, semester: 2 })).status).toBe(200);
      const row = { status: 'incomplete', reason: 'Fell ill' };
      expect(getFieldErrors(await teacher.put(path, { ...row, semester: 1 }))).toEqual({
        semester: ['The semester is set by the office.'],
      });
      for (const named of [row, { ...row, semester: 2 }])
        expect((await teacher.put(path, named)).status).toBe(200);
      expect((await getSheet(staff, sheet.sheet_id)).rows[0]).toMatchObject({ ...row, semester: 2 });
      expect((await staff.put(getPath(sheet), { title: 'Other', credits: 3, categories })).status).not.toBe(
        404,
      );
    });

    test('says nothing about records: not in replies, not in events, not in refusals', async ({
      app,
      admin,
      staff,
      teacher,
    }) => {
      const own = await aClass({ app, admin }, 1);
      const repeater = aStudent({ id: unique(), degree: unique(), current_sem: 3 });
      expect((await staff.post('/api/students', repeater)).status).toBe(201);
      const sheet = await createSheet(staff, own, { ids: [...own.ids, repeater.id] });
      await nameTeachers(staff, sheet, [teacher]);
      const filled = await fillSheet(staff, sheet, [81]);
      const isBlocked = (rows: Sheet['rows']) => rows.some(({ blocked }) => blocked !== null);
      expect(isBlocked(filled.rows)).toBe(true);
      expect(isBlocked((await getSheet(teacher, sheet.sheet_id)).rows)).toBe(false);

      if (!app.app.server.listening) await app.app.listen({ host: '127.0.0.1', port: 0 });
      const url = app.app.listeningOrigin;
      const stream = await SheetStream.open(url, teacher, sheet.sheet_id);
      const ofStaff = await SheetStream.open(url, staff, sheet.sheet_id);
      const row = `${getPath(sheet)}/rows/${repeater.id}`;
      const saved = await teacher.put(row, { status: 'incomplete', reason: 'Fell ill' });
      expect(saved.body).toMatchObject({ row: { blocked: null, status: 'incomplete' } });
      await stream.has('cells', { version: 4, rows: [expect.objectContaining({ blocked: null })] });
      await ofStaff.has('cells', {
        version: 4,
        rows: [expect.objectContaining({ blocked: expect.any(String) })],
      });
      stream.close();
      ofStaff.close();
      const component_id = sheet.categories[0]?.components[0]?.component_id;
      const cells = [{ student_id: repeater.id, component_id, value: 55, was: null }];
      expect((await teacher.put(`${getPath(sheet)}/cells`, { cells })).body).toMatchObject({
        rows: [{ student_id: repeater.id, blocked: null }],
      });
      const stale = await teacher.put(row, { status: 'graded', was: { status: 'graded' } });
      expect(stale).toMatchObject({ status: 412, body: { current: { blocked: null } } });
      const { title, credits, categories } = sheet;
      const old = await teacher.call('PUT', getPath(sheet), {
        body: { title, credits, categories },
        headers: { 'if-match': '"h1"' },
      });
      expect(old.status).toBe(412);
      expect(old.text).not.toMatch(/"blocked":"/);
    });

    test('is lost in the middle of a save by who is locked, demoted or taken off, which stores nothing', async ({
      app,
      admin,
      staff,
    }) => {
      const teacher = await addTeacher(app, admin);
      const sheet = await aTaughtSheet({ app, admin, staff }, [teacher]);
      const component_id = sheet.categories[0]?.components[0]?.component_id;
      const student_id = sheet.rows[0]?.student_id;
      const save = () =>
        teacher.put(`${getPath(sheet)}/cells`, {
          cells: [{ student_id, component_id, value: 70, was: null }],
        });
      const { id } = teacher.user;
      const losses = [
        [404, (tx) => tx.deleteFrom('sheet_teachers').where('user_id', '=', id).execute()],
        [403, (tx) => tx.updateTable('users').set({ role: 'viewer' }).where('id', '=', id).execute()],
        [
          401,
          (tx) => tx.updateTable('users').set({ locked_at: '2026-01-01' }).where('id', '=', id).execute(),
        ],
      ] satisfies [number, Parameters<typeof runBeforeTransaction>[1]][];
      for (const [status, lose] of losses) {
        const spy = runBeforeTransaction(app, lose);
        const answer = await save();
        spy.mockRestore();
        expect(answer.status, answer.text).toBe(status);
        const again = await save();
        expect([status, 401]).toContain(again.status);
        await app.db.write
          .updateTable('users')
          .set({ role: 'teacher', locked_at: null })
          .where('id', '=', id)
          .execute();
        await app.db.write
          .insertInto('sheet_teachers')
          .values({ sheet_id: sheet.sheet_id, user_id: id, position: 1 })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      expect((await getSheet(staff, sheet.sheet_id)).rows).toEqual(sheet.rows);
    });

    test('ends its events when the teacher is taken off, demoted or locked', async ({
      app,
      admin,
      staff,
    }) => {
      if (!app.app.server.listening) await app.app.listen({ host: '127.0.0.1', port: 0 });
      const url = app.app.listeningOrigin;
      const teachers = [];
      for (const name of ['Amna', 'Bilal', 'Careem', 'Dania'])
        teachers.push(await addTeacher(app, admin, name));
      const [off, demoted, locked, stays] = teachers as [Person, Person, Person, Person];
      const sheet = await aTaughtSheet({ app, admin, staff }, teachers, 1);
      const streams = new Map<Person, SheetStream>();
      for (const one of teachers) streams.set(one, await SheetStream.open(url, one, sheet.sheet_id));
      await nameTeachers(staff, sheet, [demoted, locked, stays]);
      await streams.get(off)?.ends();
      expect((await SheetStream.request(url, off, sheet.sheet_id)).statusCode).toBe(404);
      expect(await off.get(getPath(sheet))).toMatchObject(NO_SHEET);
      expect((await app.giveRole(admin, demoted, 'viewer')).status).toBe(200);
      await streams.get(demoted)?.ends();
      const body = { locked: true, password: admin.password };
      expect((await admin.put(`/api/users/${locked.user.id}/lock`, body)).status).toBe(200);
      await streams.get(locked)?.ends();
      const { rows } = await fillSheet(staff, sheet, [70]);
      await streams.get(stays)?.has('cells', { version: 4, rows });
      streams.get(stays)?.close();
    });

    test('is found before any check of the body', async ({ app, admin, staff, teacher }) => {
      const other = await createSheet(staff, await aClass({ app, admin }, 1));
      for (const path of ['cells', 'boundaries', 'submit', 'take-back', 'rows/x'])
        for (const body of [{}, '{', { cells: 'x' }]) {
          const method = path === 'submit' || path === 'take-back' ? 'POST' : 'PUT';
          expect(await teacher.call(method, `${getPath(other)}/${path}`, { body })).toMatchObject(NO_SHEET);
        }
      expect(await teacher.put(getPath(other), {})).toMatchObject(NO_SHEET);
    });
  },
);
