import { setTimeout as sleep } from 'node:timers/promises';
import type { StudentInput } from '../../../src/contract/students/students.ts';
import { GRADE_LETTERS, type GradeLetter, gradePoints } from '../../../src/domain/grading/gpa.ts';
import { toFraction, toHundredths } from '../../../src/domain/student.ts';
import type { Api } from '../../support/api.ts';
import { aCourse, aFamily, aSemester, aStudent, unique } from '../../support/records.ts';
import type { Content, Ledger } from './ledger.ts';

const pick = <Of>(all: readonly Of[], fallback: Of): Of =>
  all[Math.floor(Math.random() * all.length)] ?? fallback;

const fraction = (marks: number) => toFraction(toHundredths(marks) ?? Number.NaN);
const presented = (student: StudentInput) => ({
  ...student,
  ...{ status: 'active', status_date: null, status_reason: null },
  fsc_marks: fraction(student.fsc_marks),
  matric_marks: fraction(student.matric_marks),
});

/** The expected results: one subject per semester. */
function toResults(grades: readonly GradeLetter[], title: string) {
  return grades.map((grade, i) => {
    const points = grades.slice(0, i + 1).map(gradePoints);
    return {
      semester: i + 1,
      title,
      sgpa: gradePoints(grade),
      cgpa: points.reduce((sum, one) => sum + one, 0) / points.length,
    };
  });
}

/** Whether a writer continues with its next write. */
type GoesOn = () => boolean;

/**
 * Creates, completes, edits and deletes its own records, and uploads marks of its own course, while `goesOn` returns true. A
 * record whose write is not acknowledged is abandoned and the next one begun.
 */
export async function keepWriting(api: Api, ledger: Ledger, goesOn: GoesOn): Promise<void> {
  const course = aCourse();
  const hasCourse = await ledger.write(`course/${course.course_id}`, { count: 0, average: null }, () =>
    api.send('POST', '/api/courses', course),
  );
  while (goesOn()) {
    const isWhole = await liveOnce(api, ledger, goesOn);
    if (hasCourse && isWhole && goesOn()) await uploadMarks(api, ledger, course.course_id);
    // Waits after a refusal before the next attempt.
    if (!isWhole) await sleep(50);
  }
}

/** Runs one record from creation to deletion. Returns whether every step was acknowledged. */
async function liveOnce(api: Api, ledger: Ledger, goesOn: GoesOn): Promise<boolean> {
  let student = aStudent({ current_sem: 2 });
  const { id } = student;
  const family = aFamily(id, { father_name: `Father ${unique()}` });
  const title = `Subject ${unique()}`;
  const grades = [pick(GRADE_LETTERS, 'A'), pick(GRADE_LETTERS, 'A')];
  let content: Content = { student: presented(student), family: null, results: [] };

  const step = async (change: Content, method: string, path: string, body?: unknown) => {
    const isStored =
      goesOn() &&
      (await ledger.write(`student/${id}`, change === null ? null : { ...content, ...change }, () =>
        api.send(method, path, body),
      ));
    if (isStored && change !== null) content = { ...content, ...change };
    return isStored;
  };
  const edit = () => {
    student = {
      ...student,
      last_name: unique(),
      phone_number: unique(),
      department: pick(['EE', 'CE', 'ME'], 'EE'),
    };
    return step({ student: presented(student) }, 'PUT', `/api/students/${id}`, student);
  };
  const record = (semester: 1 | 2) =>
    step(
      { results: toResults(grades.slice(0, semester), title) },
      'POST',
      '/api/students/academics',
      aSemester(id, semester, [{ title, credits: 3, grade: grades[semester - 1] ?? 'A' }]),
    );

  return (
    (await step(content, 'POST', '/api/students', student)) &&
    (await edit()) &&
    (await step({ family }, 'POST', '/api/students/family', family)) &&
    (await record(1)) &&
    (await record(2)) &&
    (await edit()) &&
    (Math.random() < 0.6 || (await step(null, 'DELETE', `/api/students/${id}`)))
  );
}

/** Replaces the marks by equal ones, so that a mixture of two uploads would be noticed. */
function uploadMarks(api: Api, ledger: Ledger, course_id: number): Promise<boolean> {
  const mark = Math.floor(Math.random() * 101);
  const count = 1 + Math.floor(Math.random() * 400);
  const marks = Array.from({ length: count }, () => mark).join('\n');
  return ledger.write(`course/${course_id}`, { count, average: mark }, () =>
    api.send('POST', '/api/courses-marks', { course_id, marks }),
  );
}
