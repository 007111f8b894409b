import { type ExportResults, MAX_COURSE_COLUMNS } from '../../../contract/students/export.ts';
import type { StudentListItem } from '../../../contract/students/student-list.ts';
import type { ExportColumn } from '../../../domain/export-columns.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { toGradeLetter, toGradePoints } from '../../../domain/grading/gpa.ts';
import type { Db } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { getCourseKey } from '../semester-slots.ts';
import { type Column, type StudentPages, studentColumns, type Table } from './columns.ts';

/** A subject of a student's results. */
interface Result {
  student_id: string;
  semester: number;
  title: string;
  course_id: number | null;
  course_code: string | null;
  credits: number | null;
  half_points: number | null;
}

interface Row {
  student: StudentListItem;
  /** Null where a student has no results. */
  result: Result | null;
  /** Grades by the key of the course. */
  grades: ReadonlyMap<string, string>;
}

const NO_GRADES: Row['grades'] = new Map();

const RESULT_COLUMNS: readonly Column<Row>[] = [
  { title: 'Semester', kind: 'number', width: 10, value: ({ result }) => result?.semester ?? null },
  { title: 'Course Code', kind: 'text', width: 13, value: ({ result }) => result?.course_code ?? null },
  { title: 'Course ID', kind: 'number', width: 11, value: ({ result }) => result?.course_id ?? null },
  { title: 'Subject', kind: 'text', width: 30, value: ({ result }) => result?.title ?? null },
  { title: 'Credits', kind: 'number', width: 9, value: ({ result }) => result?.credits ?? null },
  {
    title: 'Grade',
    kind: 'text',
    width: 8,
    value: ({ result }) => toGradeLetter(result?.half_points ?? null),
  },
  {
    title: 'Grade Points',
    kind: 'points',
    width: 13,
    value: ({ result }) => toGradePoints(result?.half_points ?? null),
  },
];

/**
 * The table of an export.
 *
 * @throws ValidationError when a column for each course is wanted of too many students or courses
 */
export async function exportTable(
  db: Db,
  students: StudentPages,
  { columns, results }: { columns?: readonly ExportColumn[] | undefined; results: ExportResults },
): Promise<Table<Row>> {
  const base = studentColumns(columns).map(
    ({ value, ...column }): Column<Row> => ({ ...column, value: ({ student }) => value(student) }),
  );
  switch (results) {
    case 'none':
      return { columns: base, pages: rowPerStudent(students) };
    case 'subjects':
      return { columns: [...base, ...RESULT_COLUMNS], pages: rowPerSubject(db, students) };
    case 'courses':
      return columnPerCourse(db, students, base);
  }
}

async function* rowPerStudent(students: StudentPages): AsyncGenerator<Row[]> {
  for await (const page of students) {
    yield page.map((student) => ({ student, result: null, grades: NO_GRADES }));
  }
}

async function* rowPerSubject(db: Db, students: StudentPages): AsyncGenerator<Row[]> {
  for await (const page of students) {
    const results = await readResults(db, page);
    yield page.flatMap((student) =>
      (results.get(student.id) ?? [null]).map((result) => ({ student, result, grades: NO_GRADES })),
    );
  }
}

/** The subjects of each student in the order of semester and slot. */
async function readResults(
  db: Db,
  students: readonly StudentListItem[],
): Promise<ReadonlyMap<string, readonly Result[]>> {
  const results = new Map<string, Result[]>();
  if (students.length === 0) return results;
  const rows = await db
    .selectFrom('semester_subjects as s')
    .leftJoin('courses as c', 'c.course_id', 's.course_id')
    .select([
      's.student_id',
      's.semester',
      's.title',
      's.course_id',
      'c.course_code',
      's.credits',
      's.half_points',
    ])
    .where(
      's.student_id',
      'in',
      students.map(({ id }) => id),
    )
    .orderBy('s.student_id')
    .orderBy('s.semester')
    .orderBy('s.slot')
    .execute();
  for (const row of rows) {
    const own = results.get(row.student_id) ?? [];
    own.push(row);
    results.set(row.student_id, own);
  }
  return results;
}

/** A course taken again has its grades in the order of the semesters. */
async function columnPerCourse(
  db: Db,
  students: StudentPages,
  base: readonly Column<Row>[],
): Promise<Table<Row>> {
  const titles = new Map<string, string>();
  const pages: Row[][] = [];
  let count = 0;
  for await (const page of students) {
    count += page.length;
    if (count > MAX_COURSE_COLUMNS.students) throw tooMany('students', MAX_COURSE_COLUMNS.students);
    const results = await readResults(db, page);
    pages.push(
      page.map((student) => {
        const grades = new Map<string, string>();
        for (const result of results.get(student.id) ?? []) {
          const key = getCourseKey(result);
          const letter = toGradeLetter(result.half_points) ?? 'no grade';
          const earlier = grades.get(key);
          grades.set(key, earlier === undefined ? letter : `${earlier}, ${letter}`);
          titles.set(key, result.course_code ?? result.title);
        }
        return { student, result: null, grades };
      }),
    );
    if (titles.size > MAX_COURSE_COLUMNS.courses) throw tooMany('courses', MAX_COURSE_COLUMNS.courses);
  }
  const courses = [...titles].sort(([, a], [, b]) => a.localeCompare(b, 'en'));
  const columns = courses.map(
    ([key, title]): Column<Row> => ({
      title,
      kind: 'text',
      width: 12,
      value: ({ grades }) => grades.get(key) ?? null,
    }),
  );
  return { columns: [...base, ...columns], pages: inTurn(pages) };
}

async function* inTurn(pages: readonly Row[][]): AsyncGenerator<Row[]> {
  yield* pages;
}

const tooMany = (what: string, most: number) =>
  invalidField(
    'results',
    `A column for each course is possible for at most ${formatCount(most)} ${what}. Narrow the list down, or take a row for each subject.`,
  );
