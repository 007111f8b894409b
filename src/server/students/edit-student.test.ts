import { describe, expect } from 'vitest';
import { getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import {
  type Family,
  familyCreatedReply,
  type StudentInput,
  studentCreatedReply,
} from '../../contract/students/students.ts';

const enter = async (staff: Person, changes: Partial<StudentInput> = {}) => {
  const student = aStudent(changes);
  await staff.post('/api/students', student);
  return student;
};

/** Sends a write with `If-Match`. */
const putIf = (staff: Person, tag: unknown, url: string, body: unknown) =>
  staff.call('PUT', url, { body, headers: { 'if-match': String(tag) } });

describe.each(sharedApps())('editing a base record, on $name', ({ test }) => {
  test('replaces all of it; optional fields left out become empty', async ({ staff }) => {
    const { id } = await enter(staff, { reason: 'On leave', phone_number: '1' });
    const { reason: _1, phone_number: _2, ...sent } = aStudent({ id, first_name: 'Hina', gender: 'F' });
    const answer = await staff.put(`/api/students/${id}`, sent);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ message: 'Student entry updated successfully' });
    expect(studentCreatedReply.parse(answer.body).student).toMatchObject({
      first_name: 'Hina',
      reason: null,
      phone_number: null,
    });
    expect((await staff.get(`/api/students/${id}/base`)).body).toEqual({
      student: studentCreatedReply.parse(answer.body).student,
    });
  });

  test('validates like creating one', async ({ staff }) => {
    const { id } = await enter(staff);
    const errors = getFieldErrors(await staff.put(`/api/students/${id}`, { fsc_marks: 99, syn: 'D' }));
    expect(errors).toMatchObject({
      syn: [expect.any(String)],
      first_name: ['The first name field is required.'],
    });
    expect(errors).not.toHaveProperty('id');
    const dates = { dob: '2005-03-14', joining_date: '2005-03-13' };
    expect(getFieldErrors(await staff.put(`/api/students/${id}`, aStudent({ id, ...dates })))).toHaveProperty(
      'dob',
    );
  });

  test('refuses another id and accepts the same one', async ({ staff }) => {
    const { id } = await enter(staff);
    const other = await staff.put(`/api/students/${id}`, aStudent({ id: 'other' }));
    expect(Object.keys(getFieldErrors(other))).toEqual(['id']);
    expect((await staff.get('/api/students/other/base')).status).toBe(404);
    expect((await staff.put(`/api/students/${id}`, aStudent({ id }))).status).toBe(200);
  });

  test('accepts a multipart form', async ({ staff }) => {
    const { id } = await enter(staff);
    const form = new FormData();
    for (const [name, value] of Object.entries(aStudent({ id, first_name: 'Hina' })))
      form.set(name, String(value ?? ''));
    const answer = await staff.call('PUT', `/api/students/${id}`, { form });
    expect(answer).toMatchObject({ status: 200, body: { student: { first_name: 'Hina' } } });
  });

  test('may lower the current semester below the recorded ones; the entry is then complete', async ({
    staff,
  }) => {
    const student = await enter(staff, { current_sem: 2 });
    const { id } = student;
    await staff.post('/api/students/family', aFamily(id));
    for (const semester of [1, 2]) await staff.post('/api/students/academics', aSemester(id, semester, []));
    expect((await staff.put(`/api/students/${id}`, { ...student, current_sem: 1 })).status).toBe(200);
    expect((await staff.get(`/api/students/${id}`)).body).toMatchObject({ academics: { length: 2 } });
    expect((await staff.get(`/api/students/${id}/academics/create`)).body).toMatchObject({
      canProceed: false,
      redirectToDashboard: true,
    });
    expect(getFieldErrors(await staff.post('/api/students/academics', aSemester(id, 3, [])))).toHaveProperty(
      'semester',
    );
  });
});

