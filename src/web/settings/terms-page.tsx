import { Link } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import type { Term } from '../../contract/terms.ts';
import { calendarDate } from '../../domain/age.ts';
import { formatDate } from '../lib/format.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import {
  CELL_ROLE,
  COLUMN_HEADER_ROLE,
  ROW_GROUP_ROLE,
  ROW_ROLE,
  TABLE_ROLE,
  TableContainer,
} from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { termsQuery } from './term-queries.ts';

export function TermsPage() {
  const terms = usePageQuery({ ...termsQuery, loading: 'terms' });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="terms-heading">Terms</h2>
        <ButtonLink to="/settings/terms/create" variant="primary">
          <Plus strokeWidth={1.75} aria-hidden="true" />
          Add term
        </ButtonLink>
      </div>
      <LoadError query={terms} />
      {terms.data?.length === 0 && (
        <EmptyState
          title="No term has been added yet."
          text="Terms are the calendar of the institution, such as Fall 2026."
        />
      )}
      {terms.data && terms.data.length > 0 && <TermsTable terms={terms.data} />}
    </>
  );
}

/** Below 768 px, each term is the name over its dates, with its state and the link to edit it. */
function TermsTable({ terms }: { terms: readonly Term[] }) {
  const today = calendarDate(new Date());
  return (
    <TableContainer>
      <table {...TABLE_ROLE} aria-labelledby="terms-heading" className="tbl max-md:block">
        <thead {...ROW_GROUP_ROLE} className="max-md:sr-only">
          <tr {...ROW_ROLE}>
            {['Term', 'Starts', 'Ends', 'State'].map((heading) => (
              <th key={heading} {...COLUMN_HEADER_ROLE} scope="col">
                {heading}
              </th>
            ))}
            <th {...COLUMN_HEADER_ROLE} scope="col" className="screen-only w-16">
              <span className="sr-only">Change</span>
            </th>
          </tr>
        </thead>
        <tbody {...ROW_GROUP_ROLE} className="max-md:block">
          {terms.map((term) => (
            <TermRow key={term.term_id} term={term} today={today} />
          ))}
        </tbody>
      </table>
    </TableContainer>
  );
}

const cell = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';

function TermRow({ term: { term_id, name, starts_on, ends_on }, today }: { term: Term; today: string }) {
  return (
    <tr
      {...ROW_ROLE}
      className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-2 max-md:border-line max-md:border-b max-md:px-4 max-md:py-2.5 max-md:last:border-0"
    >
      <td {...CELL_ROLE} className={`strong wrap-anywhere ${cell}`}>
        {name}
      </td>
      <td {...CELL_ROLE} className={`${cell} max-md:col-start-1 max-md:row-start-2 max-md:text-label`}>
        <span className="md:hidden">From </span>
        {formatDate(starts_on)}
      </td>
      <td {...CELL_ROLE} className={`${cell} max-md:col-start-1 max-md:row-start-3 max-md:text-label`}>
        <span className="md:hidden">To </span>
        {formatDate(ends_on)}
      </td>
      <td {...CELL_ROLE} className={`${cell} max-md:col-start-2 max-md:row-start-1`}>
        {today < starts_on ? (
          <Tag>Planned</Tag>
        ) : today > ends_on ? (
          <Tag>Past</Tag>
        ) : (
          <Tag tone="ok">Current</Tag>
        )}
      </td>
      <td
        {...CELL_ROLE}
        className={`screen-only ${cell} max-md:col-start-3 max-md:row-span-3 max-md:row-start-1`}
      >
        <Link
          to="/settings/terms/$termId"
          params={{ termId: String(term_id) }}
          aria-label={`Edit ${name}`}
          className="inline-grid size-8 place-items-center rounded-control text-fg-2 hover:bg-hover hover:text-fg pointer-coarse:size-10 [&_svg]:size-4"
        >
          <Pencil strokeWidth={1.75} aria-hidden="true" />
        </Link>
      </td>
    </tr>
  );
}
