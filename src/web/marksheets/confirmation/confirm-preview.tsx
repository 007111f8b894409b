import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ConfirmPreview } from '../../../contract/marksheets/confirmation.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { GRADE_LETTERS } from '../../../domain/grading/gpa.ts';
import { formatCount, formatStudentCount, plural } from '../../lib/format.ts';
import { fullName } from '../../students/student-format.ts';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { GradeBadge } from '../../ui/tag.tsx';

export const resultsText = (count: number) => plural(count, 'result');

interface PreviewProps {
  sheet: Sheet;
  preview: ConfirmPreview;
  title?: string;
}

/** The results that confirming writes: in all, by letter, and student by student. */
export function WritesPreview({ sheet, preview: { writes }, title = 'What will be recorded' }: PreviewProps) {
  const created = writes.filter(({ creates_semester }) => creates_semester).length;
  const semesters = [...new Set(writes.map(({ semester }) => semester))].toSorted((a, b) => a - b);
  return (
    <section aria-labelledby="sheet-writes">
      <h2 id="sheet-writes" className="mb-2">
        {title}
      </h2>
      <p className="text-fg-2">
        {writes.length === 0
          ? 'No result changes.'
          : `${resultsText(writes.length)} with ${plural(sheet.credits, 'credit hour')} in ${semestersText(semesters)}. SGPA and CGPA of these students are computed again at that moment.`}
        {created > 0 &&
          ` For ${formatStudentCount(created)} the semester is not recorded yet and is created.`}
      </p>
      {writes.length > 0 && (
        <>
          <LetterCounts letters={writes.map(({ letter }) => letter)} />
          <details className="mt-3">
            <summary className="min-h-6 w-fit cursor-pointer text-fg-2 text-label">Show each result</summary>
            <WritesTable sheet={sheet} writes={writes} />
          </details>
        </>
      )}
    </section>
  );
}

/** How many have each letter. */
export function LetterCounts({ letters }: { letters: readonly (string | null)[] }) {
  const count = (letter: string | null) => letters.filter((one) => one === letter).length;
  const without = count(null);
  return (
    <dl className="sheet-letter-counts">
      {GRADE_LETTERS.map((letter) => (
        <div key={letter}>
          <dt className={letter === 'F' ? 'text-danger-text' : undefined}>{letter}</dt>
          <dd>{formatCount(count(letter))}</dd>
        </div>
      ))}
      {without > 0 && (
        <div>
          <dt>No grade</dt>
          <dd>{formatCount(without)}</dd>
        </div>
      )}
    </dl>
  );
}

function WritesTable({ sheet, writes }: { sheet: Sheet; writes: ConfirmPreview['writes'] }) {
  const rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
  const columns: readonly Column<ConfirmPreview['writes'][number]>[] = [
    {
      head: 'Student',
      className: 'wrap-anywhere strong',
      cell: ({ student_id }) => {
        const row = rows.get(student_id);
        return (
          <>
            {row && fullName(row)}
            <span className="block font-normal text-caption text-fg-3">{student_id}</span>
          </>
        );
      },
    },
    {
      head: 'Semester',
      isNumber: true,
      cell: ({ semester, creates_semester }) => (
        <>
          {semester}
          {creates_semester && <span className="block text-caption text-fg-3">new</span>}
        </>
      ),
    },
    { head: 'Slot', isNumber: true, cell: ({ slot }) => slot },
    {
      head: 'Grade',
      cell: ({ letter }) =>
        letter === null ? <span className="text-fg-3">none</span> : <GradeBadge letter={letter} />,
    },
  ];
  return (
    <TableContainer className="mt-2 overflow-x-auto">
      <Table
        label="Results that are written"
        columns={columns}
        rows={writes}
        rowKey={({ student_id }) => student_id}
        isCompact
      />
    </TableContainer>
  );
}

interface BlockedRowsProps {
  sheet: Sheet;
  blocked: ConfirmPreview['blocked'];
  /** Says what happens to these rows, and how they can be recorded. */
  note: string;
}

