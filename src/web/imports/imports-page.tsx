import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import type { ImportSummary } from '../../contract/imports.ts';
import { foldText } from '../../domain/search-text.ts';
import { useTask } from '../forms/use-task.ts';
import { call } from '../lib/call.ts';
import { formatCount, formatDateTime, plural } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { searchTerms } from '../lib/text-match.ts';
import { useDebouncedText } from '../lib/use-debounced.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { EmptyState, NoResults } from '../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { TableSkeleton } from '../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';
import { authorText, IMPORT_KINDS, KIND_NAMES, sourceText } from './import-labels.ts';
import { importsQuery, useCanActOn } from './import-queries.ts';
import { ImportStateTag } from './import-state-tag.tsx';
import { type StateFilter, toStateFilter, useImportsSearchParams } from './search-params.ts';
import { UndoImportDialog } from './undo-import-dialog.tsx';

const STATE_FILTERS: Readonly<Record<StateFilter, string>> = {
  open: 'Not applied yet',
  applying: 'Running',
  applied: 'Applied',
  undone: 'Undone',
  cancelled: 'Cancelled',
};

/** All imports, the newest first. */
export function ImportsPage() {
  const query = useQuery(importsQuery);
  const imports = query.data;
  return (
    <Page width="wide">
      <PageHeader
        title="Imports"
        back={{ to: '/students', label: 'Students' }}
        actions={imports?.length === 0 ? undefined : <NewImportLink />}
      />
      <LoadError query={query} />
      {imports === undefined ? (
        !hasLoadError({ query }) && <TableSkeleton />
      ) : imports.length === 0 ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="Nothing has been imported yet"
            text="Students, results, courses and marks can come from a spreadsheet. Nothing is saved before you have seen a preview, and every import can be undone."
            action={<NewImportLink />}
          />
        </div>
      ) : (
        <ImportsList imports={imports} />
      )}
    </Page>
  );
}

function NewImportLink() {
  return (
    <ButtonLink to="/imports/new" variant="primary">
      <FileUp />
      New import
    </ButtonLink>
  );
}

