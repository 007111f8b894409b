import { CircleCheck, FileDown, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flash } from '../shell/flash.tsx';
import { focusMain } from '../shell/focus-main.ts';
import { Button } from '../ui/button.tsx';
import { type ExportJob, endExport, startExport, useExportJob } from './export-job.ts';
import './export.css';

const ICON = { running: FileDown, done: CircleCheck, failed: TriangleAlert } as const;

/** The place of the export in hand, which outlives the page that it was started from, but not the session. */
export function ExportArea() {
  const job = useExportJob();
  useEffect(() => endExport, []);
  return job && <ExportPanel job={job} />;
}

/** How far the export is, in the corner of whatever page is open. */
function ExportPanel({ job }: { job: ExportJob }) {
  const { state, fileName, rows } = job;
  const Icon = ICON[state];
  const title = titleOf(job);
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    const hasFocus = panel.current?.contains(document.activeElement);
    if (state === 'running') flash('The export has been cancelled.');
    endExport();
    if (hasFocus) focusMain();
  };
  const tryAgain = () => {
    void startExport(job.request, job);
    // The pressed button goes.
    panel.current?.focus();
  };
  return (
    <section ref={panel} aria-label="Export" tabIndex={-1} className="export-panel">
      <Announcement text={state === 'running' ? `${title}, ${progressText(job)}` : title} key={state} />
      <p className="flex items-center gap-2 font-[560]">
        <Icon
          className={`size-4 shrink-0 ${state === 'failed' ? 'text-danger-text' : 'text-fg-2'}`}
          strokeWidth={1.75}
          aria-hidden="true"
        />
        {title}
      </p>
      <p className="wrap-break-word text-fg-3 text-label">{fileName}</p>
      {state === 'running' && (
        <>
          <progress aria-label={title} className="export-progress mt-2.5" {...partOf(job)} />
          <p className="mt-1 text-fg-2 text-label">{progressText(job)}</p>
        </>
      )}
      {state === 'failed' && <p className="mt-1.5 text-danger-text text-label">{job.problem}</p>}
      {state === 'done' && rows === 0 && (
        <p className="mt-1.5 text-label">The file has a head and no rows.</p>
      )}
      <div className="mt-3 flex gap-2">
        {state === 'failed' && (
          <Button size="sm" onClick={tryAgain}>
            Try again
          </Button>
        )}
        {/* One button throughout, so that the focus stays where it is when the export ends. */}
        <Button size="sm" onClick={close}>
          {state === 'running' ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </section>
  );
}

/** Said once a state begins: in a place that was there before its text, or screen readers would not notice it. */
function Announcement({ text }: { text: string }) {
  const [said, say] = useState('');
  const first = useRef(text);
  useEffect(() => {
    const timer = setTimeout(() => say(first.current), 100);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}

const numberText = (count: number) => count.toLocaleString('en');
const studentsText = (count: number) => `${numberText(count)} ${count === 1 ? 'student' : 'students'}`;

function titleOf({ state, rows }: ExportJob): string {
  if (state === 'failed') return 'The export failed';
  return state === 'done' ? `Exported ${studentsText(rows)}` : 'Exporting students';
}

const HOW_SURE = { exact: '', estimate: 'about ', minimum: 'at least ' } as const;

const progressText = ({ rows, total, total_is }: ExportJob) =>
  rows > total
    ? `${numberText(rows)} rows so far`
    : `${numberText(rows)} of ${HOW_SURE[total_is]}${numberText(total)} rows`;

/** Of an unknown whole there is no part. */
const partOf = ({ rows, total, total_is }: ExportJob) =>
  total_is === 'minimum' || rows > total || total === 0 ? {} : { value: rows, max: total };