/** The rows that can't be written, with the reasons. */
export function BlockedRows({ sheet, blocked, note }: BlockedRowsProps) {
  if (blocked.length === 0) return null;
  const rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
  return (
    <section aria-labelledby="sheet-blocked" className="overflow-clip rounded-panel border border-warn-line">
      <h2
        id="sheet-blocked"
        className="flex items-center gap-2.5 border-warn-line border-b bg-warn-soft px-3.5 py-2.5 text-warn"
      >
        <TriangleAlert className="size-4 shrink-0" />
        {`${resultsText(blocked.length)} can’t be written${sheet.state === 'confirmed' ? ' yet' : ''}`}
      </h2>
      <ul>
        {blocked.map(({ student_id, reason }) => {
          const row = rows.get(student_id);
          return (
            <li
              key={student_id}
              className="flex flex-wrap gap-x-5 border-line px-3.5 py-2.5 not-first:border-t"
            >
              <span className="w-32 shrink-0 text-fg-2">{student_id}</span>
              <span className="wrap-anywhere min-w-0 flex-[1_1_14rem]">
                {row && <b className="font-[560]">{fullName(row)}</b>}
                {row?.letter && `, ${row.letter}`}
                <span className="block text-fg-2 text-label">{reason}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <p className="border-line border-t bg-sunken px-3.5 py-2.5 text-fg-2 text-label">{note}</p>
    </section>
  );
}

/** The students whom this sheet fails and who take another course on the condition that they pass this one. */
export function DependingRows({
  sheet,
  depending,
}: {
  sheet: Sheet;
  depending: ConfirmPreview['depending'];
}) {
  if (depending.length === 0) return null;
  const rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
  return (
    <section aria-labelledby="sheet-depending">
      <h2 id="sheet-depending" className="mb-2">
        {`${plural(depending.length, 'registration')} elsewhere ${depending.length === 1 ? 'needs' : 'need'} this course`}
      </h2>
      <p className="text-fg-2">
        These students fail here and take a course that needs this one. They stay on its list until the office
        decides.
      </p>
      <ul className="mt-2 max-h-80 divide-y divide-line overflow-y-auto rounded-panel border border-line">
        {depending.map(({ student_id, sheet_id, title }) => {
          const row = rows.get(student_id);
          return (
            <li key={`${student_id} ${sheet_id}`} className="flex flex-wrap gap-x-5 px-3.5 py-2.5">
              <span className="w-32 shrink-0 text-fg-2">{student_id}</span>
              <span className="wrap-anywhere min-w-0 flex-[1_1_14rem]">
                {row && <b className="font-[560]">{fullName(row)}</b>}
                <Link
                  to="/marksheets/$sheetId/class"
                  params={{ sheetId: String(sheet_id) }}
                  className="link block w-fit text-label"
                >
                  {title}
                </Link>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** How the blocked rows can be recorded after all. */
export function remedyText({ rectifies, state }: Sheet, count: number): string {
  const record = 'Record the semesters that are missing first';
  if (state === 'confirmed') return `${record}, or clear the slot that is in the way.`;
  const students = count === 1 ? 'the student' : 'the students';
  if (rectifies !== null) {
    return `${record}, or leave ${count === 1 ? 'the row as it is' : 'the rows as they are'} in mark sheet ${rectifies}.`;
  }
  const take = `take ${students} off the list`;
  return state === 'draft' ? `${record}, or ${take}.` : `${record}, or send the sheet back to ${take}.`;
}

/** Blocked rows keep the sheet neither from being submitted nor from being confirmed. */
export const leftText = (count: number) =>
  `${count === 1 ? 'It stays' : 'They stay'} on the sheet when the others are confirmed, and can be recorded later.`;

function semestersText(semesters: readonly number[]): string {
  const before = semesters.slice(0, -1).join(', ');
  return before === '' ? `semester ${semesters.at(-1)}` : `semesters ${before} and ${semesters.at(-1)}`;
}
