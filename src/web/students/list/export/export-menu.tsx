import { ChevronDown, Download } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { StudentView } from '../../../../contract/students/student-list.ts';
import { formatStudentCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
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

/** Exports the students of the view, or the selected ones, in one of several kinds of file. */
export function ExportMenu({ view, selection, total }: ExportMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const isRunning = useExportJob()?.state === 'running';
  const isSelection = selection.kind === 'all' || selection.ids.size > 0;
  const count = isSelection ? selectedCount(selection, total.count) : total.count;
  const countIs = isSelection && selection.kind === 'some' ? 'exact' : total.is;

  const [isChoosing, setIsChoosing] = useState(false);
  const start = (file: FileOptions) => {
    menu.current?.hidePopover();
    const request = { ...file, view, ...(isSelection && { selection }) };
    void startExport(request, { total: count, total_is: countIs });
  };
  return (
    <>
      {/* Small screens show the icon only. */}
      <Button
        popoverTarget={id}
        disabled={count === 0}
        className="pointer-coarse:min-h-11 max-md:min-h-11 max-md:min-w-11"
      >
        <Download className="max-md:!ms-0" />
        <span className="max-md:sr-only">Export</span>
        <ChevronDown className="max-md:hidden" />
      </Button>
      <div ref={menu} id={id} popover="auto" className="export-choices">
        <p className="px-2.5 pt-1.5 pb-1 text-caption text-fg-3">
          {isRunning
            ? 'An export is running. Cancel it, or wait until it has finished.'
            : countText(count, countIs, isSelection)}
        </p>
        <ul>
          {FILE_KINDS.map(({ title, text, kind }) => (
            <li key={title}>
              <button type="button" disabled={isRunning} onClick={() => start(kind)} className={CHOICE}>
                <span className="block font-[560]">{title}</span>
                <span className="block text-fg-3 text-label">{text}</span>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              disabled={isRunning}
              onClick={() => {
                menu.current?.hidePopover();
                setIsChoosing(true);
              }}
              className={CHOICE}
            >
              <span className="block font-[560]">Columns and results…</span>
              <span className="block text-fg-3 text-label">Select what the file contains</span>
            </button>
          </li>
        </ul>
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

const CHOICE =
  'block min-h-11 w-full rounded-control px-2.5 py-1.5 text-start -outline-offset-2 hover:bg-hover disabled:text-fg-3 disabled:hover:bg-transparent';

const CERTAINTY: Record<TotalIs, string> = { exact: '', estimate: 'About ', minimum: 'At least ' };

const countText = (count: number, countIs: TotalIs, isSelection: boolean) =>
  CERTAINTY[countIs] + (isSelection ? plural(count, 'selected student') : formatStudentCount(count));
