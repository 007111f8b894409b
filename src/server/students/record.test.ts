import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { anyText } from '../../../tests/support/any-text.ts';
import { insertStudents } from '../../../tests/support/app/fill-class.ts';
import { freshApps, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, unique } from '../../../tests/support/records.ts';
import {
  recordReply,
  type StudentInput,
  studentBaseReply,
  studentListReply,
} from '../../contract/students/students.ts';
import { hasControlCharacters, isBlankText } from '../../domain/control-characters.ts';
import { fromFraction, SCHOOL_MARKS } from '../../domain/student.ts';
import { buildStudent } from '../seed/builders.ts';
import { seededRandom } from '../seed/random.ts';

const enter = async (staff: Person, changes: Partial<StudentInput> = {}) => {
  const student = aStudent(changes);
  const answer = await staff.post('/api/students', student);
  if (answer.status !== 201) throw new Error(answer.text);
  return student;
};

const readList = async (staff: Person) => studentListReply.parse((await staff.get('/api')).body);

describe.each(sharedApps())('a saved record, on $name', ({ test }) => {
  // Covers 3.22
  test('has the same marks as entered, for every hundredth from 100 to 1100', async ({ staff }) => {
    const marks = fc
      .integer({ min: SCHOOL_MARKS.min * 100, max: SCHOOL_MARKS.max * 100 })
      .map((n) => n / 100);
    await fc.assert(
      fc.asyncProperty(marks, marks, fc.boolean(), async (fsc_marks, matric_marks, asText) => {
        const sent = aStudent();
        await staff.post('/api/students', {
          ...sent,
          fsc_marks: asText ? fsc_marks.toFixed(2) : fsc_marks,
          matric_marks,
        });
        const { student } = studentBaseReply.parse((await staff.get(`/api/students/${sent.id}/base`)).body);
        expect([fromFraction(student.fsc_marks), fromFraction(student.matric_marks)]).toEqual([
          fsc_marks,
          matric_marks,
        ]);
        // An edit sends the marks from the reply; they must not change.
        const edited = { ...student, fsc_marks: fromFraction(student.fsc_marks), matric_marks };
        await staff.put(`/api/students/${sent.id}`, edited);
        expect((await staff.get(`/api/students/${sent.id}/base`)).body).toEqual({ student });
        await staff.delete(`/api/students/${sent.id}`);
      }),
      { numRuns: 25 },
    );
  });

  test.for([
    'محمد علی',
    'Zoë Ødegård',
    '山田太郎',
    '👩🏽‍🎓 family 👨‍👩‍👧',
    'e\u0301 is not é',
    '\u202eright to left\u202c',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '"quoted" \\ back\\slash \'',
    'line\u2028separator\u2029 and more',
    "Robert'); DROP TABLE students;--",
    '&amp; &lt; %41 \\u0041 \\n',
    '=SUM(A1:A9)',
    'null',
    '0012',
  ])('has the text %j as entered, in base, family, whole record and list', async (text, { staff }) => {
    const { id } = await enter(staff, { first_name: text, reason: text, degree: '44' });
    await staff.post('/api/students/family', aFamily(id, { father_name: text, address: text }));
    await staff.post('/api/students/academics', aSemester(id, 1, [{ title: text, credits: 3, grade: 'A' }]));
    const record = recordReply.parse((await staff.get(`/api/students/${id}`)).body);
    expect(record).toMatchObject({
      student: { first_name: text, reason: text },
      family: { father_name: text, address: text },
      academics: [{ subject_1: text }],
    });
    expect((await readList(staff)).find((student) => student.id === id)).toEqual(record?.student);
  });

  test('keeps tabs and line breaks in multi-line texts', async ({ staff }) => {
    const text = 'tab\tand\nnew line\r\nend';
    const { id } = await enter(staff, { reason: text });
    await staff.post('/api/students/family', aFamily(id, { address: text }));
    const record = recordReply.parse((await staff.get(`/api/students/${id}`)).body);
    expect(record).toMatchObject({ student: { reason: text }, family: { address: text } });
  });

  test('has any text without control characters as entered, but trimmed', async ({ staff }) => {
    const text = anyText({ minLength: 1, maxLength: 60 }).filter(
      (value) => !hasControlCharacters(value) && !isBlankText(value) && value.length <= 255,
    );
    await fc.assert(
      fc.asyncProperty(text, async (first_name) => {
        const { id } = await enter(staff, { first_name });
        const answer = await staff.get(`/api/students/${id}/base`);
        expect(studentBaseReply.parse(answer.body).student.first_name).toBe(first_name.trim());
        await staff.delete(`/api/students/${id}`);
      }),
      { numRuns: 25 },
    );
  });

  test('has texts without leading and trailing blanks, and with those inside', async ({ staff }) => {
    const { id } = await enter(staff, { first_name: '  Ali  Raza \n', last_name: '\u00a0Khan\ufeff' });
    expect((await staff.get(`/api/students/${id}/base`)).body).toMatchObject({
      student: { first_name: 'Ali  Raza', last_name: 'Khan' },
    });
  });
});

