import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, type LucideIcon } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { Import, ImportCounts, ImportRowState } from '../../../contract/imports.ts';
import { Form } from '../../forms/form.tsx';
import { FormFooter } from '../../forms/form-layout.tsx';
import { hasReason, ReasonField } from '../../forms/reason-field.tsx';
import { callAddress } from '../../lib/call.ts';
import { formatCount } from '../../lib/format.ts';
import { useMediaQuery } from '../../lib/page/use-media-query.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { useDebouncedText } from '../../lib/use-debounced.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { EmptyState, NoResults } from '../../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../../ui/page/load-error.tsx';
import { PrintAll } from '../../ui/page/print-all.tsx';
import { SaveFileButton } from '../../ui/save-file-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { rowsText } from '../import-labels.ts';
import { importRowsQuery } from '../import-queries.ts';
import { useImportSearchParams } from '../search-params.ts';
import { previewColumns } from './preview-columns.ts';
import { RowCards } from './row-cards.tsx';
import { ROW_STATES } from './row-state-tag.tsx';
import { RowsTable } from './rows-table.tsx';
import { type Corrections, useCorrections } from './use-corrections.ts';

interface PreviewStepProps {
  item: Import;
  counts: ImportCounts;
  /** Why the import was not applied, if it was tried. */
  notice: string;
  onApply: (partial: boolean, reason: string) => void;
}

/** The preview of an import, row by row, and the button that stores it. */
export function PreviewStep({ item, counts, notice, onApply }: PreviewStepProps) {
  const { change } = useImportSearchParams();
  const corrections = useCorrections(item);
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [reason, setReason] = useState('');
  const { needs_reason } = item;
  return (
    <>
      {notice !== '' && (
        <Alert tone="warn" className="mb-5">
          {notice}
        </Alert>
      )}
      <RowCounts counts={counts} />
      <PreviewRows item={item} counts={counts} corrections={corrections} />
      {needs_reason !== null && (
        <div className="mt-5 grid max-w-3xl gap-3">
          <Alert tone="warn">
            {isAdmin ? needs_reason : `${needs_reason} Ask an administrator to apply this import.`}
          </Alert>
          {isAdmin && <ReasonField value={reason} onChange={setReason} />}
        </div>
      )}
      <ApplyFooter
        isReady={needs_reason === null || (isAdmin && hasReason(reason))}
        counts={counts}
        corrections={corrections}
        onBack={() => change({ step: 'columns' })}
        onApply={(partial) => onApply(partial, reason)}
      />
    </>
  );
}

const totalCount = ({ create, update, unchanged, refused }: ImportCounts) =>
  create + update + unchanged + refused;

/** The numbers of rows by what happens to them; each shows those rows alone. */
function RowCounts({ counts }: { counts: ImportCounts }) {
  const { address, change } = useImportSearchParams();
  const options: { state: ImportRowState | ''; name: string; count: number; Icon?: LucideIcon }[] = [
    { state: '', name: 'All rows', count: totalCount(counts) },
    { state: 'create', ...ROW_STATES.create, count: counts.create },
    { state: 'update', ...ROW_STATES.update, count: counts.update },
    { state: 'unchanged', ...ROW_STATES.unchanged, count: counts.unchanged },
    { state: 'refused', ...ROW_STATES.refused, count: counts.refused },
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form; these buttons filter the rows.
    <div role="group" aria-label="Rows by what happens to them" className="preview-counts mb-3">
      {options.map(({ state, name, count, Icon }) => (
        <button
          key={name}
          type="button"
          aria-pressed={(address.state ?? '') === state}
          onClick={() => change({ state })}
          className={state === 'refused' && count > 0 ? 'preview-count-refused' : undefined}
        >
          <span className="flex items-center gap-1.5 text-caption">
            {Icon && <Icon className="size-3.5 max-md:hidden" />}
            {name}
          </span>
          <b className="block font-[620] text-[1.25rem] leading-7">{formatCount(count)}</b>
        </button>
      ))}
    </div>
  );
}

interface PreviewRowsProps {
  item: Import;
  counts: ImportCounts;
  corrections: Corrections;
}

