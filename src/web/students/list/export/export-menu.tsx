import { ChevronDown, Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import { formatStudentCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { TotalIs } from '../model/labels.ts';
import { type ListSelection, selectedCount } from '../model/selection.ts';
import { startExport, useExportJob } from './export-job.ts';
import { FILE_KINDS, type FileOptions } from './file-kinds.ts';
import './export.css';

/** Loaded on demand: few exports need it. */
const ExportDialog = lazy(() =>
  import('./export-dialog.tsx').then((module) => ({ default: module.ExportDialog })),
);

interface ExportMenuProps {
  view: StudentView;
  /** All of the view where it is empty. */
  selection: ListSelection;
  /** Number of students in the view. */
  total: { count: number; is: TotalIs };
}

const [WORKBOOK, ...OTHERS] = FILE_KINDS;

/** Exports the students of the view, or the selected ones: one press for a workbook, a menu for the other kinds of file. */
export function ExportMenu({ view, selection, total }: ExportMenuProps) {
  const isRunning = useExportJob()?.state === 'running';
  const isSelection = selection.kind === 'all' || selection.ids.size > 0;
  const count = isSelection ? selectedCount(selection, total.count) : total.count;
  const countIs = isSelection && selection.kind === 'some' ? 'exact' : total.is;

  const [isChoosing, setIsChoosing] = useState(false);
  const start = (file: FileOptions) => {
    const request = { ...file, view, ...(isSelection && { selection }) };
    void startExport(request, { total: count, total_is: countIs });
  };
  const others = OTHERS.map(({ title, text, kind }) => ({
    label: title,
    text,
    onSelect: () => start(kind),
    isDisabled: isRunning,
  }));
  return (
    <>
      <div className="flex">
        {/* Small screens show the icon only. */}
        <Button
          disabled={count === 0}
          aria-disabled={isRunning}
          title="As an Excel workbook"
          onClick={() => WORKBOOK && start(WORKBOOK.kind)}
          className="rounded-e-none pointer-coarse:min-h-11 max-md:min-h-11 max-md:min-w-11"
        >
          <Download className="max-md:!ms-0" />
          <span className="max-md:sr-only">Export</span>
        </Button>
        <Menu
          label="Other formats"
          button={<ChevronDown className="!ms-0" />}
          isDisabled={count === 0}
          note={
            isRunning
              ? 'An export is running. Cancel it, or wait until it has finished.'
              : countText(count, countIs, isSelection)
          }
          groups={[
            { items: others },
            {
              items: [
                {
                  label: 'Columns and results…',
                  text: 'Select what the file contains',
                  onSelect: () => setIsChoosing(true),
                  isDisabled: isRunning,
                },
              ],
            },
          ]}
          className="-ms-px rounded-s-none !px-2 pointer-coarse:min-h-11 max-md:min-h-11"
        />
      </div>
      {isChoosing && (
        <Suspense>
          <ExportDialog
            students={countText(count, countIs, isSelection)}
            onExport={start}
            onClose={() => setIsChoosing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

const CERTAINTY: Record<TotalIs, string> = { exact: '', estimate: 'About ', minimum: 'At least ' };

const countText = (count: number, countIs: TotalIs, isSelection: boolean) =>
  CERTAINTY[countIs] + (isSelection ? plural(count, 'selected student') : formatStudentCount(count));
