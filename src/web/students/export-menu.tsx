import { ChevronDown, Download } from 'lucide-react';
import { useId, useRef } from 'react';
import type { ExportProgress } from '../../contract/export.ts';
import type { StudentView } from '../../contract/student-list.ts';
import { Button } from '../ui/button.tsx';
import { startExport, useExportJob } from './export-job.ts';
import type { ExportRequest } from './export-request.ts';
import { chosenCount, type ListSelection } from './list-selection.ts';
import './export.css';

type Kind = Pick<ExportRequest, 'format' | 'forExcel'>;

const KINDS: readonly { title: string; text: string; kind: Kind }[] = [
  { title: 'CSV', text: 'Plain text for other programs', kind: { format: 'csv' } },
  {
    title: 'CSV for Excel',
    text: 'Marked so that Excel shows every letter',
    kind: { format: 'csv', forExcel: true },
  },
  { title: 'Excel workbook', text: 'With dates and numbers as such', kind: { format: 'xlsx' } },
];

interface ExportMenuProps {
  view: StudentView;
  /** Nobody chosen: all of the view. */
  selection?: ListSelection | undefined;
  /** How many students the view has. */
  total: { count: number; is: ExportProgress['total_is'] };
}

/** The students of the view, or the chosen ones, as a file of the person's choice. */
export function ExportMenu({ view, selection, total }: ExportMenuProps) {
  const choices = useRef<HTMLDivElement>(null);
  const id = useId();
  const isRunning = useExportJob()?.state === 'running';
  const isChosen = selection !== undefined && !(selection.kind === 'some' && selection.ids.size === 0);
  const count = isChosen ? chosenCount(selection, total.count) : total.count;
  const isSure = isChosen && selection.kind === 'some' ? 'exact' : total.is;

  const start = (kind: Kind) => {
    choices.current?.hidePopover();
    const request = { ...kind, view, ...(isChosen && { selection }) };
    void startExport(request, { total: count, total_is: isSure });
  };
  return (
    <>
      {/* On small screens it is its icon alone. */}
      <Button
        popoverTarget={id}
        disabled={count === 0}
        className="pointer-coarse:min-h-11 max-md:min-h-11 max-md:min-w-11"
      >
        <Download strokeWidth={1.75} aria-hidden="true" className="max-md:!ms-0" />
        <span className="max-md:sr-only">Export</span>
        <ChevronDown strokeWidth={1.75} aria-hidden="true" className="max-md:hidden" />
      </Button>
      <div ref={choices} id={id} popover="auto" className="export-choices">
        <p className="px-2.5 pt-1.5 pb-1 text-caption text-fg-3">
          {isRunning
            ? 'An export is running. Cancel it, or wait for its end.'
            : whatText(count, isSure, isChosen)}
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

const HOW_SURE = { exact: '', estimate: 'About ', minimum: 'At least ' } as const;

function whatText(count: number, isSure: ExportProgress['total_is'], isChosen: boolean): string {
  const students = `${count.toLocaleString('en')} ${isChosen ? 'chosen ' : ''}${count === 1 ? 'student' : 'students'}`;
  return HOW_SURE[isSure] + students;
}
