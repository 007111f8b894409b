import { describe, expect } from 'vitest';
import { sheetSavedReply } from '../../src/contract/marksheets/sheets.ts';
import { termSavedReply } from '../../src/contract/terms.ts';
import type { Person } from '../support/app/people.ts';
import { type Target, targets } from '../support/processes/raw-client.ts';
import { aCourse, aStudent, aTerm, unique } from '../support/records.ts';

const NOTHING = { status: 404, message: 'There is nothing at this address.' };
const NO_SHEET = { status: 404, message: 'There is no such mark sheet.' };

/** What an answer tells; the number of the request differs each time. */
const tells = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  message: Object(body).message as unknown,
});

async function addTeacher(target: Target, admin: Person): Promise<Person> {
  const teacher = await target.register({ name: 'Tahir Teacher' });
  expect((await target.giveRole(admin, teacher, 'teacher')).status).toBe(200);
  return teacher;
}

async function addSheet(admin: Person) {
  const student = aStudent({ id: unique(), degree: unique(), current_sem: 1, department: 'CE' });
  expect((await admin.post('/api/students', student)).status).toBe(201);
  const course = aCourse();
  expect((await admin.post('/api/courses', course)).status).toBe(201);
  const { term } = termSavedReply.parse((await admin.post('/api/terms', aTerm())).body);
  const answer = await admin.post('/api/sheets', {
    ...{ course_id: course.course_id, term_id: term.term_id, title: 'Signals', credits: 3, semester: 1 },
    ...{ department: 'CE', degree: student.degree },
    categories: [{ name: 'Final', weight: 100, components: [{ name: 'Final', max: 100 }] }],
  });
  return { student, course, sheet: sheetSavedReply.parse(answer.body).sheet };
}

describe.each(targets())('a teacher who guesses, on $name', ({ test }) => {
  // Covers A150
  test('finds nothing that is not theirs, and does not learn that it exists', async ({ target, admin }) => {
    const teacher = await addTeacher(target, admin);
    const { student, course, sheet } = await addSheet(admin);
    const nobody = unique();
    for (const id of [student.id, nobody]) {
      for (const path of ['', '/base', '/standing', '/cgpa', '/plan', '/audit', '/history', '/own-copy']) {
        expect(tells(await teacher.get(`/api/students/${id}${path}`)), path).toEqual(NOTHING);
      }
    }
    for (const path of [
      ...[
        '/api?search=a',
        '/api/students',
        `/api/courses/${course.course_id}`,
        '/api/courses',
        '/api/history',
      ],
      ...['/api/insights/cgpas', '/api/reports/classes', '/api/views', '/api/imports', '/api/documents'],
      ...['/api/account-states', '/api/result-notifications', '/api/schemes', '/api/equivalents'],
      `/api/reports/shortage?term_id=${sheet.term_id}`,
      `/api/reports/export.csv?report=shortage&term_id=${sheet.term_id}&department=CE&degree=${student.degree}`,
      `/api/reports/export.xlsx?report=shortage&term_id=${sheet.term_id}&department=CE&degree=${student.degree}`,
      `/api/students/${student.id}/terms`,
      `/api/terms/${sheet.term_id}/registrations`,
      `/api/terms/${sheet.term_id}/openings`,
    ]) {
      expect(tells(await teacher.get(path)), path).toEqual(NOTHING);
    }
    for (const id of [sheet.sheet_id, sheet.sheet_id + 999]) {
      for (const part of ['', '/events', '/checks', '/offerings', '/award-list.pdf']) {
        expect(tells(await teacher.get(`/api/sheets/${id}${part}`)), part).toEqual(NO_SHEET);
      }
      for (const part of [
        '/history',
        '/confirm',
        '/difference',
        '/remaining',
        '/marks.csv',
        '/registrations',
      ]) {
        expect(tells(await teacher.get(`/api/sheets/${id}${part}`)), part).toEqual(NOTHING);
      }
      const cells = [{ student_id: student.id, component_id: 2, value: 99, was: null }];
      expect(tells(await teacher.put(`/api/sheets/${id}/cells`, { cells }))).toEqual(NO_SHEET);
      const rows = [{ student_id: student.id, theory: { held: 30, attended: 22 } }];
      expect(tells(await teacher.put(`/api/sheets/${id}/attendance`, { rows }))).toEqual(NO_SHEET);
      const row = `/api/sheets/${id}/rows/${student.id}`;
      const reason = 'A medical board has said so.';
      for (const path of [`${row}/condone`, `${row}/registration`])
        expect(tells(await teacher.put(path, { reason })), path).toEqual(NOTHING);
      for (const path of ['/students', '/students/preview'])
        expect(tells(await teacher.post(`/api/sheets/${id}${path}`, { ids: [student.id] })), path).toEqual(
          NOTHING,
        );
      expect(tells(await teacher.put(`/api/sheets/${id}/teachers`, { ids: [teacher.user.id] }))).toEqual(
        NOTHING,
      );
    }
    expect((await teacher.get('/api/sheets')).body).toEqual([]);
    const { body: home } = await teacher.get(`/api/home?opened=${student.id}`);
    expect(home).toMatchObject({ opened: [], incomplete_entries: null });
    expect((await admin.get(`/api/sheets/${sheet.sheet_id}`)).body).toEqual({ sheet });
  });

  // Covers A150
  test('gets no answer of somebody else by their idempotency key', async ({ target, admin }) => {
    const teacher = await addTeacher(target, admin);
    const headers = { 'idempotency-key': unique() };
    const body = aStudent();
    expect((await admin.call('POST', '/api/students', { body, headers })).status).toBe(201);
    const again = await teacher.call('POST', '/api/students', { body, headers });
    expect(tells(again)).toEqual(NOTHING);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
  });

  // Covers A151
  test('loses a sheet at once, by every way of losing it', async ({ target, admin }) => {
    const teacher = await addTeacher(target, admin);
    const { student, sheet } = await addSheet(admin);
    const path = `/api/sheets/${sheet.sheet_id}`;
    const name = (ids: readonly number[]) => admin.put(`${path}/teachers`, { ids });
    const component_id = sheet.categories[0]?.components[0]?.component_id;
    const save = () =>
      teacher.put(`${path}/cells`, {
        cells: [{ student_id: student.id, component_id, value: 50, was: null }],
      });
    expect((await name([teacher.user.id])).status).toBe(200);
    expect((await teacher.get(path)).status).toBe(200);
    expect((await name([])).status).toBe(200);
    expect(tells(await save())).toEqual(NO_SHEET);
    const rows = [{ student_id: student.id, theory: { percent: 80 } }];
    expect(tells(await teacher.put(`${path}/attendance`, { rows }))).toEqual(NO_SHEET);
    expect((await name([teacher.user.id])).status).toBe(200);
    expect((await target.giveRole(admin, teacher, 'viewer')).status).toBe(200);
    expect((await save()).status).toBe(403);
    expect((await target.giveRole(admin, teacher, 'teacher')).status).toBe(200);
    const lock = { locked: true, password: admin.password };
    expect((await admin.put(`/api/users/${teacher.user.id}/lock`, lock)).status).toBe(200);
    expect((await save()).status).toBe(401);
    expect((await admin.get(path)).body).toMatchObject({
      sheet: { rows: [{ total: null, attendance: null }] },
    });
  });
});
