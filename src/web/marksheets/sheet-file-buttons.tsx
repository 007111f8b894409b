import { FileDown } from 'lucide-react';
import { callAddress } from '../lib/call.ts';
import { SaveFileButton } from '../ui/save-file-button.tsx';
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
  return (
    <SaveFileButton
      path={callAddress(`GET /api/sheets/:sheet_id/${file}`, { params: { sheet_id } })}
      name={file.replace('.', `-${sheet_id}.`)}
      done={done}
    >
      <FileDown />
      {label}
    </SaveFileButton>
  );
}
