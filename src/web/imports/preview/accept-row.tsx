import type { ImportRow } from '../../../contract/imports.ts';
import { otherPersonTexts } from './preview-columns.ts';
import type { Corrections } from './use-corrections.ts';

interface AcceptRowProps {
  row: ImportRow;
  corrections: Corrections;
}

/** The choice to import a row although it names another person than the record of its ID. */
export function AcceptRow({ row, corrections }: AcceptRowProps) {
  if (otherPersonTexts(row).length === 0) return null;
  return (
    <label className="mt-1 flex min-h-8 items-center gap-2 text-label pointer-coarse:min-h-11">
      <input
        type="checkbox"
        className="size-4.5 shrink-0 accent-ink"
        checked={corrections.isAccepted(row.line)}
        onChange={(event) => corrections.accept(row.line, event.target.checked)}
      />
      <span>
        Import it
        <span className="sr-only">{`: row ${row.line} names another person`}</span>
      </span>
    </label>
  );
}
