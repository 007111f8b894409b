import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Academic } from '../../../contract/students/academics.ts';
import { UNGRADED_SIGNS } from '../../../domain/documents/figures.ts';
import { coursesQuery } from '../../courses/course-queries.ts';
import type { StandingSemester } from './grading/provisional-text.ts';
import { recordedSubjects } from './subject-result.tsx';

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
  return (
    <div className="tbl-box overflow-x-auto">
      <table className="tbl tbl-compact max-xs:[&_:is(th,td)]:px-2">
        <caption className="sr-only">Subjects of Semester {result.semester}</caption>
        <thead>
          <tr>
            <th scope="col" className="w-[22%]">
              Code
            </th>
            <th scope="col">Title</th>
            <th scope="col" className="num w-20">
              Credits
            </th>
            <th scope="col" className="w-30">
              Grade
            </th>
          </tr>
        </thead>
        <tbody>
          {subjects.map(({ slot, title, courseId, credit, grade }) => {
            const course = courses.data?.find(({ course_id }) => course_id === courseId);
            return (
              <tr key={slot}>
                <td className="wrap-anywhere">
                  {course?.course_code ?? (courseId !== null && `ID ${courseId}`)}
                </td>
                <td className="strong wrap-anywhere">
                  {course === undefined ? (
                    title
                  ) : (
                    <Link
                      to="/courses/$courseId"
                      params={{ courseId: String(course.course_id) }}
                      className="inline-block py-0.5 text-ink-text underline underline-offset-3"
                    >
                      {title}
                    </Link>
                  )}
                </td>
                <td className="num">{credit}</td>
                <td>
                  {grade ?? <Ungraded status={ungraded.find((one) => one.slot === slot)?.status ?? null} />}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** What stands in place of a grade. */
export function Ungraded({ status }: Pick<StandingSemester['ungraded'][number], 'status'>) {
  if (status === null) return 'Not graded';
  return (
    <span className="whitespace-nowrap">
      {UNGRADED_SIGNS[status]} <span className="text-fg-3 text-label">{status}</span>
    </span>
  );
}
