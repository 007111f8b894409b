import { describe, expect } from 'vitest';
import {
  aClass,
  aSheetFor,
  createSheet,
  FULL_SETUP,
  fillSheet,
  getSheet,
  ONE_COMPONENT,
} from '../../../tests/support/app/mark-sheets.ts';
import { getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aCourse } from '../../../tests/support/records.ts';
import { historyReply } from '../../contract/history.ts';
import { cellsReply, type Sheet, sheetListReply } from '../../contract/marksheets/sheets.ts';

const getPath = ({ sheet_id }: Sheet) => `/api/sheets/${sheet_id}`;
const componentIds = (sheet: Sheet) =>
  sheet.categories.flatMap(({ components }) => components.map(({ component_id }) => component_id));
const putCells = (person: Person, sheet: Sheet, cells: readonly object[]) =>
  person.put(`${getPath(sheet)}/cells`, { cells });

describe.each(sharedApps())('mark sheets, on $name', ({ test }) => {
  test('are made for the active students of a class, and read by every role', async ({
    app,
    admin,
    staff,
    viewer,
  }) => {
    const own = await aClass({ app, admin }, 3);
    const sheet = await createSheet(staff, own, { categories: FULL_SETUP });
    expect(sheet).toMatchObject({
      ...{ state: 'draft', version: 1, title: 'Signals', credits: 3, policy_id: 1, method: 'absolute' },
      boundaries: [85, 80, 75, 70, 65, 60, 50],
      boundaries_stored: false,
      stats: { n: 0, mean: null, std_dev: null },
      ...{ rectifies: null, confirmed_by: null, confirmed_at: null, checksum: null },
    });
    expect(sheet.rows.map(({ student_id }) => student_id)).toEqual(own.ids);
    expect(sheet.rows[0]).toMatchObject({
      ...{ status: 'graded', total: null, so_far: { score: 0, of: 0 }, letter: null, blocked: null },
    });
    const read = await viewer.get(getPath(sheet));
    expect(read.body).toEqual({ sheet });
    expect(read.headers.etag).toBe('"g1"');
    const listed = sheetListReply.parse((await viewer.get(`/api/sheets?term_id=${own.term_id}`)).body);
    expect(listed).toMatchObject([{ sheet_id: sheet.sheet_id, students: 3, filled_share: 0 }]);
    expect((await viewer.get(`/api/sheets?course_id=${own.course_id}&state=confirmed`)).body).toEqual([]);
    expect((await app.call('GET', getPath(sheet))).status).toBe(401);
    expect((await viewer.post('/api/sheets', aSheetFor(own))).status).toBe(403);
    expect((await viewer.get('/api/sheets/999999')).status).toBe(404);
  });

  test('take title and credit hours from the course where they are left out', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const { title, course_name, credits } = await createSheet(staff, own, { title: '', credits: null });
    expect({ title, credits }).toEqual({ title: course_name, credits: 3 });
    const course = await admin.put(`/api/courses/${own.course_id}`, {
      ...aCourse(),
      course_id: own.course_id,
      credits: null,
    });
    expect(course.status, course.text).toBe(200);
    expect(getFieldErrors(await staff.post('/api/sheets', aSheetFor(own, { credits: null })))).toEqual({
      credits: ['The credits field is required.'],
    });
  });

  test.for<[string, object, Record<string, unknown>]>([
    [
      'weights that do not make 100',
      { categories: [{ ...ONE_COMPONENT[0], weight: 90 }] },
      { categories: ['The categories must have weights that make 100; these make 90.'] },
    ],
    ['an unknown course', { course_id: 999_999_999 }, { course_id: [expect.any(String)] }],
    ['an unknown term', { term_id: 999_999 }, { term_id: [expect.any(String)] }],
    ['an unknown student', { ids: ['nobody-1'] }, { ids: ['There is no student with ID nobody-1.'] }],
    ['no categories', { categories: [] }, { categories: [expect.any(String)] }],
    ['a semester that does not exist', { semester: 9 }, { semester: [expect.any(String)] }],
    [
      'full marks of nothing',
      { categories: [{ ...ONE_COMPONENT[0], components: [{ name: 'Final', max: 0 }] }] },
      { 'categories.0.components.0.max': [expect.stringContaining('The max must be more than 0')] },
    ],
  ])('are refused with %s', async ([, changes, errors], { app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    expect(getFieldErrors(await staff.post('/api/sheets', aSheetFor(own, changes)))).toEqual(errors);
  });

  test('are refused a student who is named twice', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const [id] = own.ids;
    expect(getFieldErrors(await staff.post('/api/sheets', aSheetFor(own, { ids: [id, id] })))).toEqual({
      ids: [`The ids name ${id} more than once.`],
    });
  });

  test('compute the totals of example 8 from their cells', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 3);
    const sheet = await createSheet(staff, own, { categories: FULL_SETUP });
    const ids = componentIds(sheet);
    const marks = [8, 6, 'A', '9', 7, 18, 'E', 15, 31, 27.5, 64];
    const rows = [marks, marks.with(9, 'A'), marks.with(9, 'e')];
    const cells = rows.flatMap((row, i) =>
      row.map((value, j) => ({ student_id: own.ids[i], component_id: ids[j], value, was: null })),
    );
    const answer = await putCells(staff, sheet, cells);
    expect(answer.status, answer.text).toBe(200);
    const reply = cellsReply.parse(answer.body);
    expect(reply).toMatchObject({ version: 2, stored: 33, conflicts: [] });
    expect(reply.rows.map(({ total, letter }) => [total, letter])).toEqual([
      [65.3, 'C'],
      [57.05, 'D'],
      [67.12, 'C'],
    ]);
    expect(answer.headers.etag).toBe('"g2"');
    expect((await getSheet(staff, sheet.sheet_id)).rows).toEqual(reply.rows);
  });

  test('store only cells that still hold what they are based on', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await createSheet(staff, own);
    const [component_id] = componentIds(sheet);
    const [first, second] = own.ids;
    const cell = (student_id: string | undefined, value: unknown, was: unknown) => ({
      ...{ student_id, component_id, value, was },
    });
    expect((await putCells(staff, sheet, [cell(first, 70, null)])).status).toBe(200);
    const late = await putCells(admin, sheet, [cell(first, 60, null), cell(second, 50, null)]);
    expect(late.body).toMatchObject({
      ...{ version: 3, stored: 1, conflicts: [{ student_id: first, component_id, is: 70 }] },
      rows: [{ total: 70 }, { total: 50 }],
    });
    // Sent again, after its answer was lost.
    const again = await putCells(staff, sheet, [cell(first, 70, null)]);
    expect(again.body).toMatchObject({ version: 3, stored: 1, conflicts: [] });
    const emptied = await putCells(staff, sheet, [cell(first, null, '70')]);
    expect(emptied.body).toMatchObject({
      stored: 1,
      rows: [{ total: null, cells: { [component_id ?? 0]: null } }],
    });
  });

  test.for<[string, unknown, string]>([
    [
      'above the maximum',
      100.5,
      'The value must be a mark of 0 to 100 with at most two decimals, A, E or empty.',
    ],
    ['negative', -1, 'The value must be a mark of 0 to 100 with at most two decimals, A, E or empty.'],
    [
      'of three decimals',
      1.125,
      'The value must be a mark of 0 to 100 with at most two decimals, A, E or empty.',
    ],
    ['empty text', '', 'The value must be a mark, A, E or null.'],
    ['no number', 'ten', 'The value must be a mark, A, E or null.'],
  ])('refuse a value that is %s, and store nothing', async ([, value, text], { app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await createSheet(staff, own);
    const [component_id] = componentIds(sheet);
    const answer = await putCells(staff, sheet, [
      { student_id: own.ids[0], component_id, value: 5, was: null },
      { student_id: own.ids[1], component_id, value, was: null },
    ]);
    expect(getFieldErrors(answer)).toEqual({ 'cells.1.value': [text] });
    expect((await getSheet(staff, sheet.sheet_id)).version).toBe(1);
  });

  test('refuse cells that are named twice, of unknown students or of unknown components', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await createSheet(staff, own);
    const [component_id] = componentIds(sheet);
    const cell = { student_id: own.ids[0], component_id, value: 5, was: null };
    const answer = await putCells(staff, sheet, [
      cell,
      cell,
      { ...cell, student_id: 'nobody-1' },
      { ...cell, component_id: 999 },
    ]);
    expect(getFieldErrors(answer)).toEqual({
      'cells.1.value': ['The same cell is named twice.'],
      'cells.2.student_id': ['The student nobody-1 is not on the class list.'],
      'cells.3.component_id': ['The component is not one of the sheet.'],
    });
  });

  test('lose no cell that several people store at once', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 20);
    const sheet = await createSheet(staff, own);
    const [component_id] = componentIds(sheet);
    const answers = await Promise.all(
      own.ids.map((student_id, i) =>
        putCells(i % 2 === 0 ? staff : admin, sheet, [{ student_id, component_id, value: i, was: null }]),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows, version } = await getSheet(staff, sheet.sheet_id);
    expect(rows.map(({ total }) => total)).toEqual(own.ids.map((_, i) => i));
    expect(version).toBe(21);
  });

  test('change their set-up at their current version, and lose marks only when told so', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await fillSheet(staff, await createSheet(staff, own, { categories: FULL_SETUP }), [8]);
    const send = (etag: string, body: object) =>
      staff.call('PUT', getPath(sheet), { headers: { 'if-match': etag }, body });
    const { title, credits, categories } = sheet;
    const stale = await send('"g1"', { title: 'Other', credits, categories });
    expect(stale).toMatchObject({ status: 412, body: { current: { version: 2, title } } });
    const renamed = await send('"g2"', { title: 'Systems', credits: 4, categories });
    expect(renamed).toMatchObject({
      status: 200,
      body: { sheet: { title: 'Systems', credits: 4, version: 3 } },
    });
    expect(renamed.headers.etag).toBe('"g3"');

    const without = [
      { ...categories[0], best_of: null, components: categories[0]?.components.slice(1) },
      ...categories.slice(1),
    ];
    const update = { title, credits, categories: without };
    expect(getFieldErrors(await send('"g3"', update))).toEqual({
      categories: ['The categories leave out Quiz 1, which holds marks.'],
    });
    const discarded = await send('"g3"', { ...update, discard: true });
    expect(discarded.status, discarded.text).toBe(200);
    const after = await getSheet(staff, sheet.sheet_id);
    expect(Object.values(after.rows[0]?.cells ?? {})).toEqual(Array(10).fill(null));
    // A new component never gets the number of one that went.
    const added = await send('"g4"', {
      ...update,
      categories: [
        { ...without[0], components: [...(without[0]?.components ?? []), { name: 'New', max: 10 }] },
        ...without.slice(1),
      ],
    });
    expect(added.status, added.text).toBe(200);
    const numbers = componentIds(await getSheet(staff, sheet.sheet_id));
    expect(Math.max(...numbers)).toBeGreaterThan(Math.max(...componentIds(sheet)));
  });

  test('refuse full marks below a mark that is entered', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [80]);
    const { title, credits, categories } = sheet;
    const lower = categories.map((category) => ({
      ...category,
      components: category.components.map((component) => ({ ...component, max: 50 })),
    }));
    expect(getFieldErrors(await staff.put(getPath(sheet), { title, credits, categories: lower }))).toEqual({
      'categories.0.components.0.max': ['The max must not be below 80, the highest mark entered.'],
    });
  });

  test('add and remove students while they are drafts', async ({ app, admin, staff, viewer }) => {
    const own = await aClass({ app, admin }, 3);
    const [first, second, third] = own.ids;
    const sheet = await createSheet(staff, own, { ids: [first] });
    const students = `${getPath(sheet)}/students`;
    expect((await viewer.post(students, { ids: [second] })).status).toBe(403);
    expect((await staff.post(students, { ids: [first, third, second] })).status).toBe(200);
    expect(getFieldErrors(await staff.post(students, { ids: ['nobody-1'] }))).toEqual({
      ids: ['There is no student with ID nobody-1.'],
    });
    expect((await staff.delete(`${students}/${third}`)).status).toBe(200);
    expect((await staff.delete(`${students}/${third}`)).status).toBe(404);
    const { rows, version } = await getSheet(staff, sheet.sheet_id);
    expect(rows.map(({ student_id }) => student_id)).toEqual([first, second]);
    expect(version).toBe(3);
  });

  test('keep how a row ends and in which semester', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [80, 60]);
    const row = `${getPath(sheet)}/rows/${own.ids[1]}`;
    const saved = await staff.put(row, { status: 'withdrawn', reason: 'Left in May', semester: 3 });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        row: {
          ...{ status: 'withdrawn', reason: 'Left in May', semester: 3, letter: null, points: null },
          blocked: 'Semester 1 is not recorded yet.',
        },
      },
    });
    expect((await getSheet(staff, sheet.sheet_id)).stats).toEqual({ n: 1, mean: 80, std_dev: 0 });
    expect((await staff.put(row, { status: 'graded', reason: null, semester: null })).body).toMatchObject({
      row: { status: 'graded', semester: 1, letter: 'D+', points: 1.5, blocked: null },
    });
    expect(getFieldErrors(await staff.put(row, { status: 'failed' }))).toHaveProperty('status');
    expect((await staff.put(`${getPath(sheet)}/rows/nobody-1`, { status: 'graded' })).status).toBe(404);
  });

  test('refuse to overwrite what another user has set in a row', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [80]);
    const row = `${getPath(sheet)}/rows/${own.ids[0]}`;
    const was = { status: 'graded', reason: null, semester: 1 };
    const withdrawn = { status: 'withdrawn', reason: 'Left in May', semester: null };
    expect((await admin.put(row, { ...withdrawn, was })).status).toBe(200);
    const repeats = { status: 'graded', reason: null, semester: 3, was };
    expect(await staff.put(row, repeats)).toMatchObject({
      status: 412,
      body: {
        message: 'Another user changed this row while you were editing.',
        current: { ...withdrawn, student_id: own.ids[0], semester: 1 },
      },
    });
    // Sent again, after its answer was lost.
    expect((await admin.put(row, { ...withdrawn, was })).status).toBe(200);
    const onTop = { ...withdrawn, semester: 3, was: { ...withdrawn, semester: 1 } };
    expect((await staff.put(row, onTop)).body).toMatchObject({ row: { ...withdrawn, semester: 3 } });
    expect((await staff.put(row, { ...was, was: 'graded' })).status).toBe(422);
  });

  test('show why a row can’t be confirmed, early', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 2);
    const sheet = await createSheet(staff, own);
    expect((await staff.delete(`/api/students/${own.ids[0]}`)).status).toBeLessThan(300);
    const { rows } = await getSheet(staff, sheet.sheet_id);
    expect(rows.map(({ blocked }) => blocked)).toEqual(['The student is deleted.', null]);
  });

  test('keep a term from being deleted, and are deleted themselves as drafts', async ({
    app,
    admin,
    staff,
  }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await createSheet(staff, own);
    const term = `/api/terms/${own.term_id}`;
    expect(await admin.delete(term)).toMatchObject({
      status: 409,
      body: { message: 'This term has mark sheets, so it can’t be deleted.' },
    });
    expect((await staff.delete(getPath(sheet))).status).toBe(200);
    expect((await staff.get(getPath(sheet))).status).toBe(404);
    expect((await admin.delete(term)).status).toBe(200);
  });

  test('have a history entry for each change, in words', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 1);
    const sheet = await fillSheet(staff, await createSheet(staff, own), [80]);
    const { entries } = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
    );
    expect(entries).toMatchObject([
      {
        action: 'update',
        user: { id: staff.user.id },
        name: `Signals, CE-${own.degree}`,
        semester: null,
        changes: [{ label: `${own.ids[0]} · Final`, before: null, after: 80 }],
      },
      { action: 'create', user: { id: staff.user.id } },
    ]);
    await staff.delete(getPath(sheet));
    const deleted = historyReply.parse(
      (await admin.get(`/api/history?entity=sheet&entity_id=${sheet.sheet_id}`)).body,
    );
    expect(deleted.entries.map(({ name }) => name)).toEqual(Array(3).fill(`Signals, CE-${own.degree}`));
  });
});
