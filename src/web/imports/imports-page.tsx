import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import type { ImportSummary } from '../../contract/imports.ts';
import { foldText } from '../../domain/search-text.ts';
import { call } from '../lib/call.ts';
import { formatCount, formatDateTime } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { searchTerms } from '../lib/text-match.ts';
import { useDebouncedText } from '../lib/use-debounced.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { flash } from '../ui/flash.tsx';
import { EmptyState, NoResults } from '../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { TableSkeleton } from '../ui/skeleton.tsx';
import {
  CELL_ROLE,
  COLUMN_HEADER_ROLE,
  ROW_GROUP_ROLE,
  ROW_ROLE,
  TABLE_ROLE,
  TableContainer,
} from '../ui/table.tsx';
import { importErrorText, importsQuery, useCanActOn } from './import-queries.ts';
import { ImportStateTag } from './import-state-tag.tsx';
import { authorText, IMPORT_KINDS, KIND_NAMES, sourceText } from './import-words.ts';
import { type StateFilter, toStateFilter, useImportsSearchParams } from './search-params.ts';
import { UndoImportDialog } from './undo-import-dialog.tsx';
import './imports.css';

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
      <FileUp strokeWidth={1.75} aria-hidden="true" />
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
          {`${formatCount(imports.length)} ${imports.length === 1 ? 'import' : 'imports'}`}
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

const HEADS = ['No.', 'When', 'What', 'Who', 'New', 'Changed', 'Left out', 'State'] as const;
const FIGURES: readonly string[] = ['New', 'Changed', 'Left out'];

function ImportsTable({ imports, ...actions }: ImportsTableProps) {
  return (
    <TableContainer>
      <table {...TABLE_ROLE} aria-label="Imports" className="tbl tbl-link imports-table">
        <thead {...ROW_GROUP_ROLE}>
          <tr {...ROW_ROLE}>
            {HEADS.map((head) => (
              <th
                key={head}
                scope="col"
                {...COLUMN_HEADER_ROLE}
                className={FIGURES.includes(head) ? 'num' : undefined}
              >
                {head}
              </th>
            ))}
            <th scope="col" {...COLUMN_HEADER_ROLE}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody {...ROW_GROUP_ROLE}>
          {imports.map((item) => (
            <ImportRow key={item.import_id} item={item} {...actions} />
          ))}
        </tbody>
      </table>
    </TableContainer>
  );
}

interface ImportRowProps {
  item: ImportSummary;
  onUndo: (item: ImportSummary) => void;
  onCancel: (item: ImportSummary) => void;
}

function ImportRow({ item, onUndo, onCancel }: ImportRowProps) {
  const user = useCurrentUser();
  const canAct = useCanActOn(item);
  const { import_id, kind, state, counts, partial } = item;
  const isStored = state === 'applied' || state === 'undone';
  const figure = (count: number | undefined) => (isStored && count !== undefined ? formatCount(count) : '–');
  const figures = [
    ['new', figure(counts?.create)],
    ['changed', figure(counts?.update)],
    ['left out', figure(counts === null ? undefined : partial ? counts.refused : 0)],
  ] as const;
  const when = item.applied_at ?? item.created_at;
  const who = authorText(item, user?.id);
  return (
    <tr {...ROW_ROLE}>
      <td {...CELL_ROLE} className="max-md:hidden">
        {import_id}
      </td>
      <td {...CELL_ROLE} className="whitespace-nowrap max-md:hidden">
        <time dateTime={when}>{formatDateTime(when)}</time>
      </td>
      <td {...CELL_ROLE} className="imports-what strong">
        <Link
          to="/imports/$importId"
          params={{ importId: String(import_id) }}
          aria-label={`Import ${import_id}: ${KIND_NAMES[kind]}`}
        >
          {KIND_NAMES[kind]}
        </Link>
        <span className="wrap-anywhere block font-normal text-fg-3 text-label">{sourceText(item)}</span>
        {/* On small screens the row is a card without the cells of these. */}
        <span className="block font-normal text-fg-3 text-label md:hidden">
          {`No. ${import_id}, ${formatDateTime(when)}, ${who}`}
          {isStored && (
            <span className="block">{figures.map(([name, text]) => `${text} ${name}`).join(', ')}</span>
          )}
        </span>
      </td>
      <td {...CELL_ROLE} className="max-md:hidden">
        {who}
      </td>
      {figures.map(([name, text]) => (
        <td key={name} {...CELL_ROLE} className="num max-md:hidden">
          {text}
        </td>
      ))}
      <td {...CELL_ROLE} className="imports-state">
        <ImportStateTag item={item} />
      </td>
      <td {...CELL_ROLE} className="imports-action num">
        {canAct && state === 'applied' && (
          <Button
            size="sm"
            variant="quiet"
            className="relative z-1"
            aria-label={`Undo import ${import_id}`}
            onClick={() => onUndo(item)}
          >
            <Undo2 strokeWidth={1.75} aria-hidden="true" />
            Undo
          </Button>
        )}
        {canAct && (state === 'applying' || toStateFilter(state) === 'open') && (
          <Button
            size="sm"
            variant="quiet"
            className="relative z-1"
            aria-label={`Cancel import ${import_id}`}
            onClick={() => onCancel(item)}
          >
            <X strokeWidth={1.75} aria-hidden="true" />
            Cancel
          </Button>
        )}
      </td>
    </tr>
  );
}

function CancelImportDialog({ item, onClose }: { item: ImportSummary; onClose: () => void }) {
  const queries = useQueryClient();
  const [isRunning, setIsRunning] = useState(false);
  const cancel = async () => {
    setIsRunning(true);
    try {
      await call('POST /api/imports/:import_id/cancel', { params: { import_id: item.import_id } });
      flash('The import has been cancelled. Nothing was saved.');
    } catch (error) {
      flash(importErrorText(error, 'The import could not be cancelled. Try again.'), 'warning');
    }
    onClose();
    await queries.invalidateQueries({ queryKey: ['imports'] });
  };
  return (
    <ConfirmDialog
      isOpen
      text={`Are you sure you want to cancel import ${item.import_id}? Everything stays as it was.`}
      processing={isRunning}
      onYes={() => void cancel()}
      onNo={onClose}
    />
  );
}
