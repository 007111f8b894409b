import { describe, expect } from 'vitest';
import { getFieldErrors, type Person, sharedApps } from '../../../../tests/support/app/test-app.ts';
import { aFamily, aSemester, aStudent } from '../../../../tests/support/records.ts';
import { courseId } from '../../../contract/fields.ts';
import { academicCreatedReply, subjectSlots } from '../../../contract/students/academics.ts';
import { recordReply } from '../../../contract/students/students.ts';
import { SLOTS } from '../../../contract/students/subject-slots.ts';
import { GRADE_LETTERS, gradePoints } from '../../../domain/grading/gpa.ts';

/** Creates a student whose results can be entered. */
const enter = async (staff: Person, current_sem = 8) => {
  const { id } = aStudent();
  await staff.post('/api/students', aStudent({ id, current_sem }));
  await staff.post('/api/students/family', aFamily(id));
  return id;
};

const send = (staff: Person, student_id: string, semester: unknown, slots: Record<string, unknown> = {}) =>
  staff.post('/api/students/academics', { student_id, semester, ...slots });

const readAcademics = async (staff: Person, id: string) =>
  recordReply.parse((await staff.get(`/api/students/${id}`)).body)?.academics ?? [];

let lastCourse = 9000;
const addCourse = async (staff: Person) => {
  lastCourse += 1;
  const course = { course_id: lastCourse, course_code: `C-${lastCourse}`, course_name: 'Statics' };
  expect((await staff.post('/api/courses', course)).status).toBe(201);
  return courseId.parse(lastCourse);
};

describe.each(sharedApps())('recording semesters, on $name', ({ test }) => {
  // Covers 3.29
  test('accepts only the next semester, up to the current one', async ({ staff }) => {
    const id = await enter(staff, 2);
    expect(getFieldErrors(await send(staff, id, 2))).toHaveProperty('semester');
    expect((await send(staff, id, 1)).status).toBe(201);
    expect(getFieldErrors(await send(staff, id, 1))).toHaveProperty('semester');
    expect((await send(staff, id, '2')).status).toBe(201);
    expect(getFieldErrors(await send(staff, id, 3))).toHaveProperty('semester');
    expect((await readAcademics(staff, id)).map(({ semester }) => semester)).toEqual([1, 2]);
  });

  test('accepts one of several concurrent calls with the same semester', async ({ staff }) => {
    const id = await enter(staff);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(staff, id, 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 422),
    ]);
    expect(await readAcademics(staff, id)).toHaveLength(1);
  });

  // Covers 9.2
  test.for([0, 9, -1, 1.5, 'first', null, '', true, [1]])(
    'refuses the semester %j',
    async (semester, { staff }) => {
      const id = await enter(staff);
      expect(Object.keys(getFieldErrors(await send(staff, id, semester)))).toEqual(['semester']);
      expect(await readAcademics(staff, id)).toEqual([]);
    },
  );

  test('requires an existing student with a family', async ({ staff }) => {
    const { id } = aStudent();
    expect(getFieldErrors(await send(staff, id, 1))).toHaveProperty('student_id');
    expect(getFieldErrors(await send(staff, '', 1))).toEqual({
      student_id: ['The student id field is required.'],
    });
    await staff.post('/api/students', aStudent({ id }));
    expect((await send(staff, id, 1)).status).toBe(409);
    await staff.post('/api/students/family', aFamily(id));
    expect((await send(staff, id, 1)).status).toBe(201);
  });
});

