import { Download, FileBadge, Printer } from 'lucide-react';
import type { Report } from '../../contract/grading/reports.ts';
import { calendarDate } from '../../domain/age.ts';
import { callAddress } from '../lib/call.ts';
import { useCanWrite } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { SaveFileButton } from '../ui/save-file-button.tsx';
import { type ChosenClass, className, useReportsSearchParams } from './search-params.ts';

const FILES = [
  { format: 'csv', label: 'Save CSV' },
  { format: 'xlsx', label: 'Save workbook' },
] as const;

interface ReportFilesProps {
  report: Report;
  chosen: ChosenClass;
  /** Of a report of a term. */
  termId?: number | undefined;
}

/** The reports that belong to no result sheet. */
const WITHOUT_RESULTS: readonly Report[] = ['degree-check', 'audit', 'shortage'];

/** Saves the report that is shown as a file, or prints it; saves the result sheet of the class. */
export function ReportFiles({ report, chosen, termId }: ReportFilesProps) {
  // What is listed on the screen; the file has all of it.
  const {
    audit: _,
    view: __,
    row: ___,
    state: ____,
    term_id: _____,
    ...address
  } = useReportsSearchParams().address;
  const canWrite = useCanWrite();
  const ending = `${className(chosen)}-${calendarDate(new Date())}`;
  return (
    <div className="flex flex-wrap gap-2">
      {canWrite && !WITHOUT_RESULTS.includes(report) && (
        <SaveFileButton
          path={callAddress('GET /api/reports/result-sheet.pdf', {
            query: { ...chosen, semester: address.semester },
          })}
          name={`result-sheet-${ending}.pdf`}
          done="The result sheet has been saved."
        >
          <FileBadge />
          Result sheet
        </SaveFileButton>
      )}
      {FILES.map(({ format, label }) => (
        <SaveFileButton
          key={format}
          path={callAddress(`GET /api/reports/export.${format}`, {
            query: { ...address, term_id: termId, report },
          })}
          name={`${report}-${ending}.${format}`}
          done="The report has been saved."
        >
          <Download />
          {label}
        </SaveFileButton>
      ))}
      <Button onClick={() => window.print()}>
        <Printer />
        Print
      </Button>
    </div>
  );
}
