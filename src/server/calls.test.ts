import { describe, expect } from 'vitest';
import { sharedApps } from '../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent, unique } from '../../tests/support/records.ts';
import { SLOTS } from '../contract/students/subject-slots.ts';

const text = expect.any(String);
const number = expect.any(Number);
const sortedKeys = (value: unknown) => Object.keys(Object(value)).sort();

describe.each(sharedApps())('the API calls of the browser, on $name', ({ test }) => {
  // Covers 3.1, 3.37, 3.38, 3.39, 3.40, 7.2, 7.4, 7.5, 7.6, 7.7, 7.8, 7.9, 7.11, 7.12, 7.13, 7.14, 7.15
  // Covers 8.5
  test('register, edit and sign out accounts', async ({ app, admin }) => {
    const [email, password] = [`${unique()}@faculty.example`, 'a quiet afternoon'];
    const user = { id: number, email, name: 'Sana Malik', role: 'staff' };
    const call = (method: string, url: string, token: string | undefined, body?: unknown) =>
      app.call(method, url, { ...(token === undefined ? {} : { token }), body });

    const registered = await call('POST', '/api/register', undefined, {
      ...{ name: 'Sana Malik', email, password, password_confirmation: password },
    });
    expect(registered).toMatchObject({ status: 201, body: { token: text, user, message: text } });
    expect(sortedKeys(registered.body)).toEqual(['message', 'token', 'user']);
    const signedIn = await call('POST', '/api/login', undefined, { email, password });
    expect(signedIn).toMatchObject({ status: 200, body: { token: text, user, message: text } });
    const wrong = await call('POST', '/api/login', undefined, { email, password: 'something else' });
    expect(wrong).toMatchObject({ status: 401, body: { message: 'Invalid Creditentials.' } });
    const incomplete = await call('POST', '/api/login', undefined, { email });
    expect(incomplete).toMatchObject({ status: 422, body: { errors: { password: [text] } } });

    const { token, user: own } = signedIn.body as { token: string; user: { id: number } };
    const url = `/api/users/${own.id}`;
    const users = await call('GET', '/api/users', token);
    expect(users.body).toContainEqual({ ...user, id: own.id });
    expect(users.body).toContainEqual(admin.user);

    const edit = { id: own.id, name: 'Sana Bhatti', email, role: 'staff' };
    const edited = await call('PUT', url, token, { ...edit, password });
    expect(edited).toMatchObject({ status: 200, body: { message: text, user: edit } });
    expect((await call('PUT', url, token, { ...edit, password: 'wrong one' })).status).toBe(401);
    const empty = await call('PUT', url, token, {});
    expect(empty.status).toBe(422);
    expect(sortedKeys((empty.body as { errors: unknown }).errors)).toEqual([
      'email',
      'name',
      'password',
      'role',
    ]);

    const next = 'a louder afternoon';
    const change = { id: own.id, password: next, password_confirmation: next };
    const refused = await call('PUT', `${url}/change-password`, token, { ...change, old_password: 'wrong' });
    expect(refused).toMatchObject({ status: 401, body: { error: 'Incorrect current password.' } });
    const mismatch = { ...change, old_password: password, password_confirmation: 'other' };
    expect(await call('PUT', `${url}/change-password`, token, mismatch)).toMatchObject({
      status: 422,
      body: { errors: { password: ['The password confirmation does not match.'] } },
    });
    const changed = await call('PUT', `${url}/change-password`, token, { ...change, old_password: password });
    expect(changed).toMatchObject({ status: 200, body: { message: text } });

    const recovery = await call('POST', '/api/forgot-password', undefined, { email });
    expect(recovery).toMatchObject({ status: 202, body: { message: text } });
    const signedOut = await call('POST', '/api/logout', token);
    expect(signedOut).toMatchObject({ status: 200, body: { loggedOut: true, token: null, message: text } });
    expect((await call('GET', '/api/users', token)).status).toBe(401);
  });

  // Covers 3.24, 3.25, 3.27, 3.28, 7.17, 7.20, 7.22, 7.23, 7.25, 7.26, 7.27, 7.28, 7.29, 7.30, 7.31, 7.44
  test('create, read, change and delete students', async ({ staff }) => {
    const sent = aStudent({ current_sem: 1 });
    const { id } = sent;
    const url = `/api/students/${id}`;
    const student = {
      ...{ ...sent, fsc_marks: 0.85, matric_marks: expect.closeTo(987.5 / 1100, 12) },
      ...{ status: 'active', status_date: null, status_reason: null },
    };
    expect(await staff.post('/api/students', sent)).toMatchObject({
      status: 201,
      body: { message: text, student },
    });
    const list = (await staff.get('/api')).body;
    expect(list).toContainEqual(student);
    expect(await staff.get(url)).toMatchObject({ status: 200, text: 'null' });
    expect((await staff.get(`${url}/family/create`)).body).toMatchObject({ canProceed: true, message: text });

    const family = aFamily(id);
    expect(await staff.post('/api/students/family', family)).toMatchObject({
      status: 201,
      body: { message: text, family },
    });
    expect((await staff.get(`${url}/family/create`)).body).toEqual({
      ...{ canProceed: false, redirectTo: 'academics', message: text },
    });
    expect((await staff.get(`${url}/academics/create`)).body).toEqual({
      ...{ canProceed: true, redirectToDashboard: false, redirectToMain: false, message: text },
      nextSemester: 1,
    });

    const subjects = [{ title: 'Calculus', credits: 3, grade: 'A' }] as const;
    const academic = {
      student_id: id,
      semester: 1,
      subject_1: 'Calculus',
      subj_grade_1: 4,
      sgpa: 4,
      cgpa: 4,
    };
    const results = await staff.post('/api/students/academics', aSemester(id, 1, subjects));
    expect(results).toMatchObject({ status: 201, body: { message: text, academic } });
    const { academic: saved } = results.body as { academic: { academic_id: number } };
    expect(sortedKeys(saved)).toEqual(
      [
        ...['academic_id', 'student_id', 'semester', 'sgpa', 'cgpa'],
        ...SLOTS.flatMap((n) => [`subject_${n}`, `subject_${n}_id`, `subj_credit_${n}`, `subj_grade_${n}`]),
      ].sort(),
    );
    expect((await staff.get(url)).body).toEqual({
      ...{
        student,
        family,
        academics: [saved],
        academics_summary: { latest_cgpa: 4, latest_cgpa_semester: 1, final_cgpa: null },
      },
    });

    expect(await staff.put(url, { ...sent, first_name: 'Hina' })).toMatchObject({
      status: 200,
      body: { message: text, student: { first_name: 'Hina' } },
    });
    expect(await staff.put(`${url}/family`, { ...family, number_siblings: 4 })).toMatchObject({
      status: 200,
      body: { message: text, family: { number_siblings: 4 } },
    });
    const editedSemester = {
      student_id: id,
      semester: 1,
      subject_1: 'Calculus',
      subj_credit_1: 3,
      subj_grade_1: 'B',
    };
    expect(await staff.put(`/api/students/academics/${saved.academic_id}`, editedSemester)).toMatchObject({
      status: 200,
      body: { message: text, academic: { subj_grade_1: 3, sgpa: 3 } },
    });
    expect(await staff.delete(url)).toMatchObject({ status: 200, body: { message: text } });
    expect((await staff.get(url)).status).toBe(404);
  });

  // Covers 3.33, 3.34, 7.32, 7.33, 7.34, 7.36, 7.38, 7.42, 7.43, 7.44
  test('create, read, change and delete courses', async ({ staff }) => {
    const course_id = 880_001;
    const url = `/api/courses/${course_id}`;
    const sent = { course_id, course_code: 'ME-1', course_name: 'Statics', course_description: null };
    const course = { ...sent, credits: null, average: null, std_dev: null, marks_count: 0 };
    expect(await staff.post('/api/courses', sent)).toMatchObject({
      status: 201,
      body: { message: text, course },
    });
    expect((await staff.get('/api/courses')).body).toContainEqual({ ...course, histogram: [] });
    const marked = { ...course, average: 60, std_dev: 20, marks_count: 2 };
    expect(await staff.post('/api/courses-marks', { course_id, marks: '40,80' })).toMatchObject({
      status: 201,
      body: { message: text, course: marked },
    });
    expect((await staff.get(url)).body).toEqual({ canProceed: true, course: marked, message: '' });
    expect((await staff.get(`/api/courses/histogram/${course_id}`)).body).toEqual(
      [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((bin) => ({
        bin,
        count: bin === 40 || bin === 80 ? 1 : 0,
      })),
    );
    expect(await staff.put(url, { ...sent, course_name: 'Dynamics' })).toMatchObject({
      status: 200,
      body: { message: 'Course details updated successfully', course: { course_name: 'Dynamics' } },
    });
    expect(await staff.delete(url)).toMatchObject({ status: 204, text: '' });
    expect((await staff.get(url)).body).toEqual({ canProceed: false, message: text });
  });
});
