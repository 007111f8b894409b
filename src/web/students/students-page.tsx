import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { rememberStudentsSearch, useMayWrite } from '../session.ts';
import { hasLoadProblem, LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { NoMatch } from '../ui/no-match.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { searchTerms } from '../ui/text-match.ts';
import { byId, inOrder } from './student-order.ts';
import type { StudentRow } from './student-row.ts';
import { StudentsFigure } from './students-figure.tsx';
import { StudentsSearch } from './students-search.tsx';
import { StudentsSkeleton } from './students-skeleton.tsx';
import { StudentsTable } from './students-table.tsx';
import { studentsQuery } from './use-students.ts';
import { useStudentsAddress } from './use-students-address.ts';

/** The Dashboard: every student, to be searched, sorted and opened. */
export function StudentsPage() {
  const students = usePageQuery({ ...studentsQuery, loading: 'students' });
  const isEmpty = students.data?.length === 0;
  const mayWrite = useMayWrite();
  const address = useSearch({ from: '/staff/students' });
  useEffect(() => rememberStudentsSearch({ ...address }), [address]);
  return (
    <Page width="wide">
      <PageHead title="Students" actions={isEmpty || !mayWrite ? undefined : <CreateLink />} />
      <LoadProblem query={students} />
      {isEmpty ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            figure={<StudentsFigure />}
            title="No student entries have been created yet"
            text={mayWrite ? 'Add the first student one step at a time.' : undefined}
            action={mayWrite ? <CreateLink /> : undefined}
          />
        </div>
      ) : (
        (students.data || !hasLoadProblem({ query: students })) && <StudentsList students={students.data} />
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

const NONE_YET: readonly StudentRow[] = [];

/** The search is there from the start: what is typed while the list loads is not lost when it comes. */
function StudentsList({ students = NONE_YET }: { students: readonly StudentRow[] | undefined }) {
  const isLoading = students === NONE_YET;
  const { query, setQuery, order, setOrder, flush } = useStudentsAddress();
  // Typing stays quick in a long list: the rows follow as soon as they can.
  const terms = useMemo(() => searchTerms(query), [query]);
  const shownTerms = useDeferredValue(terms);
  const all = useMemo(() => byId(students), [students]);
  const { column, direction } = order;
  const sorted = useMemo(() => inOrder(all, { column, direction }), [all, column, direction]);
  const rows = useMemo(
    () => sorted.filter(({ searchText }) => shownTerms.every((term) => searchText.includes(term))),
    [sorted, shownTerms],
  );
  return (
    <>
      <div className={tools}>
        <StudentsSearch query={query} onQuery={setQuery} onLeave={flush} />
        <span className={count} role="status">
          {isLoading ? <Skeleton width={72} /> : countText(rows.length, students.length)}
        </span>
      </div>
      {isLoading ? (
        <StudentsSkeleton order={order} />
      ) : rows.length === 0 ? (
        <NoMatch
          title="No student matches the search"
          text="Names, IDs and degrees are searched."
          onClear={() => setQuery('')}
        />
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
