import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { errorsOf, freshApps, type Person, sharedApps, type TestApp } from '../../../../tests/support/app.ts';
import { parseCsv } from '../../../../tests/support/csv.ts';
import { fillClass, fillClassWithMuch } from '../../../../tests/support/fill-class.ts';
import { heldOpen } from '../../../../tests/support/held-open.ts';
import { aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { sheetsOf } from '../../../../tests/support/workbook.ts';
import type { StudentPage } from '../../../contract/student-list.ts';
import { holdTable } from '../../db/dialect.ts';

const CSV = '/api/exports/students.csv';
const SOON = { timeout: 10_000 };
const XLSX = '/api/exports/students.xlsx';

const idsIn = (csv: string) =>
  parseCsv(csv)
    .slice(1)
    .map(([id]) => id);

/** Every page of the list one after the other. */
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

const entriesOf = async (app: TestApp, person: Person) =>
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

/** Asks over a connection, and reads nothing of the answer but its head. */
async function begin(app: TestApp, { token }: Person, path: string): Promise<IncomingMessage> {
  if (!app.app.server.listening) await app.app.listen({ port: 0 });
  const request = get(new URL(path, app.app.listeningOrigin), {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // What is left of a connection that is broken off on purpose.
  response.on('error', () => {});
  onTestFinished(() => {
    response.destroy();
  });
  return response;
}

describe.each(sharedApps())('the export of students, on $name', ({ test }) => {
  test('has what the list and the record tell, as CSV', async ({ staff }) => {
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
          'CGPA',
          'FSC Marks',
          'Matric Marks',
          'Phone',
          "Father's Name",
          "Father's Phone",
        ],
        'Entry complete',
      ],
      [
        ...[id, `'=Zoë, "Z"`, 'Siddiqui', '2005-03-14', 'F', 'CE', degree, 'B', '2', '3.5', '935', '987.5'],
        ...["'+92-300-5550123", 'Imran Siddiqui', '0300-5550101', 'Yes'],
      ],
    ]);
    const forExcel = await staff.get(`${CSV}?q=${id}&bom=true`);
    expect(forExcel.text).toBe(`\uFEFF${answer.text}`);
  });

  test('is a workbook too', async ({ app, staff }) => {
    const degree = await fillClass(app.db.write, 3);
    const { headers, rawPayload } = await app.app.inject({
      url: `${XLSX}?degree=${degree}`,
      headers: { authorization: `Bearer ${staff.token}` },
    });
    expect(headers['content-disposition']).toMatch(/students-\d{4}-\d\d-\d\d\.xlsx"$/);
    const [sheet] = sheetsOf(rawPayload);
    expect(sheet?.rows.slice(1).map(([id]) => id)).toEqual([2, 1, 0].map((i) => `${degree}-${i}`));
  });

  test('has every row of the view in its order, over many pages', async ({ app, viewer }) => {
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

  test('has the named students alone, or all but those, whichever way they are named', async ({
    app,
    viewer,
  }) => {
    const degree = await fillClass(app.db.write, 12);
    const named = [3, 11, 7].map((i) => `${degree}-${i}`);
    const rest = [10, 9, 8, 6, 5, 4, 2, 1, 0].map((i) => `${degree}-${i}`);
    const both = async (selection: { ids?: string[]; except?: string[] }, view = {}) => {
      const query = new URLSearchParams({ ...view, degree });
      for (const [name, ids] of Object.entries(selection)) query.set(name, ids.join(','));
      const byAddress = await viewer.get(`${CSV}?${query}`);
      const byBody = await viewer.post(CSV, { view: { ...view, degree }, selection });
      expect([byAddress.status, byBody.status], byBody.text).toEqual([200, 200]);
      expect(byBody.text).toBe(byAddress.text);
      expect(Number(byAddress.headers['x-total-rows'])).toBe(idsIn(byAddress.text).length);
      return idsIn(byAddress.text);
    };
    expect(await both({ ids: [...named, 'nobody'] })).toEqual([11, 7, 3].map((i) => `${degree}-${i}`));
    // What is chosen stays chosen, whatever the list is narrowed to meanwhile.
    expect(await both({ ids: named }, { sort: 'id', department: 'EE' })).toEqual(
      [3, 7, 11].map((i) => `${degree}-${i}`),
    );
    expect(await both({ except: named })).toEqual(rest);
  });

  test('is refused with what is wrong', async ({ app, staff }) => {
    const errors = async (query: string) => errorsOf(await staff.get(`${CSV}?${query}`));
    expect(await errors('department=XX')).toEqual({
      department: ['The department must be one of EE, CE, ME, MTS.'],
    });
    expect(await errors('ids=1&except=2')).toEqual({
      except: ['The except must not be given together with ids.'],
    });
    expect(await errors('ids=')).toHaveProperty('ids');
    expect(await errors('cursor=x')).not.toEqual({});
    const many = await staff.post(CSV, { selection: { ids: Array.from({ length: 5001 }, String) } });
    expect(errorsOf(many)).toEqual({
      selection: [expect.stringMatching(/^At most 5,000 students can be named/)],
    });
    expect((await app.call('GET', CSV)).status).toBe(401);
    const head = await staff.call('HEAD', CSV);
    expect([head.status, head.headers.allow]).toEqual([405, 'GET, POST']);
  });

  test('stands in the history with who, what and how many', async ({ app }) => {
    const person = await app.register();
    const degree = await fillClass(app.db.write, 2);
    const answer = await person.get(`${CSV}?degree=${degree}&sort=name`);
    const id = answer.headers['x-export-id'];
    await vi.waitUntil(async () => (await entriesOf(app, person)).length === 2, SOON);
    const view = { degree, sort: 'name' };
    expect(await entriesOf(app, person)).toEqual([
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

  test('stops when nobody fetches it any more; three at once are enough', async ({ app, staff }) => {
    const person = await app.register();
    const degree = await fillClassWithMuch(app.db.write);
    const url = `${CSV}?degree=${degree}`;
    const running = await Promise.all([1, 2, 3].map(() => begin(app, person, url)));
    const fourth = await person.get(url);
    expect([fourth.status, fourth.headers['retry-after']]).toEqual([429, '10']);

    const [first] = running;
    const progress = `/api/exports/${first?.headers['x-export-id']}/progress`;
    expect((await person.get(progress)).body).toMatchObject({ total: 4000, total_is: 'exact' });
    expect((await staff.get(progress)).status).toBe(404);

    for (const response of running) response.destroy();
    await vi.waitUntil(async () => (await entriesOf(app, person)).length === 6, SOON);
    const ended = (await entriesOf(app, person)).filter(({ action }) => action === 'update');
    for (const { after } of ended) {
      expect(after).toMatchObject({ is_whole: false });
      expect(after.rows).toBeLessThan(4000);
    }
    expect((await person.get(`${url}&q=${degree}-7`)).status).toBe(200);
  });
});

describe.each(freshApps())('the end of an export, on $name', ({ test }) => {
  test('is recorded before the application is closed', async ({ app, admin }) => {
    const degree = await fillClassWithMuch(app.db.write);
    const response = await begin(app, admin, `${CSV}?degree=${degree}`);
    const release = await heldOpen(app.db.write, (tx) => holdTable(tx, 'history'));
    response.destroy();
    let isClosed = false;
    const closing = app.app.close().then(() => {
      isClosed = true;
    });
    await setTimeout(300);
    expect(isClosed).toBe(false);
    await Promise.all([release(), closing]);
    expect(await entriesOf(app, admin)).toMatchObject([
      { action: 'create' },
      { action: 'update', after: { is_whole: false } },
    ]);
  });
});

describe.each(freshApps())('an export that can’t be finished, on $name', ({ test }) => {
  test('does not look like a whole file', async ({ app, admin }) => {
    const degree = await fillClassWithMuch(app.db.write);
    const response = await begin(app, admin, `${CSV}?degree=${degree}`);
    await sql`alter table families rename to elsewhere`.execute(app.db.write);
    await expect(text(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    // Before its first row it is an answer like any other.
    const refused = await admin.get(CSV);
    expect([refused.status, refused.body]).toMatchObject([500, { message: expect.any(String) as unknown }]);
  });
});
