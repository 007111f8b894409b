import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { Equivalent } from '../../../contract/schemes/equivalents.ts';
import { coursesQuery, formatCourse } from '../../courses/course-queries.ts';
import { formatDay } from '../../lib/format.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../../ui/page/load-error.tsx';
import { TableSkeleton } from '../../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { batchList, equivalentsQuery } from '../scheme-queries.ts';
import { NewPairDialog } from './new-pair-dialog.tsx';
import { RemovePairDialog } from './remove-pair-dialog.tsx';

/** Pairs of courses that count as one. */
export function EquivalentsPage() {
  const pairs = usePageQuery({ ...equivalentsQuery, loading: 'equivalents' });
  const { data: courses = [] } = useQuery(coursesQuery);
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Equivalent>();
  const nameOf = (id: number) => {
    const course = courses.find(({ course_id }) => course_id === id);
    return course === undefined ? `Course ${id}` : formatCourse(course);
  };
  const columns: readonly Column<Equivalent>[] = [
    {
      head: 'Course',
      isRowHead: true,
      className: 'strong wrap-anywhere max-md:col-start-1',
      cell: ({ course_id }) => nameOf(course_id),
    },
    {
      head: 'Counts as',
      className: 'strong wrap-anywhere max-md:col-start-1',
      cell: ({ other_id }) => (
        <>
          <span className="font-normal text-fg-2 md:hidden">counts as </span>
          {nameOf(other_id)}
        </>
      ),
    },
    {
      head: 'Batches',
      className: 'wrap-anywhere max-md:col-start-1 max-md:text-label',
      cell: ({ degrees }) => (
        <>
          <span className="md:hidden">Batches </span>
          {batchList(degrees)}
        </>
      ),
    },
    {
      head: 'Since',
      className: 'wrap-anywhere max-md:col-start-1 max-md:text-label',
      cell: ({ created_at, created_by }) => `${formatDay(created_at)}, ${created_by.name}`,
    },
    {
      head: 'Remove',
      isHeadHidden: true,
      columnClass: 'screen-only md:w-16',
      className: 'max-md:col-start-2 max-md:row-span-3 max-md:row-start-1',
      cell: (pair) => (
        <IconButton
          label={`Remove the pair of ${nameOf(pair.course_id)} and ${nameOf(pair.other_id)}`}
          onClick={() => setRemoved(pair)}
        >
          <X />
        </IconButton>
      ),
    },
  ];
  return (
    <>
      <BackLink to="/settings/schemes">Schemes</BackLink>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_280px]">
          <h2 id="pairs-heading">Equivalent courses</h2>
          <p className="mt-0.5 max-w-[64ch] text-fg-2">
            A passed attempt of one course counts as the other, in averages, audits and on documents. Pairs
            join: what is equal to the same course is equal to each other.
          </p>
        </div>
        <Button variant="primary" onClick={() => setIsAdding(true)}>
          <Plus />
          New pair
        </Button>
      </div>
      <LoadError query={pairs} />
      {pairs.data === undefined && !hasLoadError({ query: pairs }) && <TableSkeleton />}
      {pairs.data?.length === 0 && (
        <EmptyState
          title="No two courses count as one."
          text="A pair is needed when a course has been replaced by another one, such as after a change of codes."
        />
      )}
      {pairs.data && pairs.data.length > 0 && (
        <TableContainer>
          <Table
            label={{ id: 'pairs-heading' }}
            columns={columns}
            rows={pairs.data}
            rowKey={({ equivalent_id }) => equivalent_id}
            hasCards
          />
        </TableContainer>
      )}
      {isAdding && <NewPairDialog onClose={() => setIsAdding(false)} />}
      {removed && (
        <RemovePairDialog
          pair={removed}
          title={`${nameOf(removed.course_id)} and ${nameOf(removed.other_id)}`}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}
