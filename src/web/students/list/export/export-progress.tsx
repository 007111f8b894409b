import { CircleCheck, FileDown, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount, formatStudentCount } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { flash } from '../../../ui/flash.tsx';
import { closeExport, type ExportJob, startExport, useExportJob } from './export-job.ts';
import './export.css';

const ICON = { running: FileDown, done: CircleCheck, failed: TriangleAlert } as const;

/** Shows the current export. It outlives the page that it was started from, but ends with the session. */
export function ExportStatus() {
  const job = useExportJob();
  useEffect(() => closeExport, []);
  return job && <ExportPanel job={job} />;
}

/** The progress of the export, in the corner of any page. */
function ExportPanel({ job }: { job: ExportJob }) {
  const { state, fileName, rows } = job;
  const Icon = ICON[state];
  const title = exportTitle(job);
  const panel = useRef<HTMLElement>(null);
  const close = () => {
    if (state === 'running') flash('The export has been cancelled.');
    closeExport();
  };
  const tryAgain = () => {
    void startExport(job.request, job);
    // The pressed button is removed.
    panel.current?.focus();
  };
  return (
    <section ref={panel} aria-label="Export" tabIndex={-1} className="screen-only export-panel">
      <Announcement text={state === 'running' ? `${title}, ${progressText(job)}` : title} key={state} />
      <p className="flex items-center gap-2 font-[560]">
        <Icon className={`size-4 shrink-0 ${state === 'failed' ? 'text-danger-text' : 'text-fg-2'}`} />
        {title}
      </p>
      <p className="wrap-break-word text-fg-3 text-label">{fileName}</p>
      {state === 'running' && (
        <>
          <progress aria-label={title} className="progress export-progress mt-2.5" {...progressValue(job)} />
          <p className="mt-1 text-fg-2 text-label">{progressText(job)}</p>
        </>
      )}
      {state === 'failed' && <p className="mt-1.5 text-danger-text text-label">{job.problem}</p>}
      {state === 'done' && rows === 0 && (
        <p className="mt-1.5 text-label">The file has column headings and no rows.</p>
      )}
      <div className="mt-3 flex gap-2">
        {state === 'failed' && (
          <Button size="sm" onClick={tryAgain}>
            Try again
          </Button>
        )}
        {/* One button for both, so that it keeps the focus when the export ends. */}
        <Button size="sm" onClick={close}>
          {state === 'running' ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </section>
  );
}

/** Announces the text once. Screen readers notice it only in an element that existed before its text. */
function Announcement({ text }: { text: string }) {
  const [announced, announce] = useState('');
  const first = useRef(text);
  useEffect(() => {
    const timer = setTimeout(() => announce(first.current), 100);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}

function exportTitle({ state, rows }: ExportJob): string {
  if (state === 'failed') return 'The export failed';
  return state === 'done' ? `Exported ${formatStudentCount(rows)}` : 'Exporting students';
}

const CERTAINTY = { exact: '', estimate: 'about ', minimum: 'at least ' } as const;

const progressText = ({ rows, total, total_is }: ExportJob) =>
  rows > total
    ? `${formatCount(rows)} rows so far`
    : `${formatCount(rows)} of ${CERTAINTY[total_is]}${formatCount(total)} rows`;

/** No value while the total is unknown: the bar then shows no share. */
const progressValue = ({ rows, total, total_is }: ExportJob) =>
  total_is === 'minimum' || rows > total || total === 0 ? {} : { value: rows, max: total };
