import { describe, expect } from 'vitest';
import { errorsOf, freshApps, sharedApps } from '../../../tests/support/app.ts';
import { aStudent, unique } from '../../../tests/support/records.ts';
import { studentBaseReply, studentCreatedReply } from '../../contract/students.ts';
import { calendarDate } from '../../domain/age.ts';
import { fromFraction, toFraction } from '../../domain/school-marks.ts';

type Fields = Record<string, unknown>;

describe.each(sharedApps())('the base step of a new record, on $name', ({ test }) => {
  test('is kept as sent, with the marks as a fraction of 1100', async ({ staff }) => {
    const sent = aStudent();
    const answer = await staff.post('/api/students', sent);
    expect(answer.status).toBe(201);
    const { student } = studentCreatedReply.parse(answer.body);
    expect(student).toEqual({ ...sent, fsc_marks: 0.85, matric_marks: toFraction(98_750) });
    expect((await staff.get(`/api/students/${sent.id}/base`)).body).toEqual({ student });
  });

  test('needs the fields of the form’s markers and no others', async ({ staff }) => {
    expect(Object.keys(errorsOf(await staff.post('/api/students', {}))).sort()).toEqual(
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

  test.for([
    ['id', 'The id field is required.'],
    ['first_name', 'The first name field is required.'],
    ['dob', 'The dob field is required.'],
    ['fsc_marks', 'The fsc marks field is required.'],
    ['fsc_year', 'The fsc year field is required.'],
    ['fsc_div', 'The fsc div field is required.'],
    ['matric_year', 'The matric year field is required.'],
    ['matric_div', 'The matric div field is required.'],
    ['current_sem', 'The current sem field is required.'],
    ['syn', 'The syn field is required.'],
  ] as const)('says of %s: %s', async ([field, text], { staff }) => {
    for (const value of [undefined, null, '', '  ']) {
      const errors = errorsOf(await staff.post('/api/students', { ...aStudent(), [field]: value }));
      expect(errors).toEqual({ [field]: [text] });
    }
  });

  const illegal: Record<string, unknown[]> = {
    id: [
      'a b',
      'a/b',
      'a%b',
      'é',
      'x'.repeat(21),
      'create',
      '.',
      '..',
      '<b>',
      '../x',
      'x\0',
      -5.5,
      true,
      [1],
      {},
    ],
    first_name: ['x'.repeat(256), 5, true, ['x'], {}, 'nul\0', 'lone \ud800'],
    last_name: ['x'.repeat(256), 5, 'lone \udc00 half'],
    dob: ['2026-02-30', '2025-02-29', '14.3.2005', '2005-3-14', '2005-03-14T00:00:00Z', '0', 20050314, 'x'],
    joining_date: ['2023-13-01', '2023-00-10', 'yesterday', 1],
    phone_number: ['0'.repeat(256), 300, []],
    gender: ['X', 'm', 'Male', 1],
    fsc_marks: [
      99,
      99.99,
      1100.01,
      1101,
      500.123,
      -500,
      'NaN',
      '1e3',
      '0x1F4',
      'many',
      '5 00',
      true,
      [500],
      {},
    ],
    matric_marks: [0, 1e9, '935,5', 'Infinity', '935.001'],
    fsc_year: [1899, 2100, 2000.5, 'MMXX', '20 20'],
    matric_year: [1899, 2100, '2020.5', -2020],
    fsc_div: [0, 4, 1.5, 'first', '1st'],
    matric_div: [0, 4, -1, true],
    current_sem: [0, 9, 1.5, 'two', -1, 1e21],
    department: ['ZZ', 'ee', 'Electrical Engineering', 1],
    degree: ['x'.repeat(21), 44],
    syn: ['D', 'a', 'AB'],
    reason: ['x'.repeat(10_001), 5, 'nul\0'],
    img: ['x'.repeat(256), 5],
  };
  test.for(
    Object.entries(illegal).flatMap(([field, values]) => values.map((value) => [field, value] as const)),
  )('refuses %s %j, and nothing else', async ([field, value], { staff }) => {
    const sent: Fields = { ...aStudent(), [field]: value };
    const errors = errorsOf(await staff.post('/api/students', sent));
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]?.[0]).toMatch(
      new RegExp(`^The ${field.replaceAll('_', ' ')} must (not )?(be|contain) .+\\.$`),
    );
    if (field !== 'id') expect((await staff.get(`/api/students/${sent.id}/base`)).status).toBe(404);
  });

  const legal: Record<string, unknown[]> = {
    first_name: ['x', 'x'.repeat(255)],
    dob: ['1900-01-01', '2004-02-29'],
    fsc_marks: [100, 100.01, 1099.99, 1100, '935.5', '0935', ' 500 ', '935.50'],
    fsc_year: [1900, 2099, '2023'],
    fsc_div: [1, 3, '2'],
    current_sem: [1, 8, '4'],
    department: ['EE', 'CE', 'ME', 'MTS'],
    syn: ['A', 'B', 'C'],
    degree: ['x'.repeat(20), '44'],
    gender: ['M', 'F', null, ''],
    reason: ['x'.repeat(10_000), null],
    joining_date: ['2099-12-31'],
  };
  test.for(
    Object.entries(legal).flatMap(([field, values]) => values.map((value) => [field, value] as const)),
  )('takes %s %j', async ([field, value], { staff }) => {
    const answer = await staff.post('/api/students', { ...aStudent(), [field]: value });
    expect(answer.status, answer.text).toBe(201);
    const kept: unknown = Reflect.get(studentCreatedReply.parse(answer.body).student, field);
    if (field === 'fsc_marks') expect(fromFraction(Number(kept))).toBe(Number(value));
    else if (typeof kept === 'number') expect(kept).toBe(Number(value));
    else expect(kept).toBe(value === '' ? null : value);
  });

  test('refuses a birth in the future, or on or after the day of joining', async ({ staff }) => {
    const tomorrow = calendarDate(new Date(Date.now() + 86_400_000));
    for (const [dob, joining_date] of [
      [tomorrow, '2099-01-01'],
      ['2005-03-14', '2005-03-14'],
      ['2005-03-14', '2004-09-01'],
    ] as const) {
      const errors = errorsOf(await staff.post('/api/students', aStudent({ dob, joining_date })));
      expect(Object.keys(errors)).toEqual(['dob']);
    }
  });

  test('takes a number as the id, by its digits', async ({ staff }) => {
    const answer = await staff.post('/api/students', { ...aStudent(), id: 4_000_123 });
    expect(studentCreatedReply.parse(answer.body).student.id).toBe('4000123');
    expect((await staff.get('/api/students/4000123/base')).status).toBe(200);
  });

  test.for(['family', 'academics', 'base', 'constructor', '__proto__', '0', 'a.b', '-', '_', 'A'.repeat(20)])(
    'takes the id %s, whose record can then be read, changed and deleted',
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
    expect(errorsOf(answer)).toEqual({ id: ['The id has already been taken.'] });
    expect((await staff.get(`/api/students/${first.id}/base`)).body).toMatchObject({
      student: { first_name: first.first_name },
    });
  });

  test('tells ids apart by case', async ({ staff }) => {
    const id = `a-${unique()}`;
    expect((await staff.post('/api/students', aStudent({ id }))).status).toBe(201);
    expect((await staff.post('/api/students', aStudent({ id: id.toUpperCase() }))).status).toBe(201);
  });

  test('ignores what it does not know and what the product computes', async ({ staff }) => {
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
    expect(Object.keys(student).sort()).toEqual(Object.keys(sent).sort());
    expect(answer.headers.etag).toBe('"s1"');
  });

  test('takes a multipart form with numbers as text', async ({ staff }) => {
    const sent = aStudent();
    const form = new FormData();
    for (const [name, value] of Object.entries(sent)) form.set(name, value === null ? '' : String(value));
    const answer = await staff.call('POST', '/api/students', { form });
    expect(answer.status, answer.text).toBe(201);
    const { student } = studentCreatedReply.parse(answer.body);
    expect(student).toEqual({ ...sent, fsc_marks: 0.85, matric_marks: toFraction(98_750) });
  });

  test('names what is wrong with a multipart form just the same', async ({ staff }) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(aStudent()))
      form.set(name, value === null ? '' : String(value));
    form.set('fsc_marks', '99');
    form.delete('syn');
    expect(Object.keys(errorsOf(await staff.call('POST', '/api/students', { form }))).sort()).toEqual([
      'fsc_marks',
      'syn',
    ]);
  });
});

describe.each(freshApps())('the same id entered by many at the same time, on $name', ({ test }) => {
  test('is one record and one entry of the history', async ({ app, staff }) => {
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