function PreviewRows({ item, counts, corrections }: PreviewRowsProps) {
  const { address, change } = useImportSearchParams();
  const search = useDebouncedText({ value: address.q ?? '', onApply: (q) => change({ q }) });
  const isNarrow = useMediaQuery('(width < 48rem)');
  const query = useInfiniteQuery(importRowsQuery(item.import_id, address));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows), [query.data]);
  const columns = useMemo(() => previewColumns(item), [item]);
  const labels = useMemo(() => new Map(item.fields.map(({ field, label }) => [field, label])), [item]);
  const { hasNextPage, isFetchingNextPage, isFetching, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const total = address.state === undefined ? totalCount(counts) : counts[address.state];
  const shared = {
    item,
    columns,
    labels,
    corrections,
    total: address.q === undefined ? total : -1,
    isBehind: query.isPlaceholderData,
    onEndReached: loadMore,
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <div className="flex min-w-0 flex-1 max-md:basis-full md:max-w-80">
          <SearchField
            label="Search in the rows"
            placeholder="Search in the rows"
            query={search.text}
            onQuery={search.type}
          />
        </div>
        <select
          aria-label="Order of the rows"
          className="control w-auto pointer-fine:min-h-8.5 max-md:flex-1"
          value={address.order ?? 'refused-first'}
          onChange={(event) => change({ order: event.target.value === 'line' ? 'line' : '' })}
        >
          <option value="refused-first">Order: refused first</option>
          <option value="line">Order: as in the file</option>
        </select>
        {counts.refused > 0 && <DownloadRefused item={item} />}
      </div>
      {corrections.problem !== '' && (
        <Alert className="mb-3">
          <p>{corrections.problem}</p>
          <Button size="sm" className="mt-2.5 text-fg" onClick={corrections.tryAgain}>
            Try again
          </Button>
        </Alert>
      )}
      <p role="status" className="sr-only">
        {corrections.isChecking
          ? 'Checking the correction.'
          : `${rowsText(counts.refused)} refused, ${formatCount(counts.create)} new, ${formatCount(counts.update)} changed.`}
      </p>
      <LoadError query={query} />
      {rows === undefined ? (
        !hasLoadError({ query }) && <RowsSkeleton />
      ) : rows.length === 0 ? (
        <NoRows
          hasSearch={address.q !== undefined}
          onClear={() => {
            search.cancel();
            change({ q: '', state: '' });
          }}
        />
      ) : isNarrow ? (
        <RowCards rows={rows} {...shared} hasMore={hasNextPage} isLoadingMore={isFetchingNextPage} />
      ) : (
        <RowsTable rows={rows} {...shared} />
      )}
      <PrintAll query={query}>The search and the states above the rows lead to others.</PrintAll>
      {rows !== undefined && rows.length > 0 && !isNarrow && hasNextPage && (
        <p className="screen-only pt-2 text-fg-3 text-label">
          {`${formatCount(rows.length)} rows are loaded, the rest as you scroll.`}
        </p>
      )}
    </>
  );
}

const DownloadRefused = ({ item: { import_id } }: { item: Import }) => (
  <SaveFileButton
    variant="quiet"
    className="md:ml-auto"
    path={callAddress('GET /api/imports/:import_id/refused.csv', { params: { import_id } })}
    name={`import-${import_id}-refused.csv`}
    done="The refused rows have been saved."
  >
    <Download />
    Download refused rows
  </SaveFileButton>
);

function NoRows({ hasSearch, onClear }: { hasSearch: boolean; onClear: () => void }) {
  if (hasSearch) {
    return (
      <NoResults
        title="No row matches the search"
        text="All cells of the file are searched."
        onClear={onClear}
      />
    );
  }
  return (
    <div className="rounded-panel border border-line">
      <EmptyState title="There are no such rows" action={<Button onClick={onClear}>Show all rows</Button>} />
    </div>
  );
}

const SKELETON_WIDTHS = [420, 380, 460, 400, 440];

function RowsSkeleton() {
  return (
    <div className="grid gap-6 rounded-panel border border-line p-5" aria-hidden="true">
      {SKELETON_WIDTHS.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

interface ApplyFooterProps {
  /** The user may apply the import, and has given the reason that it needs. */
  isReady: boolean;
  counts: ImportCounts;
  corrections: Corrections;
  onBack: () => void;
  onApply: (partial: boolean) => void;
}

/** Refused rows hold up the others unless the person chooses to leave them out; corrections that are not checked hold up all. */
function ApplyFooter({ isReady, counts, corrections, onBack, onApply }: ApplyFooterProps) {
  const [partial, setPartial] = useState(false);
  const { create, update, unchanged, refused } = counts;
  const count = create + update;
  const isHeldUp = refused > 0 && !partial;
  const { isChecking } = corrections;
  const hasUnchecked = corrections.hasUnchecked && !isChecking;
  const notes = [
    ...(hasUnchecked ? ['Corrections have not been checked: try again above.'] : []),
    ...(refused > 0
      ? [
          isHeldUp
            ? `${rowsText(refused)} refused: correct ${refused === 1 ? 'it' : 'them'}, or import the good rows.`
            : `${rowsText(refused)} left out.`,
        ]
      : []),
    ...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged.`] : []),
  ].join(' ');
  const isPossible = count > 0 && !isHeldUp && !hasUnchecked && !isChecking && isReady;
  return (
    // Without a box of its own, in which the bar would stick.
    <Form className="contents" onSubmit={() => isPossible && onApply(partial)}>
      <FormFooter note={null}>
        <div className="flex flex-1 flex-wrap items-center gap-x-5 gap-y-1 max-md:basis-full">
          {refused > 0 && (
            <fieldset className="flex flex-wrap gap-x-5">
              <legend className="sr-only">Refused rows</legend>
              {[
                { value: false, text: 'All or nothing' },
                { value: true, text: 'Import the good rows' },
              ].map(({ value, text }) => (
                <label
                  key={text}
                  className="flex min-h-8 items-center gap-2 text-label pointer-coarse:min-h-11"
                >
                  <input
                    type="radio"
                    name="partial"
                    className="size-4.5 accent-ink"
                    checked={partial === value}
                    onChange={() => setPartial(value)}
                  />
                  {text}
                </label>
              ))}
            </fieldset>
          )}
          <p role="status" className="text-fg-3 text-label">
            {count === 0 && refused === 0 && !hasUnchecked ? 'Everything is unchanged.' : notes}
          </p>
        </div>
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
        <Button
          type="submit"
          variant="primary"
          className="max-md:grow"
          processing={isChecking}
          disabled={!isPossible && !isChecking}
        >
          {`Import ${rowsText(count)}`}
        </Button>
      </FormFooter>
    </Form>
  );
}
