import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Report } from '../../contract/grading/reports.ts';
import type { ExportFormat } from '../../contract/students/export.ts';
import { calendarDate } from '../../domain/age.ts';
import { errorMessage, fetchStream } from '../lib/api.ts';
import { pickSaveTarget } from '../students/list/export/save-file.ts';
import { Button } from '../ui/button.tsx';
import { flash } from '../ui/flash.tsx';
import type { ChosenClass } from './search-params.ts';
import { className, useReportsSearchParams } from './search-params.ts';

const CONNECTION_LOST = 'The connection broke off before the file was complete. Nothing was saved.';

/** Saves the report that is shown as a file, or prints it. */
export function ReportFiles({ report, chosen }: { report: Report; chosen: ChosenClass }) {
  const { address } = useReportsSearchParams();
  const [saving, setSaving] = useState<ExportFormat | null>(null);
  const save = async (format: ExportFormat) => {
    const target = await pickSaveTarget(
      `${report}-${className(chosen)}-${calendarDate(new Date())}.${format}`,
    );
    if (target === undefined) return;
    setSaving(format);
    const query = new URLSearchParams(
      Object.entries({ ...address, report }).map(([name, value]) => [name, String(value)]),
    );
    const { signal } = new AbortController();
    try {
      const { body } = await fetchStream('GET', `/api/reports/export.${format}?${query}`, { signal });
      if (body === null) throw new Error(CONNECTION_LOST);
      await target.write(body, signal);
      flash('The report has been saved.');
    } catch (error) {
      flash(errorMessage(error, CONNECTION_LOST), 'warning');
    } finally {
      setSaving(null);
    }
  };
  return (
    <div className="flex flex-wrap gap-2">
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