describe.each(sharedApps())('reading a record, on $name', ({ test }) => {
  // Covers 7.21
  test('returns null until the family is entered; the base record has its own route', async ({ staff }) => {
    const { id } = await enter(staff);
    const answer = await staff.get(`/api/students/${id}`);
    expect(answer).toMatchObject({ status: 200, text: 'null' });
    expect((await staff.get(`/api/students/${id}/base`)).body).toMatchObject({ student: { id } });
  });

  test.for([
    ...['nobody', '0', '-1', 'null', 'undefined', '%20', '%00', '..%2f..%2fsims.db', "1'%20or%20'1'='1"],
    ...['__proto__', 'constructor', 'x'.repeat(500), '%F0%9F%8E%93', '1%3Bdrop%20table%20students'],
  ])('answers 404 for the unknown student %s', async (id, { staff }) => {
    for (const url of [`/api/students/${id}`, `/api/students/${id}/base`]) {
      const answer = await staff.get(url);
      expect(answer, url).toMatchObject({ status: 404, body: { message: expect.any(String) } });
    }
    expect((await staff.put(`/api/students/${id}`, { ...aStudent(), id: undefined })).status).toBe(404);
    expect(
      (await staff.put(`/api/students/${id}/family`, { ...aFamily('x'), student_id: undefined })).status,
    ).toBe(404);
    expect((await staff.delete(`/api/students/${id}`)).status).toBe(404);
  });

  // Covers 3.29, 7.20
  test('matches its contract after every step of the entry', async ({ staff }) => {
    const { id } = await enter(staff, { current_sem: 3 });
    await staff.post('/api/students/family', aFamily(id));
    for (let semesters = 0; semesters <= 3; semesters += 1) {
      if (semesters > 0) await staff.post('/api/students/academics', aSemester(id, semesters, []));
      const answer = await staff.get(`/api/students/${id}`);
      const record = recordReply.parse(answer.body);
      // The database builds this JSON, so no serializer removes fields that the contract lacks.
      expect(record).toEqual(answer.body);
      expect(record?.academics.map(({ semester }) => semester)).toEqual([1, 2, 3].slice(0, semesters));
    }
  });

  test('returns an ETag that changes only with a part of the record', async ({ staff }) => {
    const { id } = await enter(staff);
    const readTag = async () => String((await staff.get(`/api/students/${id}`)).headers.etag);
    const tags = [await readTag()];
    const changed = async () => {
      expect(await readTag()).toBe(await readTag());
      tags.push(await readTag());
      expect(new Set(tags)).toHaveLength(tags.length);
    };
    await staff.post('/api/students/family', aFamily(id));
    await changed();
    const created = await staff.post('/api/students/academics', aSemester(id, 1, []));
    await changed();
    const { academic_id } = (created.body as { academic: { academic_id: number } }).academic;
    await staff.put(`/api/students/academics/${academic_id}`, { subject_1: 'Statics' });
    await changed();
    await staff.put(`/api/students/${id}/family`, aFamily(id, { father_name: 'Karim' }));
    await changed();
    const hina = aStudent({ id, first_name: 'Hina' });
    await staff.put(`/api/students/${id}`, hina);
    await changed();
    await staff.put(`/api/students/${id}`, hina);
    expect(await readTag()).toBe(tags.at(-1));
  });
});

describe.each(freshApps())('the list of students, on $name', ({ test }) => {
  // Covers 7.19
  test('is empty without students', async ({ admin }) => {
    expect(await admin.get('/api')).toMatchObject({ status: 200, text: '[]' });
  });

  // Covers 2.95, 7.17
  test('has the base records of all students, incomplete ones included, sorted by id', async ({ admin }) => {
    const ids = ['b', 'a', 'B', '10', '9', `z-${unique()}`];
    for (const id of ids) await enter(admin, { id, gender: null });
    await admin.post('/api/students/family', aFamily('a'));
    const list = await readList(admin);
    expect(list.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
    for (const student of list) {
      const base = studentBaseReply.parse((await admin.get(`/api/students/${student.id}/base`)).body);
      expect(student).toEqual(base.student);
    }
  });

  // Covers 9.19
  test.for([500, 501, 1001])(
    'of %i students is one valid, sorted array without duplicates',
    async (count, { app, admin }) => {
      const random = seededRandom(count);
      const students = Array.from({ length: count }, (_, i) =>
        buildStudent(random, String(100_000 + ((i * 7919) % 90_001))),
      );
      await insertStudents(app.db.write, students);
      const answer = await admin.get('/api');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      const ids = studentListReply.parse(answer.body).map(({ id }) => id);
      expect(ids).toHaveLength(count);
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(answer.body).toEqual(studentListReply.parse(answer.body));
    },
  );
});
