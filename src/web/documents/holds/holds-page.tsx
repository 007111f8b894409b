import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { HoldsPage as HoldsReply } from '../../../contract/students/holds.ts';
import { calendarDate } from '../../../domain/age.ts';
import { HOLD_BLOCKS, HOLD_ENDS_SOON_DAYS, HOLD_KINDS, HOLD_STATES } from '../../../domain/holds.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { useDebouncedText } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { PrintAll } from '../../ui/page/print-all.tsx';
import { TableSkeleton } from '../../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { DocumentsTabs } from '../documents-tabs.tsx';
import { BLOCK_NAMES, BlockTags, daysText, HOLD_STATE_NAMES, KIND_NAMES, KindTag } from './hold-labels.tsx';
import { holdsQuery } from './hold-queries.ts';
import { ReleaseDialog } from './release-dialog.tsx';
import { type HoldsSearchParams, useHoldsSearchParams } from './search-params.ts';
import { StudentHoldsLink } from './student-holds-link.tsx';

type ListedHold = HoldsReply['holds'][number];

/** Holds of all students, the latest first. */
export function HoldsPage() {
  const { address, change } = useHoldsSearchParams();
  const query = useInfiniteQuery(holdsQuery(address));
  const holds = query.data?.pages.flatMap((page) => page.holds);
  const total = query.data?.pages[0]?.total ?? 0;
  const isFiltered = Object.keys(address).length > 0;
  const clear = () => change({ q: '', kind: '', blocks: '', state: '', ending: '' });
  const state = HOLD_STATE_NAMES[address.state ?? 'active'].toLowerCase();
  return (
    <Page width="wide">
      <PageHeader
        title="Documents"
        sub="What keeps students from papers or registration until it is released."
      />
      <DocumentsTabs />
      <Filters address={address} onChange={change} onClear={isFiltered ? clear : undefined} />
      <LoadError query={query} />
      {holds === undefined ? (
        !hasLoadError({ query }) && <TableSkeleton />
      ) : holds.length === 0 ? (
        <div className="rounded-panel border border-line">
          {isFiltered ? (
            <EmptyState title="No hold matches" />
          ) : (
            <EmptyState
              title="Nobody is on hold"
              text="Holds are placed on the record of a student, in the tab Holds."
            />
          )}
        </div>
      ) : (
        <div
          aria-busy={query.isPlaceholderData}
          className="transition-opacity duration-(--t-fast) aria-busy:opacity-60"
        >
          <p role="status" className="mb-2 text-fg-2 text-label">
            {address.state === undefined || address.state === 'active'
              ? plural(total, 'active hold')
              : `${plural(total, 'hold')}, ${state}`}
          </p>
          <HoldsTable holds={holds} />
          {holds.length < total && (
            <p className="mt-2 text-fg-2 text-label">
              {formatCount(holds.length)} of {formatCount(total)}
            </p>
          )}
          <PrintAll query={query}>The filters lead to earlier holds.</PrintAll>
          {query.hasNextPage && (
            <Button
              className="screen-only mt-4"
              processing={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show earlier holds
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}

const nameOf = ({ first_name, last_name }: ListedHold) => `${first_name} ${last_name}`;

/** Below 768 px, a part of the card below the name. */
const LINE = 'wrap-anywhere max-md:col-span-full';

const COLUMNS: readonly Column<ListedHold>[] = [
  {
    head: 'CMS ID',
    columnClass: 'md:w-28',
    className: 'wrap-anywhere text-fg-2 max-md:order-2 max-md:col-span-full',
    cell: ({ student_id }) => student_id,
  },
  {
    head: 'Student',
    isRowHead: true,
    className: 'strong wrap-anywhere max-md:order-1',
    cell: (hold) => (
      <>
        <StudentHoldsLink studentId={hold.student_id}>
          <bdi>{nameOf(hold)}</bdi>
        </StudentHoldsLink>{' '}
        <span className="whitespace-nowrap font-normal text-fg-2">
          {hold.department}-{hold.degree}-{hold.syn}
        </span>
      </>
    ),
  },
  { head: 'Kind', className: 'max-md:order-3 max-md:col-span-full', cell: KindTag },
  {
    head: 'Reason',
    className: `${LINE} max-md:order-4`,
    cell: ({ reason, by, released }) => (
      <>
        {reason} <span className="block text-fg-2 text-label">{by.name}</span>
        {released !== null && (
          <span className="block text-fg-2 text-label">
            Released by {released.by.name}: “{released.reason}”
          </span>
        )}
      </>
    ),
  },
  {
    head: 'Blocks',
    className: `${LINE} max-md:order-5`,
    cell: BlockTags,
  },
  {
    head: 'From',
    className: `${LINE} max-md:order-6`,
    cell: (hold) => (
      <>
        {daysText(hold)}
        <HoldNotes hold={hold} />
      </>
    ),
  },
];

/** What of a hold is to be known at once: papers in spite of it, and its end. */
function HoldNotes({ hold: { overrides, until, state } }: { hold: ListedHold }) {
  const days = until === null ? undefined : daysFromToday(until);
  const isEnding = state === 'active' && days !== undefined && days <= HOLD_ENDS_SOON_DAYS;
  return (
    <>
      {overrides.length > 0 && (
        <span className="block text-label text-warn">
          {plural(overrides.length, 'paper')} issued in spite of it
        </span>
      )}
      {isEnding && (
        <span className="block text-label text-warn">
          {days === 0 ? 'Ends today' : `Ends in ${plural(days, 'day')}`}
        </span>
      )}
    </>
  );
}

const DAY_MS = 24 * 60 * 60_000;
const daysFromToday = (day: string) =>
  Math.round((Date.parse(day) - Date.parse(calendarDate(new Date()))) / DAY_MS);

function HoldsTable({ holds }: { holds: readonly ListedHold[] }) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [releasing, setReleasing] = useState<ListedHold>();
  const columns: readonly Column<ListedHold>[] = isAdmin
    ? [
        ...COLUMNS,
        {
          head: 'Actions',
          isHeadHidden: true,
          columnClass: 'screen-only',
          className: 'num max-md:order-1',
          cell: (hold) =>
            (hold.state === 'active' || hold.state === 'future') && (
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Release the hold of ${nameOf(hold)}: ${KIND_NAMES[hold.kind]}`}
                onClick={() => setReleasing(hold)}
              >
                Release
              </Button>
            ),
        },
      ]
    : COLUMNS;
  return (
    <>
      <TableContainer>
        <Table label="Holds" columns={columns} rows={holds} rowKey={({ hold_id }) => hold_id} hasCards />
      </TableContainer>
      {releasing && (
        <ReleaseDialog
          hold={releasing}
          studentName={nameOf(releasing)}
          onClose={() => setReleasing(undefined)}
        />
      )}
    </>
  );
}

interface FiltersProps {
  address: HoldsSearchParams;
  onChange: (parts: Partial<Record<keyof HoldsSearchParams, string>>) => void;
  onClear: (() => void) | undefined;
}

function Filters({ address, onChange, onClear }: FiltersProps) {
  const filters = useRef<HTMLElement>(null);
  const text = useDebouncedText({ value: address.q ?? '', onApply: (q) => onChange({ q }) });
  return (
    <search
      ref={filters}
      aria-label="Filter the holds"
      className="screen-only mb-4 flex flex-wrap items-end gap-x-4 gap-y-2"
    >
      <div className="w-64 max-xs:flex-[1_1_100%]">
        <TextField label="Name or ID" name="q" value={text.text} onChange={text.type} maxLength={100} />
      </div>
      <div className="w-36 max-xs:flex-[1_1_120px]">
        <SelectField
          label="Kind"
          name="kind"
          value={address.kind ?? ''}
          onChange={(kind) => onChange({ kind })}
          placeholder="All"
          options={HOLD_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
        />
      </div>
      <div className="w-44 max-xs:flex-[1_1_120px]">
        <SelectField
          label="Blocks"
          name="blocks"
          value={address.blocks ?? ''}
          onChange={(blocks) => onChange({ blocks })}
          placeholder="Anything"
          options={HOLD_BLOCKS.map((value) => ({ value, label: BLOCK_NAMES[value] }))}
        />
      </div>
      <div className="w-36 max-xs:flex-[1_1_120px]">
        <SelectField
          label="State"
          name="state"
          value={address.state ?? 'active'}
          onChange={(state) => onChange({ state: state === 'active' ? '' : state, ending: '' })}
          options={HOLD_STATES.map((value) => ({ value, label: HOLD_STATE_NAMES[value] }))}
        />
      </div>
      {(address.state ?? 'active') === 'active' && (
        <CheckBox
          className="min-h-9"
          isChecked={address.ending === 'true'}
          onChange={(isChecked) => onChange({ ending: isChecked ? 'true' : '' })}
        >
          Ends within {HOLD_ENDS_SOON_DAYS} days
        </CheckBox>
      )}
      {onClear && (
        <Button
          variant="quiet"
          onClick={() => {
            // The button that was pressed disappears.
            filters.current?.querySelector<HTMLElement>('input, select')?.focus();
            text.cancel();
            onClear();
          }}
        >
          Clear all
        </Button>
      )}
    </search>
  );
}
