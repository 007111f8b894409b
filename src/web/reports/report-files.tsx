import { Download, FileBadge, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Report } from '../../contract/grading/reports.ts';
import type { ExportFormat } from '../../contract/students/export.ts';
import { calendarDate } from '../../domain/age.ts';
import { callAddress } from '../lib/call.ts';
import { useCanWrite } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { saveServerFile } from '../ui/save-file.ts';
import type { ChosenClass } from './search-params.ts';
import { className, useReportsSearchParams } from './search-params.ts';

/** Saves the report that is shown as a file, or prints it; saves the result sheet of the class. */
export function ReportFiles({ report, chosen }: { report: Report; chosen: ChosenClass }) {
  const { address } = useReportsSearchParams();
  const canWrite = useCanWrite();
  const [saving, setSaving] = useState<ExportFormat | 'result-sheet' | null>(null);
  const save = async (format: ExportFormat) => {
    await saveServerFile(
      callAddress(`GET /api/reports/export.${format}`, { query: { ...address, report } }),
      `${report}-${className(chosen)}-${calendarDate(new Date())}.${format}`,
      'The report has been saved.',
      () => setSaving(format),
    );
    setSaving(null);
  };
  const saveResultSheet = async () => {
    const { semester } = address;
    await saveServerFile(
      callAddress('GET /api/reports/result-sheet.pdf', { query: { ...chosen, semester } }),
      `result-sheet-${className(chosen)}-${calendarDate(new Date())}.pdf`,
      'The result sheet has been saved.',
      () => setSaving('result-sheet'),
    );
    setSaving(null);
  };
  return (
    <div className="flex flex-wrap gap-2">
      {canWrite && report !== 'degree-check' && (
        <Button processing={saving === 'result-sheet'} onClick={() => void saveResultSheet()}>
          <FileBadge strokeWidth={1.75} aria-hidden="true" />
          Result sheet
        </Button>
      )}
      <Button processing={saving === 'csv'} onClick={() => void save('csv')}>
        <Download strokeWidth={1.75} aria-hidden="true" />
        Save CSV
      </Button>
      <Button processing={saving === 'xlsx'} onClick={() => void save('xlsx')}>
        <Download strokeWidth={1.75} aria-hidden="true" />
        Save workbook
      </Button>
      <Button onClick={() => window.print()}>
        <Printer strokeWidth={1.75} aria-hidden="true" />
        Print
      </Button>
    </div>
  );
}
