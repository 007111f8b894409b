import type { ImportKind } from '../../../contract/imports.ts';
import { callAddress } from '../../lib/call.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { saveServerFile } from '../../ui/save-file.ts';
import { IMPORT_KINDS, KIND_NAMES } from '../import-labels.ts';

const KIND_TEXTS: Readonly<Record<ImportKind, string>> = {
  students: 'One row per student; the family stands in the same row',
  results: 'One row per student, semester and subject, or one column per course',
  courses: 'One row per course of the catalogue',
  marks: 'The marks of one course, out of 100',
  scheme: 'One row per row of the scheme; they replace those of a draft',
};

interface KindChoiceProps {
  kind: ImportKind;
  onChange: (kind: ImportKind) => void;
}

/** The choice of the kind of records in the file, each with its template. */
export function KindChoice({ kind, onChange }: KindChoiceProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const kinds = IMPORT_KINDS.filter((one) => one !== 'scheme' || isAdmin);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-[620] text-section">What is in the file?</legend>
      <div className="overflow-hidden rounded-panel border border-line">
        {kinds.map((one) => (
          <div
            key={one}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line px-4 py-3 not-first:border-t has-checked:bg-ink-soft"
          >
            <label className="flex min-w-0 flex-[1_1_260px] cursor-pointer items-center gap-3.5">
              <input
                type="radio"
                name="kind"
                value={one}
                checked={one === kind}
                aria-labelledby={`kind-${one}`}
                aria-describedby={`kind-${one}-text`}
                onChange={() => onChange(one)}
                className="size-4.5 shrink-0 accent-ink"
              />
              <span className="min-w-0">
                <span id={`kind-${one}`} className="block font-[560] text-section">
                  {KIND_NAMES[one]}
                </span>
                <span id={`kind-${one}-text`} className="text-fg-2 text-label">
                  {KIND_TEXTS[one]}
                </span>
              </span>
            </label>
            <p className="flex flex-wrap items-center gap-x-2 text-fg-2 text-label max-md:ms-8">
              <span aria-hidden="true">Template</span>
              <TemplateButton kind={one} format="csv" />
              <TemplateButton kind={one} format="xlsx" />
            </p>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function TemplateButton({ kind, format }: { kind: ImportKind; format: 'csv' | 'xlsx' }) {
  return (
    <button
      type="button"
      className="link min-h-8 min-w-8 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      onClick={() =>
        void saveServerFile(
          callAddress('GET /api/imports/templates/:kind.:format', { params: { kind, format } }),
          `${kind}.${format}`,
          'The template has been saved.',
        )
      }
    >
      <span className="sr-only">Template for {KIND_NAMES[kind]} </span>
      {format === 'csv' ? 'CSV' : 'Excel'}
    </button>
  );
}
