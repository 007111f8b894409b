import type { ImportRow } from '../../../contract/imports.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
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
    <CheckBox
      isChecked={corrections.isAccepted(row.line)}
      onChange={(isChecked) => corrections.accept(row.line, isChecked)}
      className="mt-1 text-label"
    >
      Import it
      <span className="sr-only">{`: row ${row.line} names another person`}</span>
    </CheckBox>
  );
}