function ImportsList({ imports }: { imports: readonly ImportSummary[] }) {
  const { address, change } = useImportsSearchParams();
  const { q = '', kind, state } = address;
  const search = useDebouncedText({ value: q, onApply: (text) => change({ q: text }) });
  const [undoing, setUndoing] = useState<ImportSummary>();
  const [cancelling, setCancelling] = useState<ImportSummary>();
  const terms = searchTerms(q);
  const found = imports.filter((item) => {
    const text = foldText(`${item.import_id} ${sourceText(item)} ${item.created_by?.name ?? ''}`);
    return (
      (kind === undefined || item.kind === kind) &&
      (state === undefined || toStateFilter(item.state) === state) &&
      terms.every((term) => text.includes(term))
    );
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <div className="flex min-w-0 flex-1 max-md:basis-full md:max-w-80">
          <SearchField
            label="Search imports"
            placeholder="Search file or person"
            query={search.text}
            onQuery={search.type}
            onLeave={search.flush}
          />
        </div>
        <FilterSelect
          label="What"
          value={kind ?? ''}
          options={IMPORT_KINDS.map((one) => [one, KIND_NAMES[one]])}
          onChange={(value) => change({ kind: value })}
        />
        <FilterSelect
          label="State"
          value={state ?? ''}
          options={Object.entries(STATE_FILTERS)}
          onChange={(value) => change({ state: value })}
        />
        <span role="status" className="ml-auto whitespace-nowrap text-fg-3 text-label max-md:basis-full">
          {found.length < imports.length && `${formatCount(found.length)} of `}
          {plural(imports.length, 'import')}
        </span>
      </div>
      {found.length === 0 ? (
        <NoResults
          title="No import matches"
          text="Numbers, file names and names of people are searched."
          action="Clear search and filters"
          onClear={() => change({ q: '', kind: '', state: '' })}
        />
      ) : (
        <ImportsTable imports={found} onUndo={setUndoing} onCancel={setCancelling} />
      )}
      {undoing && <UndoImportDialog item={undoing} onClose={() => setUndoing(undefined)} />}
      {cancelling && <CancelImportDialog item={cancelling} onClose={() => setCancelling(undefined)} />}
    </>
  );
}

interface FilterSelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="control w-auto pointer-fine:min-h-8.5 max-md:min-w-0 max-md:flex-[1_1_40%]"
    >
      <option value="">{`${label}: all`}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ImportsTableProps {
  imports: readonly ImportSummary[];
  onUndo: (item: ImportSummary) => void;
  onCancel: (item: ImportSummary) => void;
}

/** Below 768 px an import is a card: what it is, beside its state and what can be done with it. */
function ImportsTable({ imports, ...actions }: ImportsTableProps) {
  return (
    <TableContainer>
      <Table
        label="Imports"
        columns={[
          ...COLUMNS,
          {
            head: 'Actions',
            isHeadHidden: true,
            className: 'num',
            cell: (item) => <ImportAction item={item} {...actions} />,
          },
        ]}
        rows={imports}
        rowKey={({ import_id }) => import_id}
        hasRowLinks
        hasCards
      />
    </TableContainer>
  );
}

const getMoment = ({ applied_at, created_at }: ImportSummary) => applied_at ?? created_at;

const FIGURES = {
  new: ({ counts }) => counts?.create,
  changed: ({ counts }) => counts?.update,
  'left out': ({ counts, partial }) => counts && (partial ? counts.refused : 0),
} as const satisfies Record<string, (item: ImportSummary) => number | null | undefined>;

const isStored = ({ state }: ImportSummary) => state === 'applied' || state === 'undone';

function figureText(name: keyof typeof FIGURES, item: ImportSummary): string {
  const count = FIGURES[name](item);
  return isStored(item) && count != null ? formatCount(count) : '–';
}

const figureColumn = (head: string, name: keyof typeof FIGURES): Column<ImportSummary> => ({
  head,
  isNumber: true,
  className: 'max-md:hidden',
  cell: (item) => figureText(name, item),
});

const COLUMNS: readonly Column<ImportSummary>[] = [
  { head: 'No.', className: 'max-md:hidden', cell: ({ import_id }) => import_id },
  {
    head: 'When',
    className: 'whitespace-nowrap max-md:hidden',
    cell: (item) => <time dateTime={getMoment(item)}>{formatDateTime(getMoment(item))}</time>,
  },
  {
    head: 'What',
    className: 'strong max-md:row-span-2',
    cell: (item) => (
      <>
        <Link
          to="/imports/$importId"
          params={{ importId: String(item.import_id) }}
          aria-label={`Import ${item.import_id}: ${KIND_NAMES[item.kind]}`}
        >
          {KIND_NAMES[item.kind]}
        </Link>
        <span className="wrap-anywhere block font-normal text-fg-3 text-label">{sourceText(item)}</span>
        {/* On small screens the row is a card without the cells of these. */}
        <span className="block font-normal text-fg-3 text-label md:hidden">
          {`No. ${item.import_id}, ${formatDateTime(getMoment(item))}, `}
          <Author item={item} />
          {isStored(item) && (
            <span className="block">
              {(['new', 'changed', 'left out'] as const)
                .map((name) => `${figureText(name, item)} ${name}`)
                .join(', ')}
            </span>
          )}
        </span>
      </>
    ),
  },
  { head: 'Who', className: 'max-md:hidden', cell: (item) => <Author item={item} /> },
  figureColumn('New', 'new'),
  figureColumn('Changed', 'changed'),
  figureColumn('Left out', 'left out'),
  {
    head: 'State',
    className: 'max-md:max-w-38 max-md:text-end',
    cell: (item) => <ImportStateTag item={item} />,
  },
];

function Author({ item }: { item: ImportSummary }) {
  return authorText(item, useCurrentUser()?.id);
}

interface ImportActionProps extends Omit<ImportsTableProps, 'imports'> {
  item: ImportSummary;
}

function ImportAction({ item, onUndo, onCancel }: ImportActionProps) {
  const { import_id, state } = item;
  if (!useCanActOn(item)) return null;
  if (state === 'applied') {
    return (
      <Button size="sm" variant="quiet" aria-label={`Undo import ${import_id}`} onClick={() => onUndo(item)}>
        <Undo2 />
        Undo
      </Button>
    );
  }
  if (state !== 'applying' && toStateFilter(state) !== 'open') return null;
  return (
    <Button
      size="sm"
      variant="quiet"
      aria-label={`Cancel import ${import_id}`}
      onClick={() => onCancel(item)}
    >
      <X />
      Cancel
    </Button>
  );
}

function CancelImportDialog({ item, onClose }: { item: ImportSummary; onClose: () => void }) {
  const queries = useQueryClient();
  const { import_id } = item;
  const cancel = useTask({
    run: async () => {
      await call('POST /api/imports/:import_id/cancel', { params: { import_id } });
      return { message: 'The import has been cancelled. Nothing was saved.' };
    },
    failure: 'The import could not be cancelled. Try again.',
    flashesProblem: true,
    onSettled: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ['imports'] });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      text={`Are you sure you want to cancel import ${import_id}? Everything stays as it was.`}
      processing={cancel.isRunning}
      onYes={() => cancel.start()}
      onNo={onClose}
    />
  );
}
