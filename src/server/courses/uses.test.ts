import { describe, expect } from 'vitest';
import { aClass, createSheet } from '../../../tests/support/app/mark-sheets.ts';
import { sharedApps } from '../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aSemester, aStudent } from '../../../tests/support/records.ts';
import { deletionsReply } from '../../contract/history.ts';

describe.each(sharedApps())('the uses of a course, on $name', ({ test }) => {
  test('are its graded results, mark sheets and marks', async ({ app, admin, staff }) => {
    const own = await aClass({ app, admin }, 0);
    const path = `/api/courses/${own.course_id}`;
    expect((await staff.get(`${path}/uses`)).body).toEqual({ results: 0, sheets: 0, marks: 0 });
    const student = aStudent();
    await staff.post('/api/students', student);
    await staff.post('/api/students/family', aFamily(student.id));
    const subject = { title: 'Signals', credits: 3, grade: 'B', courseId: own.course_id } as const;
    await staff.post('/api/students/academics', aSemester(student.id, 1, [subject]));
    await staff.post('/api/courses-marks', { course_id: own.course_id, marks: '50, 60' });
    await createSheet(staff, own);
    expect((await staff.get(`${path}/uses`)).body).toEqual({ results: 1, sheets: 1, marks: 2 });
    expect((await staff.get('/api/courses/999999999/uses')).status).toBe(404);
  });

  test('do not keep whoever deleted it from bringing it back with its marks', async ({ app, staff }) => {
    const colleague = await app.register();
    const course = aCourse();
    const path = `/api/courses/${course.course_id}`;
    await staff.post('/api/courses', course);
    await staff.post('/api/courses-marks', { course_id: course.course_id, marks: '50, 60' });
    expect((await staff.delete(path)).status).toBe(204);
    const { deletions } = deletionsReply.parse((await staff.get('/api/deletions')).body);
    const deleted = deletions.find(({ entity_id }) => entity_id === String(course.course_id));
    expect(deleted).toMatchObject({
      ...{ entity: 'course', name: `${course.course_code} ${course.course_name}`, restorable: true },
    });
    const restore = `/api/history/${deleted?.entry}/restore?state=before`;
    expect((await colleague.post(restore)).status).toBe(403);
    expect((await staff.post(restore)).status).toBe(201);
    expect((await staff.get(path)).body).toMatchObject({ course: { ...course, marks_count: 2 } });
  });
});
