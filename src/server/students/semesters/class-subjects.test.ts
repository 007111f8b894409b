import { describe, expect } from 'vitest';
import { getFieldErrors, type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aCourse, aFamily, aStudent, unique } from '../../../../tests/support/records.ts';
import { classSubjectsReply } from '../../../contract/students/academics.ts';
import type { StudentInput } from '../../../contract/students/students.ts';

type Fields = Record<string, string | number>;

/** Creates a student of the class with one list of fields for each semester. */
async function enter(staff: Person, changes: Partial<StudentInput>, ...semesters: Fields[]): Promise<string> {
  const student = aStudent(changes);
  await staff.post('/api/students', student);
  await staff.post('/api/students/family', aFamily(student.id));
  for (const [i, fields] of semesters.entries()) {
    const body = { student_id: student.id, semester: i + 1, ...fields };
    const answer = await staff.post('/api/students/academics', body);
    if (answer.status !== 201) throw new Error(answer.text);
  }
  return student.id;
}

async function subjectsFor(staff: Person, id: string, semester: number) {
  const answer = await staff.get(`/api/students/${id}/class-subjects?semester=${semester}`);
  expect(answer.status, answer.text).toBe(200);
  expect(classSubjectsReply.parse(answer.body)).toEqual(answer.body);
  return classSubjectsReply.parse(answer.body);
}

const physics = { subject_1: 'Physics', subj_credit_1: 4, subj_grade_1: 'A' };

describe.each(sharedApps())('the subjects of a class, on $name', ({ test }) => {
  test('are those of others in the same semester, the most frequent first', async ({ staff }) => {
    const course = aCourse();
    await staff.post('/api/courses', course);
    const own = { department: 'CE', degree: unique(), syn: 'B' } as const;
    const statics = { subject_2: 'Statics', subject_2_id: course.course_id, subj_credit_2: 3 };
    await enter(staff, { ...own, current_sem: 1 }, { ...physics, ...statics });
    await enter(staff, { ...own, current_sem: 2 }, statics, { subject_1: 'Dynamics' });
    await enter(staff, { ...own, current_sem: 1 }, { ...statics, subject_4: 'Drawing' });
    const student = await enter(staff, { ...own, current_sem: 2 });
    expect(await subjectsFor(staff, student, 1)).toEqual({
      classmates: 3,
      subjects: [
        { title: 'Statics', course_id: course.course_id, credits: 3, students: 3 },
        { title: 'Physics', course_id: null, credits: 4, students: 1 },
        { title: 'Drawing', course_id: null, credits: null, students: 1 },
      ],
    });
    expect(await subjectsFor(staff, student, 2)).toMatchObject({
      classmates: 1,
      subjects: [{ title: 'Dynamics' }],
    });
    expect(await subjectsFor(staff, student, 8)).toEqual({ classmates: 0, subjects: [] });
  });

  test("leave out the student's own and those of other departments, degrees and syndicates", async ({
    staff,
  }) => {
    const own = { department: 'CE', degree: unique(), syn: 'B', current_sem: 1 } as const;
    const student = await enter(staff, own, physics);
    await enter(staff, { ...own, department: 'ME' }, physics);
    await enter(staff, { ...own, degree: unique() }, physics);
    await enter(staff, { ...own, syn: 'A' }, physics);
    expect(await subjectsFor(staff, student, 1)).toEqual({ classmates: 0, subjects: [] });
  });

  test('count one subject that is spelt differently once, in its most frequent spelling', async ({
    staff,
  }) => {
    const own = { degree: unique(), current_sem: 1 };
    for (const title of ['Physics', 'Physics', 'PHYSICS']) {
      await enter(staff, own, { ...physics, subject_1: title });
    }
    const student = await enter(staff, own);
    expect((await subjectsFor(staff, student, 1)).subjects).toEqual([
      { title: 'Physics', course_id: null, credits: 4, students: 2 },
    ]);
  });

  test('are refused for an unknown student and for anything but a semester', async ({ staff }) => {
    const student = await enter(staff, {});
    const path = `/api/students/${student}/class-subjects`;
    expect((await staff.get('/api/students/nobody/class-subjects?semester=1')).status).toBe(404);
    expect((await staff.get('/api/students/%00/class-subjects?semester=1')).status).toBe(404);
    for (const semester of ['', '0', '9', '1.5', "1'--"]) {
      const refused = await staff.get(`${path}?semester=${encodeURIComponent(semester)}`);
      expect(Object.keys(getFieldErrors(refused)), semester).toEqual(['semester']);
    }
    expect((await staff.get(path)).status).toBe(422);
  });
});
