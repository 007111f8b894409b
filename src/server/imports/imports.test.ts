import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import {
  importRows,
  listRows,
  prepareImport,
  previewRows,
  toCsv,
  uploadFile,
} from '../../../tests/support/app/import-file.ts';
import { freshApps, getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { IMPORT_KINDS, importListReply, importReply, importRowsReply } from '../../contract/imports.ts';
import { EXPORT_FORMATS } from '../../contract/students/export.ts';
import { analyzeTables, isPostgres } from '../db/dialect/sql.ts';
import { lockBulkChanges } from '../students/bulk/apply.ts';
import { deleteExpiredImports } from './upload.ts';

const aCourseRow = (course_id: number, changes: object = {}) => ({
  course_id,
  course_code: `ME-${course_id}`,
  course_name: 'Statics',
  ...changes,
});

const courseIds = async (by: Person) =>
  ((await by.get('/api/courses')).body as { course_id: number }[]).map(({ course_id }) => course_id);

const readState = async (by: Person, id: number) =>
  importReply.parse((await by.get(`/api/imports/${id}`)).body).state;

describe.each(freshApps())('an import, on $name', ({ test }) => {
  // Covers A131
  test('of many rows is not planned by a server as if its table were small', async ({ app, staff }) => {
    const rows = Array.from({ length: 1_000 }, (_, i) => aCourseRow(i + 1));
    await uploadFile(staff, 'courses', toCsv(rows.slice(0, 3)));
    await analyzeTables(app.db.write);
    await uploadFile(staff, 'courses', toCsv(rows));
    if (!isPostgres(app.db.read)) return;
    const { rows: known } = await sql<{ reltuples: number }>`
      select reltuples from pg_class where oid = 'import_rows'::regclass`.execute(app.db.read);
    expect(known[0]?.reltuples).toBeGreaterThanOrEqual(rows.length);
  });

  test('says what the file has, and remembers the columns that somebody chose', async ({ staff, admin }) => {
    const file = toCsv([{ 'Course ID': 1, Abbreviation: 'ME-1', Title: 'Statics', Since: '01/02/2024' }]);
    const uploaded = await uploadFile(staff, 'courses', file, { name: 'C:\\old\\courses 2026.csv' });
    expect(uploaded).toMatchObject({
      ...{ kind: 'courses', state: 'uploaded', file_name: 'courses 2026.csv', rows: 1, delimiter: ',' },
      ...{
        created_by: { id: staff.user.id },
        counts: null,
        choices: null,
        fingerprint: null,
        heading_line: 1,
      },
    });
    expect(uploaded.columns.map(({ field }) => field)).toEqual(['course_id', null, 'course_name', null]);
    expect(uploaded.columns[3]).toMatchObject({ samples: ['01/02/2024'], ambiguous: true });
    const missing = await staff.post(`/api/imports/${uploaded.import_id}/preview`, {});
    expect(getFieldErrors(missing)).toEqual({
      mapping: ['Course code is required: choose a column for it, or a value for all rows.'],
    });
    expect(missing.body).toMatchObject({ unmapped_required: ['course_code'], ambiguous_columns: [] });

    const mapping = { course_id: 0, course_code: 1, course_name: 2 };
    await previewRows(staff, uploaded, { mapping });
    const fields = async (by: Person) =>
      (await uploadFile(by, 'courses', file)).columns.map(({ field }) => field);
    expect(await fields(staff)).toEqual(['course_id', 'course_code', 'course_name', null]);
    expect(await fields(admin)).toEqual(['course_id', null, 'course_name', null]);
  });

  test('stores nothing while a row is refused, or only the others where that is chosen', async ({
    staff,
  }) => {
    const rows = [aCourseRow(1), aCourseRow(2, { course_name: '' })];
    const { id, preview } = await prepareImport(staff, 'courses', rows);
    const { fingerprint } = preview;
    const url = `/api/imports/${id}/apply`;
    expect(await staff.post(url, { fingerprint })).toMatchObject({
      status: 409,
      body: { message: '1 row is refused. Correct them, or import only the others.' },
    });
    expect(await courseIds(staff)).toEqual([]);
    expect(await staff.post(url, { fingerprint, partial: true })).toMatchObject({
      status: 200,
      body: {
        message: 'The import is done: 1 new, 1 left out.',
        import: { partial: true, state: 'applied' },
      },
    });
    expect(await courseIds(staff)).toEqual([1]);
    expect((await staff.post(url, { fingerprint, partial: true })).status).toBe(409);
    expect((await staff.post(`/api/imports/${id}/preview`, {})).status).toBe(409);
    expect((await staff.post(`/api/imports/${id}/cancel`, {})).status).toBe(409);
  });

  test('answers 412 with the preview as it is now', async ({ staff }) => {
    const { id, preview } = await prepareImport(staff, 'courses', [aCourseRow(1), aCourseRow(2)]);
    const url = `/api/imports/${id}/apply`;
    expect(getFieldErrors(await staff.post(url, {}))).toEqual({
      fingerprint: ['The fingerprint field is required.'],
    });
    expect((await staff.post(url, { fingerprint: 'other' })).status).toBe(412);
    await staff.post('/api/courses', aCourseRow(1, { course_name: 'Dynamics' }));
    const stale = await staff.post(url, { fingerprint: preview.fingerprint });
    expect(stale).toMatchObject({ status: 412, body: { current: { counts: { create: 1, update: 1 } } } });
    expect(await courseIds(staff)).toEqual([1]);
    const { fingerprint } = (stale.body as { current: { fingerprint: string } }).current;
    expect((await staff.post(url, { fingerprint })).status).toBe(200);
    expect(await courseIds(staff)).toEqual([1, 2]);
  });

  test('that was never previewed is previewed before it is applied', async ({ staff }) => {
    const { import_id } = await uploadFile(staff, 'courses', toCsv([aCourseRow(1)]));
    expect((await staff.get(`/api/imports/${import_id}/rows`)).status).toBe(409);
    expect((await staff.get(`/api/imports/${import_id}/refused.csv`)).status).toBe(409);
    const answer = await staff.post(`/api/imports/${import_id}/apply`, { fingerprint: 'none' });
    expect(answer).toMatchObject({ status: 412, body: { current: { counts: { create: 1 } } } });
    expect(await courseIds(staff)).toEqual([]);
  });

  test('lists its rows by pages, states and words', async ({ staff }) => {
    const rows = [1, 2, 3, 4, 5].map((id) => aCourseRow(id, id % 2 === 0 ? { course_name: '' } : {}));
    const { id } = await prepareImport(staff, 'courses', rows);
    const lines = async (query: string) => (await listRows(staff, id, query)).map(({ line }) => line);
    expect(await lines('')).toEqual([2, 3, 4, 5, 6]);
    expect(await lines('?state=refused')).toEqual([3, 5]);
    expect(await lines('?order=refused-first')).toEqual([3, 5, 2, 4, 6]);
    expect(await lines('?q=me-4')).toEqual([5]);
    const paged: number[] = [];
    for (let cursor = ''; ; ) {
      const url = `/api/imports/${id}/rows?order=refused-first&limit=2${cursor}`;
      const page = importRowsReply.parse((await staff.get(url)).body);
      paged.push(...page.rows.map(({ line }) => line));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual([3, 5, 2, 4, 6]);
    expect((await staff.get(`/api/imports/${id}/rows?cursor=abc`)).status).toBe(422);
  });

  test('gives the refused rows as a file that can be corrected and sent again', async ({ staff }) => {
    const file = 'Course ID,Course code,Course name,Room\n1,=1+1,Statics,A\n2,ME-2,,"B, 2"\n';
    const uploaded = await uploadFile(staff, 'courses', file);
    await previewRows(staff, uploaded);
    const { text, headers } = await staff.get(`/api/imports/${uploaded.import_id}/refused.csv`);
    expect(headers['content-type']).toContain('text/csv');
    expect(text).toBe(
      '\uFEFFCourse ID,Course code,Course name,Room,_line,_errors\r\n2,ME-2,,"B, 2",3,The course name field is required.\r\n',
    );
    const again = await uploadFile(staff, 'courses', text.replace('ME-2,,', 'ME-2,Dynamics,'));
    expect((await previewRows(staff, again)).counts).toMatchObject({ create: 1, refused: 0 });
  });

  test('that is cancelled stores nothing, until it is previewed again', async ({ staff }) => {
    const { id, preview } = await prepareImport(staff, 'courses', [aCourseRow(1)]);
    expect(await staff.post(`/api/imports/${id}/cancel`, {})).toMatchObject({
      status: 200,
      body: { import: { state: 'cancelled' } },
    });
    const apply = () => staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    expect((await apply()).status).toBe(409);
    await previewRows(staff, { import_id: id });
    expect((await apply()).status).toBe(200);
  });

  test('can be cancelled while it is being applied', async ({ app, staff }) => {
    const rows = Array.from({ length: 400 }, (_, i) => aCourseRow(i + 1));
    const { id, preview } = await prepareImport(staff, 'courses', rows);
    // Another transaction holds what the import needs first, so that it waits there.
    let holder: Promise<void> | undefined;
    let release = () => {};
    const isOver = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isHeld = new Promise<void>((resolve, reject) => {
      holder = app.db.write
        .transaction()
        .execute(async (tx) => {
          await lockBulkChanges(tx);
          resolve();
          await isOver;
        })
        .catch(reject);
    });
    await isHeld;
    const applying = staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    await expect.poll(() => readState(staff, id)).toBe('applying');
    expect((await staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint })).status).toBe(
      409,
    );
    expect((await staff.post(`/api/imports/${id}/preview`, {})).status).toBe(409);
    const cancelling = staff.post(`/api/imports/${id}/cancel`, {});
    release();
    await holder;
    expect(await applying).toMatchObject({
      status: 409,
      body: { message: 'The import was cancelled. Nothing was stored.' },
    });
    expect((await cancelling).status).toBe(200);
    expect(await readState(staff, id)).toBe('cancelled');
    expect(await courseIds(staff)).toEqual([]);
  });

  test('runs after another one that is applied at the same time', async ({ staff, admin }) => {
    const first = await prepareImport(staff, 'courses', [aCourseRow(1), aCourseRow(2)]);
    const second = await prepareImport(admin, 'courses', [aCourseRow(2), aCourseRow(3)]);
    const answers = await Promise.all([
      staff.post(`/api/imports/${first.id}/apply`, { fingerprint: first.preview.fingerprint }),
      admin.post(`/api/imports/${second.id}/apply`, { fingerprint: second.preview.fingerprint }),
    ]);
    // Both have course 2, so the later one has to be looked at again.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await courseIds(staff)).toHaveLength(2);
  });

  test('is applied once by two calls at the same time', async ({ staff }) => {
    const { id, preview } = await prepareImport(staff, 'courses', [aCourseRow(1)]);
    const apply = () => staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    const statuses = (await Promise.all([apply(), apply()])).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409]);
    expect(await courseIds(staff)).toEqual([1]);
  });

  test('is shown as it is after the process that applied it has died', async ({ app, staff }) => {
    const { id, preview } = await prepareImport(staff, 'courses', [aCourseRow(1)]);
    const report = (seconds: number) =>
      app.db.write
        .updateTable('imports')
        .set({ done: 1, seen_at: new Date(Date.now() - seconds * 1_000).toISOString() })
        .where('id', '=', id)
        .execute();
    await report(1);
    expect(importReply.parse((await staff.get(`/api/imports/${id}`)).body)).toMatchObject({
      state: 'applying',
      progress: { done: 1, of: 1 },
    });
    const apply = () => staff.post(`/api/imports/${id}/apply`, { fingerprint: preview.fingerprint });
    expect((await apply()).status).toBe(409);
    await report(60);
    expect(await readState(staff, id)).toBe('previewed');
    expect((await apply()).status).toBe(200);
  });

  // Covers A100
  test('is seen by all staff, its rows and its use by the owner and administrators only', async ({
    app,
    staff,
    admin,
    viewer,
  }) => {
    const other = await app.register();
    const { id, preview } = await prepareImport(other, 'courses', [aCourseRow(1)]);
    const { fingerprint } = preview;
    const calls = [
      ['GET', 'rows', undefined],
      ['GET', 'refused.csv', undefined],
      ['GET', 'undo', undefined],
      ['POST', 'preview', {}],
      ['POST', 'cancel', {}],
      ['POST', 'apply', { fingerprint }],
      ['POST', 'undo', { fingerprint }],
    ] as const;
    for (const by of [staff, viewer]) {
      for (const [method, call, body] of calls) {
        const answer = await by.call(method, `/api/imports/${id}/${call}`, { ...(body && { body }) });
        expect(answer.status, `${method} ${call}`).toBe(403);
      }
    }
    const shown = async (by: Person) => importReply.parse((await by.get(`/api/imports/${id}`)).body);
    expect(await shown(staff)).toMatchObject({ state: 'previewed', choices: null });
    expect((await shown(staff)).columns.map(({ samples }) => samples)).toEqual([[], [], []]);
    expect((await shown(other)).columns.map(({ samples }) => samples)).toEqual([
      ['1'],
      ['ME-1'],
      ['Statics'],
    ]);
    expect(importListReply.parse((await staff.get('/api/imports')).body)).toMatchObject([
      { import_id: id, created_by: { id: other.user.id } },
    ]);
    for (const url of ['', `/${id}`, '/templates/courses.csv', '/templates/courses.xlsx']) {
      expect((await viewer.get(`/api/imports${url}`)).status).toBe(403);
    }
    expect((await viewer.post('/api/imports', { kind: 'courses', text: 'a\n1' })).status).toBe(403);
    expect((await admin.post(`/api/imports/${id}/apply`, { fingerprint })).status).toBe(200);
    for (const call of ['', '/rows', '/undo']) {
      expect((await other.get(`/api/imports/9999${call}`)).status).toBe(404);
    }
  });

  test('is made once by a call that is repeated', async ({ staff }) => {
    const send = () =>
      staff.call('POST', '/api/imports', {
        body: { kind: 'courses', text: toCsv([aCourseRow(1)]) },
        headers: { 'idempotency-key': 'one' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(importListReply.parse((await staff.get('/api/imports')).body)).toHaveLength(1);
  });

  test('that was not applied is deleted after a day', async ({ app, staff }) => {
    const { id } = await prepareImport(staff, 'courses', [aCourseRow(1)]);
    const applied = await importRows(staff, 'courses', [aCourseRow(2)]);
    const day = 24 * 3_600_000;
    await app.db.write
      .updateTable('imports')
      .set({ created_at: new Date(Date.now() - day - 1_000).toISOString() })
      .execute();
    expect((await staff.get(`/api/imports/${id}`)).status).toBe(404);
    await deleteExpiredImports(app.db.write, () => false);
    const rows = await app.db.read.selectFrom('import_rows').select('import_id').distinct().execute();
    expect(rows).toEqual([{ import_id: applied.import_id }]);
    expect(importListReply.parse((await staff.get('/api/imports')).body)).toMatchObject([
      { import_id: applied.import_id, state: 'applied' },
    ]);
  });
});

/** A correction of a line. */
const fixOf = (line: number) => ({ line, field: 'course_name', value: 'Optics' });

// Nothing of these is applied.
describe.each(sharedApps())('the file and the choices of an import, on $name', ({ test }) => {
  test('lack the order of dates that can be read both ways', async ({ staff }) => {
    const uploaded = await uploadFile(staff, 'students', 'CMS ID,DOB\nI-1,01/02/2005\n');
    const url = `/api/imports/${uploaded.import_id}/preview`;
    const asked = await staff.post(url, { mode: 'update' });
    expect(asked).toMatchObject({ status: 422, body: { unmapped_required: [], ambiguous_columns: [1] } });
    expect(Object.keys(getFieldErrors(asked))).toEqual(['date_orders']);
    expect((await staff.post(url, { mode: 'update', date_orders: { 1: 'day-first' } })).status).toBe(200);
  });

  test.for([
    [{ mapping: { nothing: 0 } }, 'mapping', 'There is no field nothing.'],
    [{ mapping: { course_id: 9 } }, 'mapping', 'There is no column 9.'],
    [{ mapping: { course_id: 0, course_code: 0 } }, 'mapping', 'A column can be read as one field only.'],
    [{ values: { nothing: '1' } }, 'values', 'There is no field nothing.'],
    [{ values: { course_id: '1' } }, 'values', 'The field course_id has a column already.'],
    [{ date_orders: { 9: 'day-first' } }, 'date_orders', 'There is no column 9.'],
    [{ fixes: [{ line: 2, field: 'no', value: '' }] }, 'fixes', 'There is no field no.'],
    [{ fixes: [fixOf(2), fixOf(99)] }, 'fixes', 'The file has no row in line 99.'],
    [{ fixes: [fixOf(7), fixOf(1), fixOf(7)] }, 'fixes', 'The file has no rows in lines 1, 7.'],
  ] as const)('are refused for the choice %j', async ([choice, field, text], { staff }) => {
    const { import_id } = await uploadFile(staff, 'courses', toCsv([aCourseRow(1)]));
    expect(getFieldErrors(await staff.post(`/api/imports/${import_id}/preview`, choice))).toEqual({
      [field]: [text],
    });
  });

  test('may have members that no call knows', async ({ staff }) => {
    const { import_id } = await uploadFile(staff, 'courses', toCsv([aCourseRow(1)]));
    const url = `/api/imports/${import_id}`;
    const fixes = [{ ...fixOf(2), note: 'as the dean says' }];
    expect((await staff.post(`${url}/preview`, { comment: '', fixes })).status).toBe(200);
    for (const call of ['apply', 'undo']) {
      const refused = getFieldErrors(await staff.post(`${url}/${call}`, { comment: '' }));
      expect(refused).toEqual({ fingerprint: ['The fingerprint field is required.'] });
    }
  });

  test.for([
    [{ kind: 'courses' }, 'file'],
    [{ kind: 'courses', text: '  ' }, 'file'],
    [{ kind: 'marks', text: 'Marks\n1' }, 'course_id'],
    [{ kind: 'marks', text: 'Marks\n1', course_id: 9 }, 'course_id'],
    [{ kind: 'people', text: 'a\n1' }, 'kind'],
    [{ kind: 'courses', text: 'Course ID,Course code,Course name' }, 'text'],
  ] as const)('are refused for %j', async ([body, field], { app, staff }) => {
    const imports = () => app.db.read.selectFrom('imports').select('id').orderBy('id').execute();
    const before = await imports();
    expect(Object.keys(getFieldErrors(await staff.post('/api/imports', body)))).toEqual([field]);
    expect(await imports()).toEqual(before);
  });

  test('have a template of each kind as CSV and as a workbook', async ({ staff }) => {
    for (const kind of IMPORT_KINDS) {
      for (const format of EXPORT_FORMATS) {
        const answer = await staff.get(`/api/imports/templates/${kind}.${format}`);
        expect(answer.status, answer.text).toBe(200);
        expect(answer.headers['content-disposition']).toBe(`attachment; filename="${kind}.${format}"`);
        expect(answer.text.startsWith('PK')).toBe(format === 'xlsx');
        expect(answer.text).not.toBe('');
      }
    }
    expect((await staff.get('/api/imports/templates/students.ods')).status).toBe(404);
  });
});
