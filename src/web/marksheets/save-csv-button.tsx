import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { saveServerFile } from '../ui/save-file.ts';
import { useSheet } from './sheet-context.tsx';
import { sheetPath } from './sheet-queries.ts';

/** Saves the stored marks of the sheet with IDs, names, totals and grades. */
export function SaveCsvButton() {
  const { sheet_id } = useSheet();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    await saveServerFile(
      `${sheetPath(sheet_id)}/marks.csv`,
      `marks-${sheet_id}.csv`,
      'The marks have been saved.',
      () => setIsSaving(true),
    );
    setIsSaving(false);
  };
  return (
    <Button processing={isSaving} onClick={() => void save()}>
      <FileDown strokeWidth={1.75} aria-hidden="true" />
      Save CSV
    </Button>
  );
}