describe.each(sharedApps())('a conditional write to a record, on $name', ({ test }) => {
  test('is refused with the current record if the version is outdated', async ({ staff }) => {
    const { id } = await enter(staff);
    const url = `/api/students/${id}`;
    const { etag } = (await staff.get(`${url}/base`)).headers;
    expect((await putIf(staff, etag, url, aStudent({ id, first_name: 'First' }))).status).toBe(200);
    const refused = await putIf(staff, etag, url, aStudent({ id, first_name: 'Second' }));
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({
      message: expect.any(String),
      current: expect.any(Object),
      changed_by: staff.user.name,
      changed_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(refused.text).toContain('First');
    expect((await staff.get(`${url}/base`)).body).toMatchObject({ student: { first_name: 'First' } });
  });

  test('is refused with who changed this part of the record last, and when', async ({ staff, admin }) => {
    const { id } = await enter(staff);
    await staff.post('/api/students/family', aFamily(id));
    for (const semester of [1, 2]) await staff.post('/api/students/academics', aSemester(id, semester, []));
    const { academics } = (await staff.get(`/api/students/${id}`)).body as {
      academics: { academic_id: number }[];
    };
    const urls = [`/api/students/${id}/family`, `/api/students/academics/${academics[0]?.academic_id}`];
    const bodies = [
      aFamily(id, { home_phone: '051-1' }),
      aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'A' }]),
    ];
    for (const [i, url] of urls.entries()) await admin.put(url, bodies[i]);
    await staff.put(`/api/students/${id}`, aStudent({ id, first_name: 'Hina' }));
    const byAdmin = { changed_by: admin.user.name, changed_at: expect.stringMatching(/Z$/) };
    for (const [i, url] of urls.entries())
      expect(await putIf(staff, '"s0.f0.m1v0"', url, bodies[i])).toMatchObject({
        status: 412,
        body: byAdmin,
      });

    expect(await staff.post('/api/students/family', aFamily(id))).toMatchObject({
      ...{ status: 422, body: { errors: { student_id: expect.any(Array) }, ...byAdmin } },
    });
    expect(await staff.post('/api/students/academics', aSemester(id, 1, []))).toMatchObject({
      ...{ status: 422, body: { errors: { semester: expect.any(Array) }, ...byAdmin } },
    });
  });

  test('succeeds once among concurrent writes with the same version', async ({ staff }) => {
    const { id } = await enter(staff);
    const url = `/api/students/${id}`;
    const { etag } = (await staff.get(`${url}/base`)).headers;
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((first_name) => putIf(staff, etag, url, aStudent({ id, first_name }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('accepts the ETag of the previous write', async ({ staff }) => {
    const { id } = await enter(staff);
    const url = `/api/students/${id}`;
    const save = (tag: unknown, first_name: string) => putIf(staff, tag, url, aStudent({ id, first_name }));
    const first = await save('*', 'First');
    const second = await save(first.headers.etag, 'Second');
    expect(second.status).toBe(200);
    expect((await save(first.headers.etag, 'Third')).status).toBe(412);
    expect((await save(second.headers.etag, 'Third')).status).toBe(200);
  });

  test('accepts an ETag as proxies that compress the reply hand it on, alone and in a list', async ({
    staff,
  }) => {
    const { id } = await enter(staff);
    const url = `/api/students/${id}`;
    const save = (tag: string) => putIf(staff, tag, url, aStudent({ id }));
    const suffixes = ['gzip', 'br', 'zstd', 'deflate'].flatMap((coding) => [
      `-${coding}`,
      `--${coding}`,
      `;${coding}`,
    ]);
    for (const suffix of ['', ...suffixes])
      for (const weak of ['', 'W/']) {
        const current = String((await staff.get(`${url}/base`)).headers.etag);
        const tag = `${weak}${current.slice(0, -1)}${suffix}"`;
        expect((await save(tag)).status, tag).toBe(200);
        expect((await save(`"s0", ${tag}`)).status, tag).toBe(200);
        expect((await save(`${weak}"s0${suffix}"`)).status, tag).toBe(412);
      }
    expect((await save('"s1-other"')).status).toBe(412);
  });

  test('checks the ETag of the whole record for each part separately', async ({ staff }) => {
    const { id } = await enter(staff);
    await staff.post('/api/students/family', aFamily(id));
    await staff.post('/api/students/academics', aSemester(id, 1, []));
    const record = await staff.get(`/api/students/${id}`);
    const { academics } = record.body as { academics: [{ academic_id: number }] };
    const { etag } = record.headers;
    const family = `/api/students/${id}/family`;
    const semester = `/api/students/academics/${academics[0].academic_id}`;
    for (const [url, body] of [
      [family, aFamily(id, { father_name: 'Karim' })],
      [semester, { subject_1: 'Statics' }],
    ] as const) {
      expect((await putIf(staff, etag, url, body)).status, url).toBe(200);
      expect((await putIf(staff, etag, url, body)).status, url).toBe(412);
    }
    expect((await putIf(staff, etag, `/api/students/${id}`, aStudent({ id }))).status).toBe(200);
  });

  test('deletes nothing if the version is outdated', async ({ staff }) => {
    const { id } = await enter(staff);
    const url = `/api/students/${id}`;
    const { etag } = (await staff.get(`${url}/base`)).headers;
    await staff.put(url, aStudent({ id, first_name: 'Hina' }));
    const headers = { 'if-match': String(etag) };
    expect((await staff.call('DELETE', url, { headers })).status).toBe(412);
    expect((await staff.get(`${url}/base`)).status).toBe(200);
  });

  test.for(['"nonsense"', 'nonsense', '""', '"f1"', '"s99"'])(
    'is refused with the tag %s',
    async (tag, { staff }) => {
      const { id } = await enter(staff);
      expect((await putIf(staff, tag, `/api/students/${id}`, aStudent({ id }))).status).toBe(412);
    },
  );

  test('is unconditional without If-Match or with *', async ({ staff }) => {
    const { id } = await enter(staff);
    expect((await staff.put(`/api/students/${id}`, aStudent({ id }))).status).toBe(200);
    expect((await putIf(staff, '*', `/api/students/${id}`, aStudent({ id }))).status).toBe(200);
  });
});

describe.each(sharedApps())('the family step, on $name', ({ test }) => {
  // Covers 3.23
  test('stores what is sent', async ({ staff }) => {
    const { id } = await enter(staff);
    const sent = aFamily(id);
    const answer = await staff.post('/api/students/family', sent);
    expect(answer.status).toBe(201);
    expect(familyCreatedReply.parse(answer.body).family).toEqual(sent);
    expect((await staff.get(`/api/students/${id}`)).body).toMatchObject({ family: sent, academics: [] });
  });

  // Covers 5.12
  test("requires only the father's name and occupation", async ({ staff }) => {
    const { id: student_id } = await enter(staff);
    expect(getFieldErrors(await staff.post('/api/students/family', {}))).toEqual({
      student_id: ['The student id field is required.'],
      father_name: ['The father name field is required.'],
      father_occupation: ['The father occupation field is required.'],
    });
    const required = { student_id, father_name: 'Imran', father_occupation: 'Retired' };
    const answer = await staff.post('/api/students/family', required);
    const empty = ['mother_name', 'mother_occupation', 'number_siblings', 'father_phone', 'mother_phone'];
    expect(familyCreatedReply.parse(answer.body).family).toEqual({
      ...required,
      ...Object.fromEntries([...empty, 'home_phone', 'address'].map((field) => [field, null])),
    } satisfies Partial<Family>);
  });

  test.for<[keyof Family, unknown]>([
    ['father_name', 'x'.repeat(256)],
    ['father_name', 5],
    ['mother_occupation', 'nul\0'],
    ['address', 'x'.repeat(10_001)],
    ['home_phone', ['1']],
    ['number_siblings', -1],
    ['number_siblings', 1.5],
    ['number_siblings', 'two'],
    ['number_siblings', 1e300],
    ['student_id', 'no such student'],
    ['student_id', 'nobody'],
  ])('refuses %s %j and reports no other field', async ([field, value], { staff }) => {
    const { id } = await enter(staff);
    const answer = await staff.post('/api/students/family', { ...aFamily(id), [field]: value });
    expect(Object.keys(getFieldErrors(answer))).toEqual([field]);
    expect((await staff.get(`/api/students/${id}`)).text).toBe('null');
  });

  test.for([0, '3', 40, '', null])(
    'accepts %j as the number of siblings',
    async (number_siblings, { staff }) => {
      const { id } = await enter(staff);
      const answer = await staff.post('/api/students/family', { ...aFamily(id), number_siblings });
      const saved = familyCreatedReply.parse(answer.body).family.number_siblings;
      expect(saved).toBe(number_siblings === '' || number_siblings === null ? null : Number(number_siblings));
    },
  );

  test('can be created once and edited afterwards', async ({ staff }) => {
    const { id } = await enter(staff);
    await staff.post('/api/students/family', aFamily(id));
    const duplicate = await staff.post('/api/students/family', aFamily(id, { father_name: 'Second' }));
    expect(Object.keys(getFieldErrors(duplicate))).toEqual(['student_id']);
    const { student_id: _, ...edited } = aFamily(id, { father_name: 'Third', mother_name: null });
    expect((await staff.put(`/api/students/${id}/family`, edited)).status).toBe(200);
    expect((await staff.get(`/api/students/${id}`)).body).toMatchObject({
      family: { father_name: 'Third', mother_name: null },
    });
  });

  test('cannot be edited before it is created, nor moved to another student', async ({ staff }) => {
    const { id } = await enter(staff);
    const other = await enter(staff);
    expect((await staff.put(`/api/students/${id}/family`, aFamily(id))).status).toBe(404);
    await staff.post('/api/students/family', aFamily(id));
    expect(getFieldErrors(await staff.put(`/api/students/${id}/family`, aFamily(other.id)))).toHaveProperty(
      'student_id',
    );
    expect((await staff.get(`/api/students/${other.id}`)).text).toBe('null');
  });
});
