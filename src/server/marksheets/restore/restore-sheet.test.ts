import { describe, expect } from 'vitest';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  getSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aStudent, unique } from '../../../../tests/support/records.ts';
import { historyReply, restorePreview } from '../../../contract/history.ts';
import { type Sheet, sheetListReply, sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import { runChecks } from '../../verify/checks.ts';

const getPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}`;

const TWO = [
  { name: 'Quiz', weight: 20, best_of: null, components: [{ name: 'Quiz', max: 10 }] },
  { name: 'Final', weight: 80, best_of: null, components: [{ name: 'Final', max: 100 }] },
];

async function latestEntry(admin: Person, { sheet_id }: Sheet) {
  const answer = await admin.get(`/api/history?entity=sheet&entity_id=${sheet_id}`);
  const [entry] = historyReply.parse(answer.body).entries;
  if (entry === undefined) throw new Error('The sheet has no entry.');
  return entry;
}

const restorePath = ({ id }: { id: number }) => `/api/history/${id}/restore?state=before`;

async function previewRestore(admin: Person, entry: { id: number }) {
  return restorePreview.parse((await admin.get(restorePath(entry))).body);
}

/** The newest sheet of the course. */
async function newestSheet(person: Person, courseId: number): Promise<Sheet> {
  const [newest] = sheetListReply.parse((await person.get(`/api/sheets?course_id=${courseId}`)).body);
  return getSheet(person, newest?.sheet_id ?? 0);
}

const contentOf = ({ title, credits, semester, categories, boundaries, boundaries_stored, rows }: Sheet) => ({
  ...{ title, credits, semester, categories, boundaries, boundaries_stored, rows },
});

describe.each(sharedApps())('a mark sheet restored from its history, on $name', ({ test }) => {
  test('is a deleted draft with its marks, under a new number', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 3);
    const [first = '', second = '', third = ''] = own.ids;
    const created = await createSheet(staff, own, { categories: TWO });
    const sheet = await fillSheet(staff, created, [8, 'A']);
    const [, final] = sheet.categories.flatMap(({ components }) => components);
    const cells = [{ student_id: first, component_id: final?.component_id, value: 81.5, was: null }];
    expect((await staff.put(`${getPath(sheet)}/cells`, { cells })).status).toBe(200);
    const row = { status: 'withdrawn', reason: 'Left in May', semester: 2 };
    expect((await staff.put(`${getPath(sheet)}/rows/${second}`, row)).status).toBe(200);
    const scheme = { method: 'absolute', boundaries: [86, 80, 75, 70, 65, 60, 50] };
    expect((await staff.put(`${getPath(sheet)}/boundaries`, scheme)).status).toBe(200);
    expect((await staff.delete(`${getPath(sheet)}/students/${third}`)).status).toBe(200);
    const before = await getSheet(staff, sheet.sheet_id);
    expect((await staff.delete(getPath(sheet))).status).toBe(200);

    const entry = await latestEntry(admin, sheet);
    expect(entry).toMatchObject({ action: 'delete', user: { id: staff.user.id } });
    for (const [label, mark] of [
      [`${first} · Quiz`, 8],
      [`${first} · Final`, 81.5],
      [`${second} · Quiz`, 'A'],
    ]) {
      expect(entry.changes).toContainEqual({ field: label, label, before: mark, after: null });
    }
    const newId = unique();
    expect((await admin.put(`/api/students/${first}/id`, { id: newId })).status).toBe(200);
    expect((await staff.post(restorePath(entry))).status).toBe(403);
    expect((await previewRestore(admin, entry)).obstacle).toBeNull();
    const restored = await admin.post(restorePath(entry));
    const found = await newestSheet(staff, own.course_id);
    expect(restored).toMatchObject({
      status: 201,
      body: { message: `The mark sheet has been restored, with number ${found.sheet_id}.` },
    });
    expect(found.sheet_id).not.toBe(sheet.sheet_id);
    const byId = (rows: Sheet['rows']) => Object.fromEntries(rows.map((one) => [one.student_id, one]));
    expect({ ...contentOf(found), rows: byId(found.rows) }).toEqual({
      ...contentOf(before),
      rows: byId(before.rows.map((one) => (one.student_id === first ? { ...one, student_id: newId } : one))),
    });
    expect(await latestEntry(admin, found)).toMatchObject({ action: 'create', restored_from: entry.id });
    const again = await admin.post(restorePath(entry));
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`on mark sheet ${found.sheet_id} of this course already`) },
    });
    const lines: string[] = [];
    await runChecks(app.db.read, (line) => lines.push(line));
    expect(lines).toContain('Mark sheets: in order');
  });

  test('has those who were taken off the list before it was deleted, when they are put back', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 2);
    const [first, second] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own), [81, 64]);
    expect((await staff.delete(`${getPath(sheet)}/students/${second}`)).status).toBe(200);
    expect((await staff.delete(getPath(sheet))).status).toBe(200);
    expect((await admin.post(restorePath(await latestEntry(admin, sheet)))).status).toBe(201);
    const found = await newestSheet(staff, own.course_id);
    expect((await staff.post(`${getPath(found)}/students`, { ids: [second] })).status).toBe(200);
    const { rows } = await getSheet(staff, found.sheet_id);
    expect(rows).toMatchObject([
      { student_id: first, total: 81 },
      { student_id: second, total: 64 },
    ]);
  });

  test('gives no row to another student who has the ID by now', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const [first, second = ''] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own), [81, 64]);
    expect((await staff.delete(getPath(sheet))).status).toBe(200);
    expect((await staff.delete(`/api/students/${second}`)).status).toBe(200);
    const other = aStudent({ id: second, degree: own.degree, department: 'CE', current_sem: 1 });
    expect((await staff.post('/api/students', other)).status).toBe(201);
    expect((await admin.post(restorePath(await latestEntry(admin, sheet)))).status).toBe(201);
    const found = await newestSheet(staff, own.course_id);
    expect(found.rows).toMatchObject([{ student_id: first, total: 81 }]);
  });

  test('stays deleted where its term is gone or what it rectifies is rectified by now', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const draft = await createSheet(staff, own);
    expect((await staff.delete(getPath(draft))).status).toBe(200);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [81]);
    await submitSheet(staff, sheet);
    await confirmSheet(admin, sheet);
    const rectify = async () => {
      const why = { kind: 'totalling', reason: 'Question 4 was not added' };
      const answer = await staff.post(`${getPath(sheet)}/rectify`, why);
      return sheetSavedReply.parse(answer.body).sheet;
    };
    const rectification = await rectify();
    expect((await staff.delete(getPath(rectification))).status).toBe(200);
    const entry = await latestEntry(admin, rectification);
    const later = await rectify();
    expect(await admin.post(restorePath(entry))).toMatchObject({
      status: 409,
      body: { message: `Mark sheet ${later.sheet_id} rectifies mark sheet ${sheet.sheet_id} by now.` },
    });
    expect((await staff.delete(getPath(later))).status).toBe(200);
    expect((await admin.post(restorePath(entry))).status).toBe(201);
    expect(await newestSheet(staff, own.course_id)).toMatchObject({
      ...{ state: 'draft', rectifies: sheet.sheet_id, rectify_kind: 'totalling' },
      rows: [{ total: 81 }],
    });

    const alone = await aClass({ app, admin }, 0);
    const empty = await createSheet(staff, alone);
    expect((await staff.delete(getPath(empty))).status).toBe(200);
    expect((await admin.delete(`/api/terms/${alone.term_id}`)).status).toBe(200);
    expect(await admin.post(restorePath(await latestEntry(admin, empty)))).toMatchObject({
      status: 409,
      body: {
        message: 'The term of this mark sheet has been deleted. Restore it from its history first.',
      },
    });
  });

  test('has a component again that was discarded, with its marks', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const [first = ''] = own.ids;
    const sheet = await fillSheet(staff, await createSheet(staff, own, { categories: TWO }), [8, 'A']);
    const [quiz, final] = sheet.categories;
    const alone = { title: 'Signals', credits: 3, categories: [{ ...final, weight: 100 }] };
    expect((await staff.put(getPath(sheet), alone)).status).toBe(422);
    expect((await staff.put(getPath(sheet), { ...alone, discard: true })).status).toBe(200);
    const component_id = final?.components[0]?.component_id;
    const cells = [{ student_id: first, component_id, value: 90, was: null }];
    expect((await staff.put(`${getPath(sheet)}/cells`, { cells })).status).toBe(200);

    const answer = await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`);
    const discard = historyReply
      .parse(answer.body)
      .entries.find(({ changes }) => changes.some(({ field }) => field === 'categories'));
    const entry = { id: discard?.id ?? 0 };
    expect(discard?.changes).toContainEqual({
      ...{ field: `${first} · Quiz`, label: `${first} · Quiz`, before: 8, after: null },
    });
    const { obstacle, changes } = await previewRestore(admin, entry);
    expect(obstacle).toBeNull();
    expect(changes).toContainEqual(
      expect.objectContaining({ label: `${first} · Quiz`, before: null, after: 8 }),
    );
    expect((await admin.post(restorePath(entry))).status).toBe(201);
    const found = await getSheet(staff, sheet.sheet_id);
    expect(found.categories).toEqual(sheet.categories);
    const quizId = quiz?.components[0]?.component_id ?? 0;
    expect(found.rows).toMatchObject([
      { cells: { [quizId]: 8, [component_id ?? 0]: 90 }, total: 88 },
      { cells: { [quizId]: 'A' }, total: null },
    ]);
    const lines: string[] = [];
    await runChecks(app.db.read, (line) => lines.push(line));
    expect(lines).toContain('Mark sheets: in order');
  });

  test('keeps marks of components that are newer than what is restored', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await fillSheet(staff, await createSheet(staff, own, { categories: TWO }), [8]);
    const [, final] = sheet.categories;
    const oral = { name: 'Oral', weight: 20, best_of: null, components: [{ name: 'Oral', max: 10 }] };
    const change = { title: 'Signals', credits: 3, categories: [oral, final], discard: true };
    expect((await staff.put(getPath(sheet), change)).status).toBe(200);
    const entry = await latestEntry(admin, sheet);
    await fillSheet(staff, await getSheet(staff, sheet.sheet_id), [9]);
    expect(await admin.post(restorePath(entry))).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The categories leave out Oral, which holds marks.') },
    });
  });
});
