import { describe, expect } from 'vitest';
import { getFieldErrors, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { studentCreatedReply } from '../../contract/students/students.ts';
import { calendarDate } from '../../domain/age.ts';
import { fromFraction } from '../../domain/student.ts';

type Fields = Record<string, unknown>;

describe.each(sharedApps())('the fields of a base record, on $name', ({ test }) => {
  // Covers 5.2
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
  ] as const)('are required: %s, “%s”', async ([field, text], { staff }) => {
    for (const value of [undefined, null, '', '  ']) {
      const errors = getFieldErrors(await staff.post('/api/students', { ...aStudent(), [field]: value }));
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
    dob: [
      '2026-02-30',
      '2025-02-29',
      '14.3.2005',
      '2005-3-14',
      '2005-03-14T00:00:00Z',
      '0',
      20050314,
      'x',
      '0004-05-03',
      '1899-12-31',
    ],
    joining_date: ['2023-13-01', '2023-00-10', 'yesterday', 1, '0023-09-04', '1899-12-31'],
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
  // Covers 3.6, 3.9, 3.10, 5.1, 5.5, 5.7, 5.8, 5.9, A55
  test.for(
    Object.entries(illegal).flatMap(([field, values]) => values.map((value) => [field, value] as const)),
  )('refuse %s %j and report no other field', async ([field, value], { staff }) => {
    const sent: Fields = { ...aStudent(), [field]: value };
    const errors = getFieldErrors(await staff.post('/api/students', sent));
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
  // Covers 3.5, 3.11, 3.14, 3.15, 3.16, 3.17, 5.5, 9.5, 9.6, 9.8, 9.9, 9.10
  test.for(
    Object.entries(legal).flatMap(([field, values]) => values.map((value) => [field, value] as const)),
  )('accept %s %j', async ([field, value], { staff }) => {
    const answer = await staff.post('/api/students', { ...aStudent(), [field]: value });
    expect(answer.status, answer.text).toBe(201);
    const saved: unknown = Reflect.get(studentCreatedReply.parse(answer.body).student, field);
    if (field === 'fsc_marks') expect(fromFraction(Number(saved))).toBe(Number(value));
    else if (typeof saved === 'number') expect(saved).toBe(Number(value));
    else expect(saved).toBe(value === '' ? null : value);
  });

  test('refuse a date of birth in the future, or on or after the joining date', async ({ staff }) => {
    const tomorrow = calendarDate(new Date(Date.now() + 86_400_000));
    for (const [dob, joining_date] of [
      [tomorrow, '2099-01-01'],
      ['2005-03-14', '2005-03-14'],
      ['2005-03-14', '2004-09-01'],
    ] as const) {
      const errors = getFieldErrors(await staff.post('/api/students', aStudent({ dob, joining_date })));
      expect(Object.keys(errors)).toEqual(['dob']);
    }
  });
});
