import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { saveServerFile } from '../ui/save-file.ts';
import { useSheet } from './sheet-context.tsx';
import { sheetPath } from './sheet-queries.ts';

/** Saves the award list of the sheet, which is for staff. */
export function AwardListButton() {
  const { sheet_id } = useSheet();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    await saveServerFile(
      `${sheetPath(sheet_id)}/award-list.pdf`,
      `award-list-${sheet_id}.pdf`,
      'The award list has been saved.',
      () => setIsSaving(true),
    );
    setIsSaving(false);
  };
  return (
    <Button processing={isSaving} onClick={() => void save()}>
      <FileDown strokeWidth={1.75} aria-hidden="true" />
      Award list
    </Button>
  );
}
