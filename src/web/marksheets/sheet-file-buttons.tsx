import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { callAddress } from '../lib/call.ts';
import { Button } from '../ui/button.tsx';
import { saveServerFile } from '../ui/save-file.ts';
import { useSheet } from './sheet-context.tsx';

/** Saves the award list of the sheet, which is for staff. */
export const AwardListButton = () => (
  <SheetFileButton label="Award list" file="award-list.pdf" done="The award list has been saved." />
);

/** Saves the stored marks of the sheet with IDs, names, totals and grades. */
export const SaveCsvButton = () => (
  <SheetFileButton label="Save CSV" file="marks.csv" done="The marks have been saved." />
);

interface SheetFileButtonProps {
  label: string;
  file: 'award-list.pdf' | 'marks.csv';
  done: string;
}

function SheetFileButton({ label, file, done }: SheetFileButtonProps) {
  const { sheet_id } = useSheet();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    await saveServerFile(
      callAddress(`GET /api/sheets/:sheet_id/${file}`, { params: { sheet_id } }),
      file.replace('.', `-${sheet_id}.`),
      done,
      () => setIsSaving(true),
    );
    setIsSaving(false);
  };
  return (
    <Button processing={isSaving} onClick={() => void save()}>
      <FileDown strokeWidth={1.75} aria-hidden="true" />
      {label}
    </Button>
  );
}
