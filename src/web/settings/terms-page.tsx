import { Pencil, Plus } from 'lucide-react';
import type { Term } from '../../contract/terms.ts';
import { calendarDate } from '../../domain/age.ts';
import { LAST_DAYS } from '../../domain/term-dates.ts';
import { formatDate } from '../lib/format.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { ButtonLink, IconLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { DAY_LABELS } from './last-day-labels.ts';
import { termsQuery } from './term-queries.ts';

export function TermsPage() {
  const terms = usePageQuery({ ...termsQuery, loading: 'terms' });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="terms-heading">Terms</h2>
        <ButtonLink to="/settings/terms/create" variant="primary">
          <Plus />
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
      {terms.data && terms.data.length > 0 && (
        <TableContainer>
          <Table
            label={{ id: 'terms-heading' }}
            columns={COLUMNS}
            rows={terms.data}
            rowKey={({ term_id }) => term_id}
            rowClass={() => 'max-md:grid-cols-[minmax(0,1fr)_auto_auto]'}
            hasCards
          />
        </TableContainer>
      )}
      {terms.data && terms.data.length > 0 && (
        <p className="mt-2 max-w-[80ch] text-fg-3 text-label">
          Dates include the day. Staff add, drop and withdraw until then, administrators later with a reason.
          A term without a day to add has no checks. Opening a term sets what is missing: 2, 3 and 6 weeks.
        </p>
      )}
    </>
  );
}

const DATE = 'max-md:col-start-1 max-md:text-label';

/** Below 768 px, each term is the name over its dates, with its state and the link to edit it. */
const COLUMNS: readonly Column<Term>[] = [
  { head: 'Term', className: 'strong wrap-anywhere', cell: ({ name }) => name },
  {
    head: 'Runs',
    className: DATE,
    cell: ({ starts_on, ends_on }) => (
      <>
        {formatDate(starts_on)}
        <span className="md:block"> to {formatDate(ends_on)}</span>
      </>
    ),
  },
  ...LAST_DAYS.map(
    (day): Column<Term> => ({
      head: DAY_LABELS[day],
      className: `${DATE} max-md:empty:hidden`,
      cell: (term) => {
        const date = term[day];
        if (date === null) return day === 'add_until' && <span className="text-fg-3">not dated</span>;
        return (
          <>
            <span className="md:hidden">{DAY_LABELS[day]} </span>
            {formatDate(date)}
          </>
        );
      },
    }),
  ),
  {
    head: 'State',
    className: 'max-md:col-start-2 max-md:row-start-1',
    cell: (term) => <StateTag {...term} />,
  },
  {
    head: 'Change',
    isHeadHidden: true,
    columnClass: 'screen-only md:w-16',
    className: 'max-md:col-start-3 max-md:row-span-2 max-md:row-start-1',
    cell: ({ term_id, name }) => (
      <IconLink to="/settings/terms/$termId" params={{ termId: String(term_id) }} label={`Edit ${name}`}>
        <Pencil />
      </IconLink>
    ),
  },
];

function StateTag({ starts_on, ends_on }: Term) {
  const today = calendarDate(new Date());
  if (today < starts_on) return <Tag>Planned</Tag>;
  return today > ends_on ? <Tag>Past</Tag> : <Tag tone="ok">Current</Tag>;
}
