import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { aHold } from '../support/app/holds.ts';
import { getFieldErrors, type Person } from '../support/app/people.ts';
import { targets } from '../support/processes/raw-client.ts';
import { aFamily, aSemester, aStudent } from '../support/records.ts';

/** Words that a page must show and never run. */
const SCRIPTS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  "';alert(1)//",
  '{{constructor.constructor("alert(1)")()}}',
  '=cmd|calc!A1',
];

describe.each(targets())('hostile content in and next to fields, on $name', ({ test }) => {
  const read = async (person: Person, id: string) => (await person.get(`/api/students/${id}`)).body;

  // Covers A56
  test('a script in any text is returned unchanged as data', async ({ admin }) => {
    for (const script of SCRIPTS) {
      const words = {
        first_name: script,
        last_name: script,
        phone_number: script,
        reason: script,
        img: script,
      };
      const student = aStudent({ ...words, degree: script.slice(0, 20), current_sem: 1 });
      expect((await admin.post('/api/students', student)).status).toBe(201);
      const family = aFamily(student.id, { father_name: script, address: script });
      await admin.post('/api/students/family', family);
      const subjects = [{ title: script, credits: 3, grade: 'A' }] as const;
      await admin.post('/api/students/academics', aSemester(student.id, 1, subjects));
      const answer = await admin.get(`/api/students/${student.id}`);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.body).toMatchObject({ student: words, family, academics: [{ subject_1: script }] });
      const outside = {
        title: script,
        credits: 3,
        institution: script,
        grade: script.slice(0, 40),
        row: null,
      };
      await admin.post(`/api/students/${student.id}/outside-credits`, outside);
      const { body } = await admin.get(`/api/students/${student.id}/audit`);
      expect(body).toMatchObject({ outside_credits: [outside] });
      const held = await admin.post(
        `/api/students/${student.id}/holds`,
        aHold({ reason: `Reason: ${script}` }),
      );
      expect(held.body).toMatchObject({ hold: { reason: `Reason: ${script}` } });
      const draft = await admin.post('/api/schemes', { name: script, department: 'CE', degrees: null });
      expect(draft.body).toMatchObject({ scheme: { name: script } });
    }
  });

  // Covers A48
  test('what only the server works out, or another record’s, is ignored or refused', async ({ admin }) => {
    const [student, other] = [aStudent({ current_sem: 2 }), aStudent({ current_sem: 2 })];
    const computed = {
      age: 99,
      cgpa: 4,
      sgpa: 4,
      latest_cgpa: 4,
      version: 7,
      created_at: '1970-01-01',
      is_complete: 1,
    };
    for (const one of [student, other]) {
      expect(
        (await admin.post('/api/students', { ...one, ...computed, family: {}, academics: [] })).status,
      ).toBe(201);
      expect((await admin.post('/api/students/family', { ...aFamily(one.id), ...computed })).status).toBe(
        201,
      );
    }
    const subjects = [{ title: 'Statics', credits: 3, grade: 'F' }] as const;
    const sent = { ...aSemester(student.id, 1, subjects), ...computed };
    const { body } = await admin.post('/api/students/academics', sent);
    expect(body).toMatchObject({ academic: { sgpa: 0, cgpa: 0 } });
    const { academic_id } = (body as { academic: { academic_id: number } }).academic;
    const before = await read(admin, other.id);

    const url = `/api/students/academics/${academic_id}`;
    const foreign = await admin.put(url, { ...sent, student_id: other.id });
    expect(getFieldErrors(foreign)).toHaveProperty('student_id');
    const family = await admin.put(`/api/students/${student.id}/family`, aFamily(other.id));
    expect(getFieldErrors(family)).toHaveProperty('student_id');
    const renamed = await admin.put(`/api/students/${student.id}`, { ...student, id: other.id });
    expect(getFieldErrors(renamed)).toHaveProperty('id');
    expect(await read(admin, other.id)).toEqual(before);
    expect(await read(admin, student.id)).toMatchObject({ academics_summary: { latest_cgpa: 0 } });
    expect(JSON.stringify(await read(admin, student.id))).not.toMatch(/"(age|version|created_at)":/);
  });

  // Covers A49
  test('a step that is left out, or taken twice, is refused', async ({ admin }) => {
    const student = aStudent({ current_sem: 1 });
    const results = (semester: number) => aSemester(student.id, semester, []);
    expect(getFieldErrors(await admin.post('/api/students/family', aFamily(student.id)))).toHaveProperty(
      'student_id',
    );
    await admin.post('/api/students', student);
    expect([409, 422]).toContain((await admin.post('/api/students/academics', results(1))).status);
    await admin.post('/api/students/family', aFamily(student.id));
    expect(getFieldErrors(await admin.post('/api/students/academics', results(2)))).toHaveProperty(
      'semester',
    );
    expect((await admin.post('/api/students/academics', results(1))).status).toBe(201);
    expect(getFieldErrors(await admin.post('/api/students/academics', results(1)))).toHaveProperty(
      'semester',
    );
    const eleven = { ...results(1), subject_11: 'One too many' };
    expect(JSON.stringify(getFieldErrors(await admin.post('/api/students/academics', eleven)))).toContain(
      '10 is the maximum number of subjects per semester',
    );
  });

  // Covers A62
  test('a URL given as portrait is never fetched', async ({ admin }) => {
    let asked = 0;
    const inside = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    const bound = inside.address();
    const img = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/latest/meta-data`;
    const student = aStudent();
    await admin.post('/api/students', student);
    for (const address of [img, 'file:///etc/passwd', 'http://169.254.169.254/']) {
      const answer = await admin.put(`/api/students/${student.id}`, { ...student, img: address });
      expect(answer).toMatchObject({ status: 200, body: { student: { img: address } } });
    }
    await admin.get(`/api/students/${student.id}/base`);
    expect(asked).toBe(0);
    await new Promise((resolve) => inside.close(resolve));
  });

  // Covers A47
  test('only who may deletes, and a deleted student is gone with family and results', async ({
    target,
    admin,
    viewer,
  }) => {
    const student = aStudent({ current_sem: 1 });
    await admin.post('/api/students', student);
    await admin.post('/api/students/family', aFamily(student.id));
    await admin.post('/api/students/academics', aSemester(student.id, 1, []));
    const url = `/api/students/${student.id}`;
    expect((await target.call('DELETE', url)).status).toBe(401);
    expect((await viewer.delete(url)).status).toBe(403);
    expect((await admin.get(url)).status).toBe(200);
    expect((await admin.delete(url)).status).toBe(200);
    expect((await admin.delete(url)).status).toBe(404);
    expect((await admin.post('/api/students', student)).status).toBe(201);
    expect(await read(admin, student.id)).toBeNull();
  });
});
