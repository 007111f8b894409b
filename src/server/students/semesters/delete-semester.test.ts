import { describe, expect } from 'vitest';
import { freshApps, type Person } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { historyReply } from '../../../contract/history.ts';
import { academicCreatedReply, academicDeletedReply } from '../../../contract/students/academics.ts';
import { runChecks } from '../../verify/checks.ts';

const ID = 'S1';
const RECORD = `/api/students/${ID}`;

/** A student with two semesters, the second with a course of the catalogue; answers the paths of the semesters. */
async function enter(staff: Person) {
  const course = aCourse();
  await staff.post('/api/courses', course);
  await staff.post('/api/students', aStudent({ id: ID, current_sem: 2 }));
  await staff.post('/api/students/family', aFamily(ID));
  const first = aSemester(ID, 1, [{ title: 'Statics', credits: 3, grade: 'A' }]);
  const second = aSemester(ID, 2, [{ title: 'Dynamics', credits: 4, grade: 'D' }]);
  const paths: string[] = [];
  for (const semester of [first, { ...second, subject_1_id: course.course_id }]) {
    const { academic } = academicCreatedReply.parse(
      (await staff.post('/api/students/academics', semester)).body,
    );
    paths.push(`/api/students/academics/${academic.academic_id}`);
  }
  const [one = '', two = ''] = paths;
  return { one, two, course };
}

const remove = async (by: Person, path: string) => {
  const answer = await by.delete(path);
  expect(answer.status, answer.text).toBe(200);
  return academicDeletedReply.parse(answer.body);
};
const undo = (by: Person, entry: number) => by.post(`${RECORD}/academics/restore?entry=${entry}`);
const record = async (by: Person) => (await by.get(RECORD)).body;

describe.each(freshApps())('deleting a semester, on $name', ({ test }) => {
  test('is possible for the last recorded one and leaves averages, list and counts in order', async ({
    app,
    staff,
  }) => {
    const { one, two, course } = await enter(staff);
    expect(await staff.delete(one)).toMatchObject({
      status: 409,
      body: { message: 'Only the last recorded semester can be deleted, which is semester 2.' },
    });
    expect((await remove(staff, two)).message).toBe('Semester 2 has been deleted.');
    expect(await record(staff)).toMatchObject({
      academics: [{ semester: 1, cgpa: 4 }],
      academics_summary: { latest_cgpa: 4 },
    });
    expect((await staff.get('/api/students')).body).toMatchObject({ students: [{ cgpa: 4 }] });
    const results = await app.db.read
      .selectFrom('course_results')
      .select('results')
      .where('course_id', '=', course.course_id)
      .execute();
    expect(results).toEqual([{ results: 0 }]);
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
    expect(await staff.delete(two)).toMatchObject({ status: 404 });
    await remove(staff, one);
    expect((await staff.get('/api/students')).body).toMatchObject({
      students: [{ cgpa: null, is_complete: false }],
    });
    expect((await staff.post('/api/students/academics', aSemester(ID, 1, []))).status).toBe(201);
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('is refused for viewers, on an older version, and for unknown semesters', async ({
    staff,
    viewer,
  }) => {
    const { two } = await enter(staff);
    const { etag } = (await staff.get(RECORD)).headers;
    expect((await viewer.delete(two)).status).toBe(403);
    await staff.put(two, aSemester(ID, 2, [{ title: 'Dynamics', credits: 4, grade: 'A' }]));
    const stale = await staff.call('DELETE', two, { headers: { 'if-match': String(etag) } });
    expect(stale).toMatchObject({ status: 412, body: { current: { subject_1: 'Dynamics' } } });
    expect((await staff.delete('/api/students/academics/987654')).status).toBe(404);
    expect(await record(staff)).toMatchObject({ academics: [{ semester: 1 }, { semester: 2 }] });
  });

  test('is undone exactly by the person who did it, even where entering it is no longer allowed', async ({
    app,
    staff,
  }) => {
    const { two, course } = await enter(staff);
    const before = await record(staff);
    const { entry } = await remove(staff, two);
    await staff.delete(`/api/courses/${course.course_id}`);
    const student = aStudent({ id: ID, current_sem: 1 });
    expect((await staff.put(RECORD, student)).status).toBe(200);
    expect(await undo(staff, entry)).toMatchObject({
      status: 201,
      body: { message: 'Semester 2 has been restored.' },
    });
    await staff.put(RECORD, { ...student, current_sem: 2 });
    expect(await record(staff)).toEqual(before);
    expect(await undo(staff, entry)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('has been recorded again') },
    });
    expect(await runChecks(app.db.read, () => {})).toEqual([]);
  });

  test('is undone by nobody else but an administrator', async ({ app, staff, admin }) => {
    const { two } = await enter(staff);
    const colleague = await app.register();
    const { entry } = await remove(staff, two);
    expect((await undo(colleague, entry)).status).toBe(403);
    expect((await undo(staff, entry + 1)).status).toBe(404);
    expect((await undo(admin, entry)).status).toBe(201);
  });

  test('is in the history, from which an administrator restores it in the order of the semesters', async ({
    staff,
    admin,
  }) => {
    const { one, two } = await enter(staff);
    const before = await record(staff);
    await remove(staff, two);
    await remove(staff, one);
    const { entries } = historyReply.parse((await staff.get(`${RECORD}/history`)).body);
    const [first, second] = entries;
    expect(first).toMatchObject({ action: 'delete', entity: 'semester', semester: 1 });
    const restore = (entry = 0) => admin.post(`/api/history/${entry}/restore?state=before`);
    expect(await restore(second?.id)).toMatchObject({
      status: 409,
      body: { message: 'Semester 2 can only be restored once semester 1 is recorded.' },
    });
    expect((await admin.get(`/api/history/${first?.id}/restore?state=before`)).body).toMatchObject({
      obstacle: null,
      changes: [{ label: 'Subject 1', before: null, after: 'Statics, 3 credit hours, grade A' }],
    });
    expect((await restore(first?.id)).status).toBe(201);
    expect((await restore(second?.id)).status).toBe(201);
    expect(await record(staff)).toEqual(before);
  });

  test('of a former student is not undone in the record of another with the same ID', async ({
    staff,
    admin,
  }) => {
    const { two } = await enter(staff);
    const { entry } = await remove(staff, two);
    await staff.delete(RECORD);
    expect((await undo(staff, entry)).status).toBe(404);
    await staff.post('/api/students', aStudent({ id: ID }));
    await staff.post('/api/students/family', aFamily(ID));
    await staff.post('/api/students/academics', aSemester(ID, 1, []));
    expect((await undo(staff, entry)).status).toBe(409);
    expect((await admin.post(`/api/history/${entry}/restore?state=before`)).status).toBe(409);
    expect(await record(staff)).toMatchObject({ academics: [{ semester: 1 }] });
  });
});
