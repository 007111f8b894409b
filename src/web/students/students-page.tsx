import { Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { hasLoadProblem, LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { byId, FIRST_ORDER, inOrder } from './student-order.ts';
import type { StudentRow } from './student-row.ts';
import { StudentsFigure } from './students-figure.tsx';
import { StudentsSearch } from './students-search.tsx';
import { StudentsSkeleton } from './students-skeleton.tsx';
import { StudentsTable } from './students-table.tsx';
import { searchTerms } from './text-match.ts';
import { studentsQuery } from './use-students.ts';

/** The Dashboard: every student, to be searched, sorted and opened. */
export function StudentsPage() {
  const students = usePageQuery({ ...studentsQuery, loading: 'students' });
  const isEmpty = students.data?.length === 0;
  return (
    <Page width="wide">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 lg:min-h-8">
        <h1>Students</h1>
        {!isEmpty && <CreateLink />}
      </div>
      <LoadProblem query={students} />
      {students.data === undefined ? (
        !hasLoadProblem({ query: students }) && <Loading />
      ) : isEmpty ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            figure={<StudentsFigure />}
            title="No student entries have been created yet"
            text="Add the first student one step at a time."
            action={<CreateLink />}
          />
        </div>
      ) : (
        <StudentsList students={students.data} />
      )}
    </Page>
  );
}

function CreateLink() {
  return (
    <ButtonLink to="/students/create" variant="primary">
      <Plus strokeWidth={1.75} aria-hidden="true" />
      Create New Entry
    </ButtonLink>
  );
}

const tools = 'flex flex-wrap items-center gap-2 pb-3';
const count = 'ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full';

function Loading() {
  return (
    <>
      <div className={tools}>
        <StudentsSearch query="" onQuery={() => undefined} />
        <span className={count}>
          <Skeleton width={72} />
        </span>
      </div>
      <StudentsSkeleton />
    </>
  );
}

function StudentsList({ students }: { students: readonly StudentRow[] }) {
  const [query, setQuery] = useState('');
  const [order, setOrder] = useState(FIRST_ORDER);
  // Typing stays quick in a long list: the rows follow as soon as they can.
  const terms = useMemo(() => searchTerms(query), [query]);
  const shownTerms = useDeferredValue(terms);
  const all = useMemo(() => byId(students), [students]);
  const sorted = useMemo(() => inOrder(all, order), [all, order]);
  const rows = useMemo(
    () => sorted.filter(({ searchText }) => shownTerms.every((term) => searchText.includes(term))),
    [sorted, shownTerms],
  );
  return (
    <>
      <div className={tools}>
        <StudentsSearch query={query} onQuery={setQuery} />
        <span className={count} role="status">
          {countText(rows.length, students.length)}
        </span>
      </div>
      {rows.length === 0 ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="No student matches the search"
            text="Names, IDs and degrees are searched."
            action={<Button onClick={() => setQuery('')}>Clear search</Button>}
          />
        </div>
      ) : (
        <StudentsTable rows={rows} terms={shownTerms} order={order} onOrder={setOrder} />
      )}
    </>
  );
}

function countText(shown: number, all: number): string {
  const students = `${all} ${all === 1 ? 'student' : 'students'}`;
  return shown === all ? students : `${shown} of ${students}`;
}
