import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { saveServerFile } from '../ui/save-file.ts';
import { useSheet } from './sheet-context.tsx';
import { sheetPath } from './sheet-queries.ts';

/** Saves the award list of the sheet, which is for staff. */
export const AwardListButton = () => (
  <SheetFileButton
    label="Award list"
    name="award-list"
    extension="pdf"
    done="The award list has been saved."
  />
);

/** Saves the stored marks of the sheet with IDs, names, totals and grades. */
export const SaveCsvButton = () => (
  <SheetFileButton label="Save CSV" name="marks" extension="csv" done="The marks have been saved." />
);

interface SheetFileButtonProps {
  label: string;
  /** Of the file, on the server and, with the number of the sheet, here. */
  name: string;
  extension: 'pdf' | 'csv';
  done: string;
}

function SheetFileButton({ label, name, extension, done }: SheetFileButtonProps) {
  const { sheet_id } = useSheet();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    await saveServerFile(
      `${sheetPath(sheet_id)}/${name}.${extension}`,
      `${name}-${sheet_id}.${extension}`,
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
