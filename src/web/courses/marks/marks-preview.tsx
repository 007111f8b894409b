import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import {
  type AbsentRule,
  absentText,
  COURSE_MARK,
  type MarksHeading,
  markFaultPlace,
  type ParsedMarks,
} from '../../../domain/marks.ts';
import { Histogram } from '../../charts/histogram-chart.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { MarksQuestions } from './marks-questions.tsx';
import type { MarksPreviewData } from './use-marks-preview.ts';

/** In milliseconds; screen readers should not announce every keystroke. */
const ANNOUNCE_DELAY_MS = 700;

interface MarksPreviewProps {
  preview: MarksPreviewData;
  onAbsent: (rule: AbsentRule) => void;
  /** Another sheet of the workbook is selected. */
  onSheet: (name: string) => void;
  onColumn: (column: string) => void;
  onDecimal: (decimal: string) => void;
  /** Why a save was refused: a question is open. */
  error: string | undefined;
}

/** A preview of the upload: the number of marks, their distribution, and the cells that are not marks. */
export function MarksPreview({ preview, onAbsent, onSheet, ...questions }: MarksPreviewProps) {
  return (
    <div className="grid gap-3 rounded-panel border border-line px-4 py-3.5">
      <p className="text-label">{summaryText(preview)}</p>
      <Announcement text={summaryText(preview)} />
      {preview.kind === 'read' && (
        <>
          {preview.workbook && <Sheets {...preview.workbook} onSheet={onSheet} />}
          <MarksQuestions parsed={preview.parsed} {...questions} />
          {preview.parsed.heading && <Heading heading={preview.parsed.heading} />}
          {preview.parsed.leftOutCount > 0 && <LeftOut parsed={preview.parsed} />}
          {preview.parsed.columns > 1 && <Columns count={preview.parsed.columns} />}
          {preview.parsed.absent.rows > 0 && <Absent parsed={preview.parsed} onAbsent={onAbsent} />}
          {preview.parsed.faultCount > 0 && (
            <Faults parsed={preview.parsed} isSheet={preview.workbook !== undefined} />
          )}
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
  if (parsed.isAsking) return 'Nothing is read before this is answered.';
  const { columns } = parsed;
  const found = `${summary.count === 0 ? 'No marks' : plural(summary.count, 'mark')} found${columns > 1 ? ` in ${columns} columns` : ''}.`;
  const { average, std_dev } = summary;
  const spread =
    average === null || std_dev === null
      ? ''
      : ` Average ${average.toFixed(1)}, standard deviation ${std_dev.toFixed(1)}.`;
  return found + spread + (parsed.faultCount > 0 ? ` ${faultText(parsed.faultCount)}` : '');
}

const faultText = (count: number) =>
  `${plural(count, 'cell holds', 'cells hold')} no mark from ${COURSE_MARK.min} to ${COURSE_MARK.max}.`;

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

function Heading({ heading: { line, only } }: { heading: MarksHeading }) {
  return (
    <p className="wrap-anywhere text-fg-3 text-label">
      Line {line} is a heading and is left out
      {only && `; only column ${only.column}, headed “${only.name}”, is read`}.
    </p>
  );
}

/** Names the rows that are no student's. */
function LeftOut({ parsed: { leftOut, leftOutCount } }: { parsed: ParsedMarks }) {
  return (
    <div className="text-fg-2 text-label">
      <p className="font-[560]">{plural(leftOutCount, 'row')} left out</p>
      <ul className="mt-1 grid gap-0.5">
        {leftOut.map(({ line, text }) => (
          <li key={line} className="wrap-anywhere">{`Line ${line}, ${text}`}</li>
        ))}
        {leftOutCount > leftOut.length && <li>and {formatCount(leftOutCount - leftOut.length)} more</li>}
      </ul>
    </div>
  );
}

/** Warns that all columns are read: roll numbers, for example, would count as marks. */
function Columns({ count }: { count: number }) {
  return (
    <Warning>
      <p className="font-[560]">{count} columns were read, and every number in them counts as a mark.</p>
      <p className="mt-1">To read one column only, head it Marks.</p>
    </Warning>
  );
}

interface SheetsProps {
  sheets: readonly string[];
  /** The sheet that was read. */
  sheet: string;
  onSheet: (name: string) => void;
}

/** The sheet that is read, to be selected if there are several. */
function Sheets({ sheets, sheet, onSheet }: SheetsProps) {
  if (sheets.length === 1) return null;
  return (
    <SelectField
      label="Sheet"
      name="sheet"
      value={sheet}
      onChange={onSheet}
      options={sheets.map((name) => ({ value: name, label: name }))}
      className="max-w-80"
    />
  );
}

/** Names the cells that say Absent; leaving them out has to be selected, since a mark of 0 may be meant. */
function Absent({ parsed, onAbsent }: { parsed: ParsedMarks; onAbsent: (rule: AbsentRule) => void }) {
  return (
    <CheckBox
      name="absent"
      isChecked={parsed.absent.areLeftOut}
      onChange={(isChecked) => onAbsent(isChecked ? 'leave_out' : 'refuse')}
      className="text-label"
    >
      {absentText(parsed.absent)}: leave them out
    </CheckBox>
  );
}

function Faults({ parsed: { faults, faultCount }, isSheet }: { parsed: ParsedMarks; isSheet: boolean }) {
  return (
    <Warning>
      <p className="font-[560]">No mark is saved until these cells are corrected.</p>
      <ul className="mt-1 grid gap-0.5">
        {faults.map((fault) => (
          <li key={`${fault.line} ${fault.cell}`} className="wrap-anywhere first-letter:uppercase">
            {markFaultPlace(fault, isSheet)}: <Code>{fault.value}</Code>
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
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="whitespace-pre-wrap font-mono">{children}</code>;
}
