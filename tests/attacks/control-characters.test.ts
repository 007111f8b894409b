import { describe, expect } from 'vitest';
import { importCreatedReply } from '../../src/contract/imports.ts';
import { aHold } from '../support/app/holds.ts';
import { ONE_COMPONENT } from '../support/app/mark-sheets.ts';
import { getFieldErrors, type Person } from '../support/app/people.ts';
import { targets } from '../support/processes/raw-client.ts';
import { aCourse, aFamily, aSemester, aStudent, aTerm, unique } from '../support/records.ts';

/** Clears the screen of a terminal, rings it, ends a line in it. */
const CONTROLS = ['\x1b[2J', '\x07', '\x08', 'a\tb', 'a\nb', 'a\rb', '\x7f', '\x85', '\x9b2J'];

type Send = (person: Person, text: string) => ReturnType<Person['post']>;

const OUTSIDE = { title: 'Physics', credits: 3, institution: 'UET Lahore', grade: null, row: null };

const aView = (name: string, q: string) => ({ name, view: { q } });

describe.each(targets())('control characters, on $name', ({ test }) => {
  // Covers A64
  test.for<[string, string, Send]>([
    ...(['first_name', 'last_name', 'phone_number', 'img'] as const).map((field): [string, string, Send] => [
      `${field} of a student`,
      field,
      (admin, text) => admin.post('/api/students', aStudent({ [field]: text })),
    ]),
    [
      'degree of a student',
      'degree',
      (admin, text) => admin.post('/api/students', aStudent({ degree: text })),
    ],
    [
      'reason of a status',
      'reason',
      (admin, text) => admin.put('/api/students/nobody/status', { status: 'withdrawn', reason: text }),
    ],
    ...(
      [
        ...['father_name', 'father_occupation', 'mother_name', 'mother_occupation'],
        ...['father_phone', 'mother_phone', 'home_phone'],
      ] as const
    ).map((field): [string, string, Send] => [
      `${field} of a family`,
      field,
      (admin, text) => admin.post('/api/students/family', { ...aFamily('nobody'), [field]: text }),
    ]),
    [
      'title of a subject',
      'subject_1',
      (admin, text) =>
        admin.post('/api/students/academics', {
          ...aSemester('nobody', 1, []),
          subject_1: text,
        }),
    ],
    [
      'code of a course',
      'course_code',
      (admin, text) => admin.post('/api/courses', { ...aCourse(), course_code: text }),
    ],
    [
      'name of a course',
      'course_name',
      (admin, text) => admin.post('/api/courses', { ...aCourse(), course_name: text }),
    ],
    [
      'title of a mark sheet',
      'title',
      (admin, text) =>
        admin.post('/api/sheets', {
          ...{ course_id: 1, term_id: 1, title: text, semester: 1, department: 'CE', degree: '44' },
          categories: ONE_COMPONENT,
        }),
    ],
    ['name of a term', 'name', (admin, text) => admin.post('/api/terms', { ...aTerm(), name: text })],
    ...(['name', 'short_name'] as const).map((field): [string, string, Send] => [
      `${field} of the institution`,
      field,
      (admin, text) => admin.put('/api/institution', { [field]: text }),
    ]),
    [
      'name of a student that is looked for',
      'last_name',
      (admin, last_name) =>
        admin.get(
          `/api/namesakes?${new URLSearchParams({ first_name: 'Ayesha', last_name, dob: '2005-03-04' })}`,
        ),
    ],
    [
      'name of a policy',
      'name',
      (admin, text) => admin.post('/api/policies', { name: text, degrees: null, fingerprint: 'any' }),
    ],
    [
      'batch of a policy',
      'degrees',
      (admin, text) => admin.post('/api/policies/preview', { degrees: [text] }),
    ],
    [
      'name of a scheme',
      'name',
      (admin, text) => admin.post('/api/schemes', { name: text, department: 'CE', degrees: null }),
    ],
    [
      'batch of a scheme',
      'degrees',
      (admin, text) => admin.post('/api/schemes', { name: 'BE', department: 'CE', degrees: [text] }),
    ],
    [
      'title of a row of a scheme',
      'rows.0.title',
      (admin, text) =>
        admin.put('/api/schemes/1', {
          ...{ name: 'BE', department: 'CE', degrees: null },
          rows: [{ semester: 1, title: text, theory: 3, lab: 0, options: [1] }],
        }),
    ],
    ...(['title', 'institution', 'grade'] as const).map((field): [string, string, Send] => [
      `${field} of credits from elsewhere`,
      field,
      (admin, text) => admin.post('/api/students/nobody/outside-credits', { ...OUTSIDE, [field]: text }),
    ]),
    [
      'batch of two courses that count as one',
      'degrees',
      (admin, text) => admin.post('/api/equivalents/preview', { course_id: 1, other_id: 2, degrees: [text] }),
    ],
    ['name of a saved view', 'name', (admin, text) => admin.post('/api/views', aView(text, 'ali'))],
    [
      'name of an account',
      'name',
      (admin, text) =>
        admin.post('/api/register', {
          name: text,
          email: `${unique()}@faculty.example`,
          password: 'seven wet umbrellas',
          password_confirmation: 'seven wet umbrellas',
        }),
    ],
    [
      'new name of an account',
      'name',
      (admin, text) =>
        admin.put(`/api/users/${admin.user.id}`, { ...admin.user, name: text, password: admin.password }),
    ],
  ])('in the %s are refused', async ([, field, send], { admin }) => {
    for (const control of CONTROLS) {
      const errors = getFieldErrors(await send(admin, `Asad${control}Khan`));
      expect(errors, JSON.stringify(control)).toEqual({
        [field]: [
          `The ${field.split('.').at(-1)?.replaceAll('_', ' ')} must not contain control characters.`,
        ],
      });
    }
  });

  // Covers A64
  test('in an address of mail and in a search that is kept are refused', async ({ staff }) => {
    const body = { email: 'a\x1b@faculty.example', password: 'x' };
    expect(Object.keys(getFieldErrors(await staff.post('/api/login', body)))).toEqual(['email']);
    const view = getFieldErrors(await staff.post('/api/views', aView('Mine', 'ali\x1b[2J')));
    expect(view).toEqual({ view: ['The q must not contain control characters.'] });
    expect(Object.keys(getFieldErrors(await staff.get('/api/students?degree=%1b')))).toEqual(['degree']);
  });

  test('a search that was pasted with tabs and line ends is one of words', async ({ staff }) => {
    const student = aStudent({ first_name: 'Bilal', last_name: unique() });
    await staff.post('/api/students', student);
    const pasted = encodeURIComponent(`${student.first_name}\t${student.last_name}\r\n`);
    expect((await staff.get(`/api/students?q=${pasted}`)).body).toMatchObject({
      students: [{ id: student.id }],
    });
  });

  // Covers A64
  test('tabs and line ends are kept in texts of several lines, and other control characters refused', async ({
    admin,
    staff,
  }) => {
    const lines = 'House 12\r\n\tStreet 4\nRawalpindi';
    const student = aStudent({ reason: lines });
    expect((await staff.post('/api/students', student)).body).toMatchObject({ student: { reason: lines } });
    const family = aFamily(student.id, { address: lines });
    expect((await staff.post('/api/students/family', family)).body).toMatchObject({
      family: { address: lines },
    });
    const course = { ...aCourse(), course_description: lines };
    expect((await staff.post('/api/courses', course)).body).toMatchObject({
      course: { course_description: lines },
    });
    const control = 'a\nb\x1b[2J';
    const refused = [
      ['reason', await staff.post('/api/students', aStudent({ reason: control }))],
      ['address', await staff.post('/api/students/family', { ...family, address: control })],
      ['course_description', await staff.post('/api/courses', { ...aCourse(), course_description: control })],
      ['reason', await admin.post('/api/students/nobody/holds', aHold({ reason: `Decided ${control}` }))],
      [
        'reason',
        await admin.post('/api/students/nobody/exceptions', { row: 'A', reason: `Decided ${control}` }),
      ],
    ] as const;
    for (const [field, answer] of refused) expect(Object.keys(getFieldErrors(answer))).toEqual([field]);
  });

  // Covers A65
  test('that change the direction of a text are kept as typed', async ({ staff }) => {
    const student = aStudent({ first_name: '\u202eabc\u202c', last_name: 'علی\u200f' });
    const { first_name, last_name } = student;
    expect((await staff.post('/api/students', student)).body).toMatchObject({
      student: { first_name, last_name },
    });
  });

  // Covers A64
  test('in a row of an import refuse the row', async ({ staff }) => {
    for (const control of CONTROLS.filter((one) => !/[\t\r\n]/.test(one))) {
      const text = `Course ID,Course code,Course name\n7,Asad${control}Khan,Statics`;
      const { import_id } = importCreatedReply.parse(
        (await staff.post('/api/imports', { kind: 'courses', text })).body,
      ).import;
      const preview = await staff.post(`/api/imports/${import_id}/preview`, {});
      expect(preview.body, JSON.stringify(control)).toMatchObject({ counts: { refused: 1 } });
      const { body } = await staff.get(`/api/imports/${import_id}/rows`);
      expect(body).toMatchObject({
        rows: [{ errors: { course_code: ['The course code must not contain control characters.'] } }],
      });
    }
  });
});
