import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Academic } from '../../../contract/students/academics.ts';
import { UNGRADED_SIGNS } from '../../../domain/documents/figures.ts';
import { coursesQuery } from '../../courses/course-queries.ts';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import type { StandingSemester } from './grading/provisional-text.ts';
import { type RecordedSubject, recordedSubjects } from './subject-result.tsx';

interface SubjectsTableProps {
  result: Academic;
  /** Why subjects have no grade; undefined until it is known. */
  ungraded?: StandingSemester['ungraded'] | undefined;
}

/** The subjects of a semester, each with its course, credit hours and grade. */
export function SubjectsTable({ result, ungraded = [] }: SubjectsTableProps) {
  const courses = useQuery(coursesQuery);
  const subjects = recordedSubjects(result);
  if (subjects.length === 0) return <p className="text-fg-3">No subjects are recorded for this semester.</p>;
  const findCourse = (courseId: number | null) =>
    courses.data?.find(({ course_id }) => course_id === courseId);
  const columns: readonly Column<RecordedSubject>[] = [
    {
      head: 'Code',
      className: 'w-[22%] wrap-anywhere',
      cell: ({ courseId }) => findCourse(courseId)?.course_code ?? (courseId !== null && `ID ${courseId}`),
    },
    {
      head: 'Title',
      className: 'strong wrap-anywhere',
      cell: ({ title, courseId }) =>
        findCourse(courseId) === undefined ? (
          title
        ) : (
          <Link
            to="/courses/$courseId"
            params={{ courseId: String(courseId) }}
            className="inline-block py-0.5 text-ink-text underline underline-offset-3"
          >
            {title}
          </Link>
        ),
    },
    { head: 'Credits', isNumber: true, columnClass: 'w-20', cell: ({ credit }) => credit },
    {
      head: 'Grade',
      columnClass: 'w-30',
      cell: ({ slot, grade }) =>
        grade ?? <Ungraded status={ungraded.find((one) => one.slot === slot)?.status ?? null} />,
    },
  ];
  return (
    <TableContainer canScroll className="overflow-x-auto max-xs:[&_:is(th,td)]:px-2">
      <Table
        label={`Subjects of Semester ${result.semester}`}
        columns={columns}
        rows={subjects}
        rowKey={({ slot }) => slot}
        isCompact
      />
    </TableContainer>
  );
}

/** The text in place of a grade. */
export function Ungraded({ status }: Pick<StandingSemester['ungraded'][number], 'status'>) {
  if (status === null) return 'Not graded';
  return (
    <span className="whitespace-nowrap">
      {UNGRADED_SIGNS[status]} <span className="text-fg-3 text-label">{status}</span>
    </span>
  );
}
