import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { fillClass, fillLargeClass, LARGE_CLASS } from '../../../../tests/support/app/fill-class.ts';
import {
  freshApps,
  getFieldErrors,
  type Person,
  sharedApps,
  type TestApp,
} from '../../../../tests/support/app/test-app.ts';
import { parseCsv } from '../../../../tests/support/csv.ts';
import { holdTransaction, waitUntilBlocked } from '../../../../tests/support/database/open-transaction.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { readSheets } from '../../../../tests/support/workbook.ts';
import type { StudentPage } from '../../../contract/students/student-list.ts';
import { lockTable } from '../../db/dialect/locks.ts';

const CSV = '/api/exports/students.csv';
const SOON = { timeout: 60_000 };
const XLSX = '/api/exports/students.xlsx';

const idsIn = (csv: string) =>
  parseCsv(csv)
    .slice(1)
    .map(([id]) => id);

/** The ids of all pages of the list. */
async function listedIds(person: Person, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`;
    const { students, next_cursor } = (await person.get(`/api/students?${query}${more}`)).body as StudentPage;
    ids.push(...students.map(({ id }) => id));
    cursor = next_cursor;
  }
  return ids;
}

const readEntries = async (app: TestApp, person: Person) =>
  (
    await app.db.read
      .selectFrom('history')
      .selectAll()
      .where('entity', '=', 'export')
      .where('user_id', '=', person.user.id)
      .orderBy('id')
      .execute()
  ).map(({ action, entity_id, after }) => ({
    action,
    id: entity_id,
    after: JSON.parse(after ?? 'null') as Record<string, unknown>,
  }));

/** Sends the request over a real connection and reads only the headers of the response. */
async function begin(app: TestApp, { token }: Person, path: string): Promise<IncomingMessage> {
  if (!app.app.server.listening) await app.app.listen({ port: 0 });
  const request = get(new URL(path, app.app.listeningOrigin), {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A connection closed by the test emits an error.
  response.on('error', () => {});
  onTestFinished(() => {
    response.destroy();
  });
  return response;
}

describe.each(sharedApps())('the export of students, on $name', ({ test }) => {
  test('has the values of the list and the record, as CSV', async ({ staff }) => {
    const student = aStudent({ first_name: '=Zoë, "Z"', phone_number: '+92-300-5550123', current_sem: 2 });
    const { id, degree } = student;
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily(id));
    const results = [{ title: 'Statics', credits: 3, grade: 'B+' }] as const;
    await staff.post('/api/students/academics', aSemester(id, 1, results));

    const answer = await staff.get(`${CSV}?q=${id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(/^attachment; filename="students-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'no-store',
      'x-total-rows': '1',
      'x-total-is': 'exact',
    });
    expect(parseCsv(answer.text)).toEqual([
      [
        ...['ID', 'First Name', 'Last Name', 'Date of Birth', 'Gender', 'Department', 'Degree', 'Syndicate'],
        ...[
          'Current Semester',
          'Status',
          'Status Since',
          'Standing',
          'CGPA',
          'CGPA after Semester',
          'Final CGPA',
          'FSC Marks',
          'Matric Marks',
          'Phone',
          "Father's Name",
          "Father's Phone",
        ],
        'Entry complete',
      ],
      [
        ...[
          id,
          `'=Zoë, "Z"`,
          'Siddiqui',
          '2005-03-14',
          'F',
          'CE',
          degree,
          'B',
          '2',
          'Active',
          '',
          'Good standing',
        ],
        ...['3.5', '1', '', '935', '987.5'],
        ...["'+92-300-5550123", 'Imran Siddiqui', '0300-5550101', 'Yes'],
      ],
    ]);
    const forExcel = await staff.get(`${CSV}?q=${id}&bom=true`);
    expect(forExcel.text).toBe(`\uFEFF${answer.text}`);
  });

  test('has semicolons between the cells if requested, by query or by body', async ({ staff }) => {
    const { id } = aStudent();
    await staff.post('/api/students', aStudent({ id }));
    const byQuery = await staff.get(`${CSV}?q=${id}&separator=semicolon`);
    expect(byQuery.text).toMatch(new RegExp(`^ID;First Name;.+\r\n${id};Ayesha;Siddiqui;2005-03-14;`));
    const byBody = await staff.post(CSV, { selection: { ids: [id] }, separator: 'semicolon' });
    expect(byBody.text).toBe(byQuery.text);
    expect(getFieldErrors(await staff.get(`${CSV}?separator=%3B`))).toEqual({
      separator: ['The separator must be one of comma, semicolon.'],
    });
  });

  test('has the columns that are named, in the order of the list', async ({ staff }) => {
    const { id } = aStudent();
    await staff.post('/api/students', aStudent({ id }));
    const columns = ['cgpa', 'id', 'last_name'];
    const rows = [
      ['ID', 'Last Name', 'CGPA'],
      [id, 'Siddiqui', ''],
    ];
    expect(parseCsv((await staff.get(`${CSV}?q=${id}&columns=${columns}`)).text)).toEqual(rows);
    const byBody = await staff.post(CSV, { selection: { ids: [id] }, columns });
    expect(parseCsv(byBody.text)).toEqual(rows);
    expect(getFieldErrors(await staff.get(`${CSV}?columns=id,password`))).toHaveProperty('columns');
    expect(getFieldErrors(await staff.post(CSV, { columns: [] }))).toEqual({
      columns: ['The columns must name at least one column.'],
    });
    expect(getFieldErrors(await staff.get(`${CSV}?results=all`))).toEqual({
      results: ['The results must be one of none, subjects, courses.'],
    });
  });

  test('has a row for each subject, or a column for each course with its grades', async ({ staff }) => {
    const course = aCourse();
    await staff.post('/api/courses', course);
    const [{ id }, other] = [aStudent(), aStudent()];
    for (const student of [{ id, current_sem: 2 }, other]) {
      await staff.post('/api/students', aStudent(student));
      await staff.post('/api/students/family', aFamily(student.id));
    }
    const statics = { title: 'Statics', credits: 3, grade: 'F' } as const;
    const ethics = { title: 'Ethics', credits: 2, grade: 'B+' } as const;
    const ofCourse = { subject_1_id: course.course_id };
    await staff.post('/api/students/academics', { ...aSemester(id, 1, [statics, ethics]), ...ofCourse });
    await staff.post('/api/students/academics', {
      ...aSemester(id, 2, [{ ...statics, grade: 'C' }]),
      ...ofCourse,
    });

    const ask = async (results: string) =>
      parseCsv(
        (await staff.post(CSV, { selection: { ids: [id, other.id] }, columns: ['id'], results })).text,
      );
    const { course_code: code, course_id } = course;
    const [titles, ...rows] = await ask('subjects');
    expect(titles).toEqual([
      ...['ID', 'Semester', 'Course Code', 'Course ID', 'Subject', 'Credits', 'Grade', 'Grade Points'],
    ]);
    expect(rows.filter(([own]) => own === id)).toEqual([
      [id, '1', code, String(course_id), 'Statics', '3', 'F', '0'],
      [id, '1', '', '', 'Ethics', '2', 'B+', '3.5'],
      [id, '2', code, String(course_id), 'Statics', '3', 'C', '2'],
    ]);
    expect(rows.filter(([own]) => own === other.id)).toEqual([[other.id, '', '', '', '', '', '', '']]);

    const [heads = [], ...students] = await ask('courses');
    expect(heads.toSorted()).toEqual(['Ethics', 'ID', code].toSorted());
    const cells = (student: string) =>
      Object.fromEntries(
        (students.find(([own]) => own === student) ?? []).map((cell, i) => [heads[i], cell]),
      );
    expect(cells(id)).toEqual({ ID: id, Ethics: 'B+', [code]: 'F, C' });
    expect(cells(other.id)).toEqual({ ID: other.id, Ethics: '', [code]: '' });
  });

  test('refuses a value that is not an object', async ({ staff }) => {
    for (const value of [null, 'all', 5, ['x']]) {
      expect(getFieldErrors(await staff.post(CSV, { selection: value, view: value }))).toEqual({
        selection: ['The selection must be an object.'],
        view: ['The view must be an object.'],
      });
      const bulk = { action: 'delete', filter: value };
      expect(getFieldErrors(await staff.post('/api/students/bulk/preview', bulk))).toEqual({
        filter: ['The filter must be an object.'],
      });
    }
    expect(getFieldErrors(await staff.post(CSV, { selection: { all: true } }))).toEqual({
      selection: ['The selection must not hold all.'],
    });
  });

  test('is available as a workbook', async ({ app, staff }) => {
    const degree = await fillClass(app.db.write, 3);
    const { headers, rawPayload } = await app.app.inject({
      url: `${XLSX}?degree=${degree}`,
      headers: { authorization: `Bearer ${staff.token}` },
    });
    expect(headers['content-disposition']).toMatch(/students-\d{4}-\d\d-\d\d\.xlsx"$/);
    const [sheet] = readSheets(rawPayload);
    expect(sheet?.rows.slice(1).map(([id]) => id)).toEqual([2, 1, 0].map((i) => `${degree}-${i}`));
  });

  test('has every row of the view in order, over many pages', async ({ app, viewer }) => {
    const degree = await fillClass(app.db.write, 1003);
    for (const view of [
      '',
      '&sort=id',
      '&sort=name&direction=descending',
      `&q=${degree}`,
      '&q=ayesha&sort=dob',
    ]) {
      const query = `degree=${degree}${view}`;
      const ids = idsIn((await viewer.get(`${CSV}?${query}`)).text);
      expect(ids, view).toHaveLength(1003);
      expect(ids, view).toEqual(await listedIds(viewer, query));
    }
  });

  test('has only the named students, or all but those, by query or by body', async ({ app, viewer }) => {
    const degree = await fillClass(app.db.write, 12);
    const named = [3, 11, 7].map((i) => `${degree}-${i}`);
    const rest = [10, 9, 8, 6, 5, 4, 2, 1, 0].map((i) => `${degree}-${i}`);
    const both = async (selection: { ids?: string[]; except?: string[] }, view = {}) => {
      const query = new URLSearchParams({ ...view, degree });
      for (const [name, ids] of Object.entries(selection)) query.set(name, ids.join(','));
      const byQuery = await viewer.get(`${CSV}?${query}`);
      const byBody = await viewer.post(CSV, { view: { ...view, degree }, selection });
      expect([byQuery.status, byBody.status], byBody.text).toEqual([200, 200]);
      expect(byBody.text).toBe(byQuery.text);
      expect(Number(byQuery.headers['x-total-rows'])).toBe(idsIn(byQuery.text).length);
      return idsIn(byQuery.text);
    };
    expect(await both({ ids: [...named, 'nobody'] })).toEqual([11, 7, 3].map((i) => `${degree}-${i}`));
    // Named students are exported regardless of the filters.
    expect(await both({ ids: named }, { sort: 'id', department: 'EE' })).toEqual(
      [3, 7, 11].map((i) => `${degree}-${i}`),
    );
    expect(await both({ except: named })).toEqual(rest);
  });

  test('reports invalid parameters', async ({ app, staff }) => {
    const errors = async (query: string) => getFieldErrors(await staff.get(`${CSV}?${query}`));
    expect(await errors('department=XX')).toEqual({
      department: ['The department must be one of EE, CE, ME, MTS.'],
    });
    expect(await errors('ids=1&except=2')).toEqual({
      except: ['The except must not be given together with ids.'],
    });
    expect(await errors('ids=')).toHaveProperty('ids');
    expect(await errors('cursor=x')).not.toEqual({});
    const many = await staff.post(CSV, { selection: { ids: Array.from({ length: 5001 }, String) } });
    expect(getFieldErrors(many)).toEqual({
      selection: [expect.stringMatching(/^At most 5,000 students can be named/)],
    });
    expect((await app.call('GET', CSV)).status).toBe(401);
    const head = await staff.call('HEAD', CSV);
    expect([head.status, head.headers.allow]).toEqual([405, 'GET, POST']);
  });

  test('is recorded in the history with user, view and number of rows', async ({ app }) => {
    const person = await app.register();
    const degree = await fillClass(app.db.write, 2);
    const answer = await person.get(`${CSV}?degree=${degree}&sort=name`);
    const id = answer.headers['x-export-id'];
    await vi.waitUntil(async () => (await readEntries(app, person)).length === 2, SOON);
    const view = { degree, sort: 'name' };
    expect(await readEntries(app, person)).toEqual([
      { action: 'create', id, after: { format: 'csv', view, total: 2, total_is: 'exact' } },
      { action: 'update', id, after: { rows: 2, is_whole: true } },
    ]);
    expect((await person.get(`/api/exports/${id}/progress`)).body).toEqual({
      rows: 2,
      bytes: Buffer.byteLength(answer.text),
      total: 2,
      total_is: 'exact',
    });
  });

  test('stops when the client disconnects, and is limited to three per user', async ({ app, staff }) => {
    const person = await app.register();
    const degree = await fillLargeClass(app.db.write);
    const url = `${CSV}?degree=${degree}`;
    const running = await Promise.all([1, 2, 3].map(() => begin(app, person, url)));
    const fourth = await person.get(url);
    expect([fourth.status, fourth.headers['retry-after']]).toEqual([429, '10']);

    const [first] = running;
    const progress = `/api/exports/${first?.headers['x-export-id']}/progress`;
    expect((await person.get(progress)).body).toMatchObject({ total: LARGE_CLASS, total_is: 'exact' });
    expect((await staff.get(progress)).status).toBe(404);

    for (const response of running) response.destroy();
    await vi.waitUntil(async () => (await readEntries(app, person)).length === 6, SOON);
    const ended = (await readEntries(app, person)).filter(({ action }) => action === 'update');
    for (const { after } of ended) {
      expect(after).toMatchObject({ is_whole: false });
      expect(after.rows).toBeLessThan(LARGE_CLASS);
    }
    expect((await person.get(`${url}&q=${degree}-7`)).status).toBe(200);
  });
});

