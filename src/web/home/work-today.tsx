import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ClassSize } from '../../contract/insights.ts';
import { classSizesQuery } from '../insights/insights-queries.ts';
import { StudentsLink, toListFilters } from '../insights/students-link.tsx';
import { departmentName, formatCount, formatStudentCount } from '../lib/format.ts';
import { recentRecordIds } from '../lib/navigation/recent-pages.ts';
import { useCanWrite } from '../lib/session.ts';
import { formatDegree, fullName } from '../students/student-format.ts';
import { listedStudentQuery } from '../students/student-queries.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tag } from '../ui/tag.tsx';

const MAX_CLASSES = 5;

/** Below the cards: the entries to complete, by class, and the records opened last. */
export function WorkToday() {
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <EntriesToComplete />
      <RecentRecords />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="border-line border-b pb-2">{title}</h2>
      {children}
    </section>
  );
}

const ROW = 'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-line border-b py-2';
const NOTE = 'py-2.5 text-fg-2';

/** The classes with the most incomplete entries first. */
function EntriesToComplete() {
  const { data, error } = useQuery(classSizesQuery);
  const canWrite = useCanWrite();
  const title = 'Entries to complete';
  if (error) {
    return (
      <Section title={title}>
        <p className={NOTE}>{error.message}</p>
      </Section>
    );
  }
  const classes = (data ?? []).filter(({ incomplete }) => incomplete > 0);
  const total = classes.reduce((sum, { incomplete }) => sum + incomplete, 0);
  const most = classes.toSorted((a, b) => b.incomplete - a.incomplete).slice(0, MAX_CLASSES);
  return (
    <Section title={title}>
      {data === undefined && <SkeletonRows />}
      {data?.length === 0 && (
        <p className={NOTE}>
          There are no students yet.{' '}
          {canWrite && (
            <Link to="/students/create" className="link">
              Create the first entry
            </Link>
          )}
        </p>
      )}
      {data !== undefined && data.length > 0 && total === 0 && (
        <p className={NOTE}>Family details and results are there for every student.</p>
      )}
      {most.length > 0 && (
        <ul>
          {most.map((one) => (
            <ClassRow key={`${one.department}-${one.current_sem}-${one.syn}`} of={one} />
          ))}
        </ul>
      )}
      {classes.length > most.length && (
        <p className={NOTE}>
          <StudentsLink filters={toListFilters({ incomplete: 'true' })}>
            All {formatStudentCount(total)} with an incomplete entry
          </StudentsLink>
        </p>
      )}
    </Section>
  );
}

function ClassRow({ of: { department, current_sem, syn, students, incomplete } }: { of: ClassSize }) {
  const filters = toListFilters({
    department,
    current_sem: String(current_sem),
    syn,
    incomplete: 'true',
  });
  return (
    <li className={ROW}>
      <StudentsLink filters={filters}>
        {departmentName(department)}, semester {current_sem}, syndicate {syn}
      </StudentsLink>
      <span className="text-fg-2 text-label">
        {formatCount(incomplete)} of {formatCount(students)}
      </span>
    </li>
  );
}

/** The records that this user opened last in this browser, without deleted ones. */
function RecentRecords() {
  const ids = recentRecordIds();
  const records = useQueries({ queries: ids.map(listedStudentQuery) });
  const students = records.flatMap(({ data }) => data ?? []);
  return (
    <Section title="Opened last">
      {records.some(({ isPending }) => isPending) && <SkeletonRows />}
      {records.every(({ isPending }) => !isPending) && students.length === 0 && (
        <p className={NOTE}>The records that you open are listed here.</p>
      )}
      {students.length > 0 && (
        <ul>
          {students.map((student) => (
            <li key={student.id} className={ROW}>
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                <Link
                  to="/students/$studentId"
                  params={{ studentId: student.id }}
                  className="link wrap-anywhere"
                >
                  {fullName(student)}
                </Link>
                {!student.is_complete && <Tag tone="warn">Incomplete</Tag>}
              </span>
              <span className="text-fg-2 text-label">
                {student.id}, {formatDegree(student)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function SkeletonRows() {
  return (
    <div aria-hidden="true" className="grid gap-3 py-3">
      <Skeleton width={280} />
      <Skeleton width={240} />
      <Skeleton width={260} />
    </div>
  );
}
