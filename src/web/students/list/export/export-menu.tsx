import { ChevronDown, Download } from 'lucide-react';
import { useId, useRef } from 'react';
import type { StudentView } from '../../../../contract/student-list.ts';
import { formatCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import type { TotalIs } from '../model/labels.ts';
import { type ListSelection, selectedCount } from '../model/selection.ts';
import { startExport, useExportJob } from './export-job.ts';
import type { ExportRequest } from './export-request.ts';
import './export.css';

type FileKind = Pick<ExportRequest, 'format' | 'forExcel' | 'separator'>;

const KINDS: readonly { title: string; text: string; kind: FileKind }[] = [
  { title: 'CSV', text: 'Plain text for other programs', kind: { format: 'csv' } },
  {
    title: 'CSV for Excel',
    text: 'Marked so that Excel shows every letter',
    kind: { format: 'csv', forExcel: true },
  },
  { title: 'Excel workbook', text: 'With dates and numbers as such', kind: { format: 'xlsx' } },
  {
    title: 'CSV with semicolons',
    text: 'As Excel in German or French reads it',
    kind: { format: 'csv', forExcel: true, separator: 'semicolon' },
  },
];

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

  const start = (kind: FileKind) => {
    menu.current?.hidePopover();
    const request = { ...kind, view, ...(isSelection && { selection }) };
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
        <Download strokeWidth={1.75} aria-hidden="true" className="max-md:!ms-0" />
        <span className="max-md:sr-only">Export</span>
        <ChevronDown strokeWidth={1.75} aria-hidden="true" className="max-md:hidden" />
      </Button>
      <div ref={menu} id={id} popover="auto" className="export-choices">
        <p className="px-2.5 pt-1.5 pb-1 text-caption text-fg-3">
          {isRunning
            ? 'An export is running. Cancel it, or wait for its end.'
            : countText(count, countIs, isSelection)}
        </p>
        <ul>
          {KINDS.map(({ title, text, kind }) => (
            <li key={title}>
              <button
                type="button"
                disabled={isRunning}
                onClick={() => start(kind)}
                className="block min-h-11 w-full rounded-control px-2.5 py-1.5 text-start -outline-offset-2 hover:bg-hover disabled:text-fg-3 disabled:hover:bg-transparent"
              >
                <span className="block font-[560]">{title}</span>
                <span className="block text-fg-3 text-label">{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

const CERTAINTY: Record<TotalIs, string> = { exact: '', estimate: 'About ', minimum: 'At least ' };

const countText = (count: number, countIs: TotalIs, isSelection: boolean) =>
  `${CERTAINTY[countIs]}${formatCount(count)} ${isSelection ? 'chosen ' : ''}${count === 1 ? 'student' : 'students'}`;