describe.each(freshApps())('the end of an export, on $name', ({ test }) => {
  test('is recorded before the application closes', async ({ app, admin }) => {
    const degree = await fillLargeClass(app.db.write);
    const response = await begin(app, admin, `${CSV}?degree=${degree}`);
    const release = await holdTransaction(app.db.write, (tx) => lockTable(tx, 'history'));
    response.destroy();
    let isClosed = false;
    const closing = app.app.close().then(() => {
      isClosed = true;
    });
    await vi.waitUntil(() => !app.app.server.listening, SOON);
    await waitUntilBlocked(app.db.read);
    expect(isClosed).toBe(false);
    await Promise.all([release(), closing]);
    expect(await readEntries(app, admin)).toMatchObject([
      { action: 'create' },
      { action: 'update', after: { is_whole: false } },
    ]);
  });
});

describe.each(freshApps())('a failed export, on $name', ({ test }) => {
  test('does not look complete', async ({ app, admin }) => {
    const degree = await fillLargeClass(app.db.write);
    const response = await begin(app, admin, `${CSV}?degree=${degree}`);
    await sql`alter table families rename to elsewhere`.execute(app.db.write);
    await expect(text(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    // A failure before the first row gets an ordinary error reply.
    const refused = await admin.get(CSV);
    expect([refused.status, refused.body]).toMatchObject([500, { message: expect.any(String) as unknown }]);
  });
});
