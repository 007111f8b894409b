import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { COURSE_MARK, type MarksHeading, type ParsedMarks } from '../../../domain/marks.ts';
import { Histogram } from '../../charts/histogram-chart.tsx';
import { formatCount } from '../../lib/format.ts';
import type { MarksPreviewData } from './use-marks-preview.ts';

/** In milliseconds; screen readers should not announce every keystroke. */
const ANNOUNCE_DELAY_MS = 700;

/** A preview of the upload: the number of marks, their distribution, and the cells that are not marks. */
export function MarksPreview({ preview }: { preview: MarksPreviewData }) {
  return (
    <div className="grid gap-3 rounded-panel border border-line px-4 py-3.5">
      <p className="text-label">{summaryText(preview)}</p>
      <Announcement text={summaryText(preview)} />
      {preview.kind === 'read' && (
        <>
          {preview.parsed.heading && <Heading heading={preview.parsed.heading} />}
          {preview.parsed.columns > 1 && <Columns count={preview.parsed.columns} />}
          {preview.parsed.faultCount > 0 && <Faults parsed={preview.parsed} />}
          {preview.summary.count > 0 && (
            <div className="max-w-120">
              <Histogram label="Marks to be sent" bins={preview.summary.histogram} />
            </div>
          )}
        </>
      )}
    </div>
  );
}

function summaryText(preview: MarksPreviewData): string {
  if (preview.kind === 'unreadable') return preview.reason;
  const { summary, parsed } = preview;
  const { columns } = parsed;
  const found = `${counted(summary.count, 'mark')} found${columns > 1 ? ` in ${columns} columns` : ''}.`;
  const { average, std_dev } = summary;
  const spread =
    average === null || std_dev === null
      ? ''
      : ` Average ${average.toFixed(1)}, standard deviation ${std_dev.toFixed(1)}.`;
  return found + spread + (parsed.faultCount > 0 ? ` ${faultText(parsed.faultCount)}` : '');
}

const counted = (count: number, noun: string) =>
  `${count === 0 ? 'No' : formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const faultText = (count: number) =>
  `${counted(count, 'cell')} ${count === 1 ? 'holds' : 'hold'} no mark from ${COURSE_MARK.min} to ${COURSE_MARK.max}.`;

/** The same text for screen readers, after it has not changed for a moment. */
function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}

function Heading({ heading: { line, only, leftOut } }: { heading: MarksHeading }) {
  return (
    <p className="wrap-anywhere text-fg-3 text-label">
      Line {line} is a heading and is left out
      {only && `; only column ${only.column}, headed “${only.name}”, is read`}
      {leftOut.length > 0 &&
        `, and so ${leftOut.length === 1 ? 'is' : 'are'} ${leftOut.map(({ column, name }) => `column ${column}, “${name}”`).join('; ')}`}
      .
    </p>
  );
}

/** Warns that all columns are read: roll numbers, for example, would count as marks. */
function Columns({ count }: { count: number }) {
  return (
    <Warning>
      <p className="font-[560]">{count} columns were read, and every number in them counts as a mark.</p>
      <p className="mt-1">
        To have one column read alone, give it the heading Marks, and the others another.
      </p>
    </Warning>
  );
}

function Faults({ parsed: { faults, faultCount } }: { parsed: ParsedMarks }) {
  return (
    <Warning>
      <p className="font-[560]">No mark is stored until these cells are corrected.</p>
      <ul className="mt-1 grid gap-0.5">
        {faults.map(({ line, cell, value }) => (
          <li key={`${line} ${cell}`} className="wrap-anywhere">
            Line {line}, cell {cell}: <Code>{value}</Code>
          </li>
        ))}
        {faultCount > faults.length && <li>and {formatCount(faultCount - faults.length)} more</li>}
      </ul>
    </Warning>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-2.5 rounded-control border border-warn-line bg-warn-soft px-3 py-2.5 text-label text-warn">
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="whitespace-pre-wrap font-mono">{children}</code>;
}
