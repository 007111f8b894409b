import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { DOCUMENT_STATES } from '../../../domain/documents/kinds.ts';
import { useDebouncedText } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { PrintAll } from '../../ui/page/print-all.tsx';
import { TableSkeleton } from '../../ui/skeleton.tsx';
import { STATE_NAMES } from '../document-labels.ts';
import { registerQuery } from '../document-queries.ts';
import { DocumentsTabs } from '../documents-tabs.tsx';
import { DocumentsTable } from './documents-table.tsx';
import { type RegisterSearchParams, useRegisterSearchParams } from './search-params.ts';

/** The register of issued documents, the latest first. */
export function RegisterPage() {
  const { address, change } = useRegisterSearchParams();
  const query = useInfiniteQuery(registerQuery(address));
  const documents = query.data?.pages.flat();
  const isFiltered = Object.keys(address).length > 0;
  const clear = () => change({ student_id: '', serial: '', state: '' });
  return (
    <Page width="wide">
      <PageHeader title="Documents" sub="Official transcripts and result cards that were issued." />
      <DocumentsTabs />
      {(isFiltered || query.isPlaceholderData || documents?.length !== 0) && (
        <Filters address={address} onChange={change} onClear={isFiltered ? clear : undefined} />
      )}
      <LoadError query={query} />
      {documents === undefined ? (
        !hasLoadError({ query }) && <TableSkeleton />
      ) : documents.length === 0 ? (
        <div className="rounded-panel border border-line">
          {isFiltered ? (
            <EmptyState title="No document matches" text="The whole ID and the whole serial are compared." />
          ) : (
            <EmptyState
              title="Nothing has been issued yet"
              text="Transcripts and result cards are issued on the record of a student, or for the students selected in the list."
            />
          )}
        </div>
      ) : (
        <div
          aria-busy={query.isPlaceholderData}
          className="transition-opacity duration-(--t-fast) aria-busy:opacity-60"
        >
          <DocumentsTable label="Issued documents" documents={documents} hasStudents />
          <PrintAll query={query}>The filters lead to earlier documents.</PrintAll>
          {query.hasNextPage && (
            <Button
              className="screen-only mt-5"
              processing={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show earlier documents
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}

interface FiltersProps {
  address: RegisterSearchParams;
  onChange: (parts: Partial<Record<keyof RegisterSearchParams, string>>) => void;
  onClear: (() => void) | undefined;
}

const CODE_FIELD = { maxLength: 20, spellCheck: false } as const;

function Filters({ address, onChange, onClear }: FiltersProps) {
  const filters = useRef<HTMLElement>(null);
  const studentId = useDebouncedText({
    value: address.student_id ?? '',
    onApply: (student_id) => onChange({ student_id }),
  });
  const serial = useDebouncedText({
    value: address.serial ?? '',
    onApply: (text) => onChange({ serial: text }),
  });
  return (
    <search
      ref={filters}
      aria-label="Filter the documents"
      className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-2"
    >
      <div className="w-48 max-xs:flex-[1_1_140px]">
        <TextField
          {...CODE_FIELD}
          label="Student ID"
          name="student_id"
          value={studentId.text}
          onChange={studentId.type}
        />
      </div>
      <div className="w-48 max-xs:flex-[1_1_140px]">
        <TextField
          {...CODE_FIELD}
          label="Serial"
          name="serial"
          value={serial.text}
          onChange={serial.type}
          placeholder="2026-000001"
        />
      </div>
      <div className="w-48 max-xs:flex-[1_1_140px]">
        <SelectField
          label="State"
          name="state"
          value={address.state ?? ''}
          onChange={(state) => onChange({ state })}
          placeholder="All"
          options={DOCUMENT_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
        />
      </div>
      {onClear && (
        <Button
          variant="quiet"
          onClick={() => {
            // The button that was pressed disappears.
            filters.current?.querySelector<HTMLElement>('input, select')?.focus();
            studentId.cancel();
            serial.cancel();
            onClear();
          }}
        >
          Clear all
        </Button>
      )}
    </search>
  );
}
