import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aStudent, unique } from '../../../tests/support/records.ts';
import { studentBaseReply, studentCreatedReply } from '../../contract/students/students.ts';
import { toFraction } from '../../domain/student.ts';

describe.each(sharedApps())('the base step of a new record, on $name', ({ test }) => {
  test('is stored as sent, with the marks as a fraction of 1100', async ({ staff }) => {
    const sent = aStudent();
    const answer = await staff.post('/api/students', sent);
    expect(answer.status).toBe(201);
    const { student } = studentCreatedReply.parse(answer.body);
    expect(student).toMatchObject({ ...sent, fsc_marks: 0.85, matric_marks: toFraction(98_750) });
    expect((await staff.get(`/api/students/${sent.id}/base`)).body).toEqual({ student });
  });

  test('is saved with a warning if its ID differs from another only in case', async ({ staff }) => {
    const id = `aB-${unique()}`;
    const create = async (changed: string) =>
      studentCreatedReply.parse((await staff.post('/api/students', aStudent({ id: changed }))).body);
    expect(await create(id)).not.toHaveProperty('warnings');
    expect(await create(`${id}x`)).not.toHaveProperty('warnings');
    expect((await create(id.toUpperCase())).warnings).toEqual({
      id: [`The id differs from ${id} only in upper and lower case. Both are kept.`],
    });
    expect((await staff.get(`/api/students/${id.toUpperCase()}/base`)).status).toBe(200);
  });

  test('has namesakes born on the same day, whatever the case and accents of their names', async ({
    staff,
    viewer,
  }) => {
    const last_name = `Khán ${unique()}`;
    const enter = async (changes: object) => {
      const student = aStudent({ last_name, dob: '2005-03-04', ...changes });
      expect((await staff.post('/api/students', student)).status).toBe(201);
      return student.id;
    };
    const first = await enter({});
    const second = await enter({ first_name: 'AYESHA', current_sem: 8, department: 'MTS' });
    await staff.put(`/api/students/${second}/status`, { status: 'withdrawn' });
    await enter({ dob: '2005-03-05' });
    await enter({ first_name: 'Aisha' });
    const ask = (by: typeof staff, query: Record<string, string>) =>
      by.get(`/api/namesakes?${new URLSearchParams(query)}`);
    const person = { first_name: 'ayesha', last_name: last_name.replace('á', 'a'), dob: '2005-03-04' };
    expect((await ask(staff, person)).body).toEqual({
      students: [
        { id: first, first_name: 'Ayesha', last_name },
        { id: second, first_name: 'AYESHA', last_name },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect((await ask(staff, { ...person, dob: '2005-03-06' })).body).toEqual({ students: [] });
    expect((await ask(viewer, person)).status).toBe(403);
    expect(getFieldErrors(await ask(staff, { dob: '2005' }))).toEqual({
      first_name: ['The first name field is required.'],
      last_name: ['The last name field is required.'],
      dob: ['The dob must be a date such as 2005-03-14.'],
    });
  });

  // Covers 5.11
  test('requires exactly the fields marked as required in the form', async ({ staff }) => {
    expect(Object.keys(getFieldErrors(await staff.post('/api/students', {}))).sort()).toEqual(
      [
        ...[
          'id',
          'first_name',
          'last_name',
          'dob',
          'joining_date',
          'current_sem',
          'department',
          'degree',
          'syn',
        ],
        ...['fsc_marks', 'fsc_year', 'fsc_div', 'matric_marks', 'matric_year', 'matric_div'],
      ].sort(),
    );
    const { phone_number: _1, gender: _2, reason: _3, img: _4, ...required } = aStudent();
    const answer = await staff.post('/api/students', required);
    expect(studentCreatedReply.parse(answer.body).student).toMatchObject({
      phone_number: null,
      gender: null,
      reason: null,
      img: null,
    });
  });

  test('accepts a number as the id', async ({ staff }) => {
    const answer = await staff.post('/api/students', { ...aStudent(), id: 4_000_123 });
    expect(studentCreatedReply.parse(answer.body).student.id).toBe('4000123');
    expect((await staff.get('/api/students/4000123/base')).status).toBe(200);
  });

  test.for(['family', 'academics', 'base', 'constructor', '__proto__', '0', 'a.b', '-', '_', 'A'.repeat(20)])(
    'accepts the id %s, whose record can then be read, changed and deleted',
    async (id, { staff }) => {
      const student = aStudent({ id });
      expect((await staff.post('/api/students', student)).status).toBe(201);
      const read = await staff.get(`/api/students/${id}/base`);
      expect(studentBaseReply.parse(read.body).student.id).toBe(id);
      expect((await staff.get(`/api/students/${id}`)).status).toBe(200);
      expect((await staff.put(`/api/students/${id}`, student)).status).toBe(200);
      expect((await staff.delete(`/api/students/${id}`)).status).toBe(200);
    },
  );

  test('refuses an id that is taken, and keeps the first record', async ({ staff }) => {
    const first = aStudent();
    await staff.post('/api/students', first);
    const answer = await staff.post('/api/students', aStudent({ id: first.id, first_name: 'Second' }));
    expect(getFieldErrors(answer)).toEqual({ id: ['The id has already been taken.'] });
    expect((await staff.get(`/api/students/${first.id}/base`)).body).toMatchObject({
      student: { first_name: first.first_name },
    });
  });

  test('treats ids as case-sensitive', async ({ staff }) => {
    const id = `a-${unique()}`;
    expect((await staff.post('/api/students', aStudent({ id }))).status).toBe(201);
    expect((await staff.post('/api/students', aStudent({ id: id.toUpperCase() }))).status).toBe(201);
  });

  test('ignores unknown and computed fields', async ({ staff }) => {
    const sent = aStudent();
    const more = {
      age: 99,
      sgpa: 4,
      cgpa: 4,
      latest_cgpa: 4,
      version: 77,
      created_at: 'x',
      family: {},
      x: 1,
    };
    const answer = await staff.post('/api/students', { ...sent, ...more });
    expect(answer.status).toBe(201);
    const { student } = studentCreatedReply.parse(answer.body);
    expect(Object.keys(student).sort()).toEqual(
      [...Object.keys(sent), 'status', 'status_date', 'status_reason'].sort(),
    );
    expect(answer.headers.etag).toBe('"s1"');
  });

  // Covers 3.20, 7.24
  test('accepts a multipart form with numbers as text', async ({ staff }) => {
    const sent = aStudent();
    const form = new FormData();
    for (const [name, value] of Object.entries(sent)) form.set(name, value === null ? '' : String(value));
    const answer = await staff.call('POST', '/api/students', { form });
    expect(answer.status, answer.text).toBe(201);
    const { student } = studentCreatedReply.parse(answer.body);
    expect(student).toMatchObject({ ...sent, fsc_marks: 0.85, matric_marks: toFraction(98_750) });
  });

  test('keeps the line breaks of a text in a form', async ({ staff }) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(aStudent({ reason: 'Joined late.\n\nSecond line.' })))
      form.set(name, value === null ? '' : String(value));
    const answer = await staff.call('POST', '/api/students', { form });
    expect(answer.body).toMatchObject({ student: { reason: 'Joined late.\n\nSecond line.' } });
  });

  // Covers 7.25
  test('reports the same field errors for a multipart form', async ({ staff }) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(aStudent()))
      form.set(name, value === null ? '' : String(value));
    form.set('fsc_marks', '99');
    form.delete('syn');
    expect(Object.keys(getFieldErrors(await staff.call('POST', '/api/students', { form }))).sort()).toEqual([
      'fsc_marks',
      'syn',
    ]);
  });
});

describe.each(freshApps())('concurrent creates with the same id, on $name', ({ test }) => {
  test('make one record and one history entry', async ({ app, staff }) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => staff.post('/api/students', aStudent({ id: 'one' }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
    const rows = await app.db.read
      .selectFrom('history')
      .selectAll()
      .where('entity', '=', 'student')
      .execute();
    expect(rows).toHaveLength(1);
  });
});