describe.each(sharedApps())('the subjects of a semester, on $name', ({ test }) => {
  test('keep their slots, with gaps; empty slots are null', async ({ staff }) => {
    const id = await enter(staff);
    const course = await addCourse(staff);
    const slots = { subject_2: 'Statics', subject_2_id: course, subj_credit_2: 4, subj_grade_2: 'B+' };
    const answer = await send(staff, id, 1, { ...slots, subject_10: 'Project' });
    expect(answer.status).toBe(201);
    const { academic } = academicCreatedReply.parse(answer.body);
    expect(academic).toEqual({
      ...subjectSlots.parse({}),
      ...slots,
      subj_grade_2: 3.5,
      subject_10: 'Project',
      academic_id: expect.any(Number),
      student_id: id,
      semester: 1,
      sgpa: 3.5,
      cgpa: 3.5,
    });
    expect(await readAcademics(staff, id)).toEqual([academic]);
  });

  test('may be missing: the averages are 0', async ({ staff }) => {
    const id = await enter(staff);
    const blank = Object.fromEntries(
      SLOTS.flatMap((n) => [`subject_${n}`, `subject_${n}_id`, `subj_credit_${n}`, `subj_grade_${n}`]).map(
        (field, i) => [field, ['', null, ' '][i % 3]],
      ),
    );
    const answer = await send(staff, id, 1, blank);
    expect(answer.status, answer.text).toBe(201);
    expect(academicCreatedReply.parse(answer.body).academic).toMatchObject({
      sgpa: 0,
      cgpa: 0,
      subject_1: null,
    });
  });

  // Covers 5.36, 8.8, 9.1
  test('are ten at most', async ({ staff }) => {
    const id = await enter(staff);
    const ten = Object.fromEntries(SLOTS.map((n) => [`subject_${n}`, `Subject ${n}`]));
    for (const field of ['subject_11', 'subject_11_id', 'subj_credit_11', 'subj_grade_12', 'subject_999']) {
      expect(getFieldErrors(await send(staff, id, 1, { ...ten, [field]: 'x' }))).toEqual({
        [field]: ['10 is the maximum number of subjects per semester'],
      });
    }
    expect((await send(staff, id, 1, ten)).status).toBe(201);
  });

  test.for<[string, unknown]>([
    ['subject_3_id', 1],
    ['subj_credit_3', 3],
    ['subj_grade_3', 'F'],
    ['subj_grade_3', 0],
  ])('need a title: %s alone (%j) is refused at the title', async ([field, value], { staff }) => {
    const id = await enter(staff);
    expect(getFieldErrors(await send(staff, id, 1, { [field]: value }))).toEqual({
      subject_3: ['The subject 3 field is required.'],
    });
  });

  // Covers A55
  test.for<[string, unknown[]]>([
    ['subj_credit_1', [0, 7, -1, 2.5, 'three', true, [3]]],
    [
      'subj_grade_1',
      ['E', 'a', 'A+', '', 3.7, 0.5, -1, 4.5, 5, '3.7', true, ['A'], {}].filter((one) => one !== ''),
    ],
    ['subject_1_id', [0, -1, 1.5, '1abc', 2 ** 53, 1e300, true, [1], 987_654_321]],
    ['subject_1', ['x'.repeat(256), 5, 'nul\0']],
  ])('refuse invalid values of %s, and report no other field', async ([field, values], { staff }) => {
    const id = await enter(staff);
    for (const value of values) {
      const answer = await send(staff, id, 1, { subject_1: 'Statics', [field]: value });
      expect(Object.keys(getFieldErrors(answer)), JSON.stringify(value)).toEqual([field]);
    }
    expect(await readAcademics(staff, id)).toEqual([]);
  });

  // Covers 3.27
  test('accept grades as letters or points, as number or text, and return points', async ({ staff }) => {
    for (const letter of GRADE_LETTERS) {
      const points = gradePoints(letter);
      for (const sent of [letter, points, String(points), points.toFixed(1)]) {
        const id = await enter(staff);
        const slots = { subject_1: 'Statics', subj_credit_1: '3', subj_grade_1: sent };
        const answer = await send(staff, id, 1, slots);
        const { academic } = academicCreatedReply.parse(answer.body);
        expect(academic).toMatchObject({ subj_grade_1: points, subj_credit_1: 3, sgpa: points });
      }
    }
  });

  test('require an existing course, or the one that the slot already held', async ({ staff }) => {
    const id = await enter(staff);
    const course = await addCourse(staff);
    const slots = { subject_1: 'Statics', subject_1_id: String(course) };
    const created = academicCreatedReply.parse((await send(staff, id, 1, slots)).body).academic;
    expect(created.subject_1_id).toBe(course);
    const url = `/api/students/academics/${created.academic_id}`;
    if ((await staff.delete(`/api/courses/${course}`)).status !== 204) return;
    expect((await staff.put(url, { ...slots, subj_grade_1: 'A' })).status).toBe(200);
    const moved = { subject_2: 'Statics', subject_2_id: course };
    expect(Object.keys(getFieldErrors(await staff.put(url, moved)))).toEqual(['subject_2_id']);
    expect(Object.keys(getFieldErrors(await send(staff, id, 2, slots)))).toEqual(['subject_1_id']);
  });
});

describe.each(sharedApps())('changing the results of a semester, on $name', ({ test }) => {
  test('replaces all of its subjects', async ({ staff }) => {
    const id = await enter(staff);
    const before = aSemester(id, 1, [
      { title: 'Statics', credits: 3, grade: 'A' },
      { title: 'Dynamics', credits: 3, grade: 'F' },
    ]);
    const { academic } = academicCreatedReply.parse(
      (await staff.post('/api/students/academics', before)).body,
    );
    expect(academic.sgpa).toBe(2);
    const url = `/api/students/academics/${academic.academic_id}`;
    const answer = await staff.put(url, { subject_2: 'Fluids', subj_credit_2: 2, subj_grade_2: 'C' });
    expect(answer.status).toBe(200);
    expect(academicCreatedReply.parse(answer.body).academic).toEqual({
      ...academic,
      subject_1: null,
      subj_credit_1: null,
      subj_grade_1: null,
      subject_2: 'Fluids',
      subj_credit_2: 2,
      subj_grade_2: 2,
      sgpa: 2,
      cgpa: 2,
    });
  });

  test('ignores averages that are sent', async ({ staff }) => {
    const id = await enter(staff);
    const slots = {
      subject_1: 'Statics',
      subj_credit_1: 3,
      subj_grade_1: 'D',
      sgpa: 4,
      cgpa: 4,
      latest_cgpa: 4,
    };
    const { academic } = academicCreatedReply.parse((await send(staff, id, 1, slots)).body);
    expect(academic).toMatchObject({ sgpa: 1, cgpa: 1 });
    const answer = await staff.put(`/api/students/academics/${academic.academic_id}`, slots);
    expect(answer.body).toMatchObject({ academic: { sgpa: 1, cgpa: 1 } });
  });

  test('cannot move them to another student or semester', async ({ staff }) => {
    const [id, other] = [await enter(staff), await enter(staff)];
    const { academic } = academicCreatedReply.parse((await send(staff, id, 1)).body);
    const url = `/api/students/academics/${academic.academic_id}`;
    expect(getFieldErrors(await staff.put(url, { student_id: other, subject_1: 'x' }))).toHaveProperty(
      'student_id',
    );
    expect(getFieldErrors(await staff.put(url, { semester: 2, subject_1: 'x' }))).toHaveProperty('semester');
    expect((await staff.put(url, { student_id: id, semester: 1, subject_1: 'x' })).status).toBe(200);
    expect(await readAcademics(staff, other)).toEqual([]);
  });

  test.for(['0', '-1', '4711000', '1.5', 'x', '9e99', '99999999999'])(
    'answers 404 for the unknown semester record %s',
    async (id, { staff }) => {
      expect((await staff.put(`/api/students/academics/${id}`, {})).status).toBe(404);
    },
  );
});
