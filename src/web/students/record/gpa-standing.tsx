import { useId } from 'react';
import type { Academic } from '../../../contract/academics.ts';
import type { StudentRecord } from '../../../contract/students.ts';
import { SEMESTER_COUNT } from '../../../domain/student.ts';
import { Ruler } from '../../charts/ruler.tsx';
import { ButtonLink } from '../../ui/button.tsx';

const SEMESTERS = Array.from({ length: SEMESTER_COUNT }, (_, i) => i + 1);

interface GpaStandingProps {
  /** Results up to the current semester; index 0 is semester 1. */
  results: readonly Academic[];
  summary: StudentRecord['academics_summary'];
  studentId: string;
  /** The next semester to record; undefined if all are recorded, or the user can't write. */
  nextSemester: number | undefined;
  onOpen: (semester: number) => void;
}

/** The eight semesters in two columns. Those with a result open their subjects. */
export function GpaStanding({ results, summary, studentId, nextSemester, onOpen }: GpaStandingProps) {
  const heading = useId();
  return (
    <section className="rounded-panel border border-line bg-paper" aria-labelledby={heading}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-5 pt-4.5 pb-3.5 max-md:px-3.5">
        <div className="me-auto">
          <h2 id={heading}>GPA Standing</h2>
          <p className="screen-only mt-0.5 text-fg-3 text-label">Open a semester to see its subjects</p>
        </div>
        {nextSemester !== undefined && (
          <ButtonLink
            to={`/students/${encodeURIComponent(studentId)}/academics/create`}
            size="sm"
            className="max-md:order-last max-md:w-full"
          >
            Enter Semester {nextSemester}
          </ButtonLink>
        )}
        <div className="flex gap-5 text-end">
          <Cgpa
            value={summary.latest_cgpa}
            label="CGPA"
            note={summary.latest_cgpa_semester && `after semester ${summary.latest_cgpa_semester}`}
          />
          {summary.final_cgpa !== null && <Cgpa value={summary.final_cgpa} label="Final CGPA" />}
        </div>
      </div>
      <ul className="grid grid-flow-col grid-cols-2 grid-rows-4 border-line border-t">
        {SEMESTERS.map((semester) => (
          <li key={semester} className="border-line not-nth-[4n]:border-b nth-[n+5]:border-l">
            <SemesterCell semester={semester} result={results[semester - 1]} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CgpaProps {
  value: number | null;
  label: string;
  /** The last semester that it includes. */
  note?: string | 0 | null;
}

function Cgpa({ value, label, note }: CgpaProps) {
  return (
    <p>
      <b className="block font-[620] text-figure tracking-[-0.02em]">{gpaText(value)}</b>
      <span className="font-medium text-caption text-fg-3">
        {label}
        {note && <span className="block font-normal">{note}</span>}
      </span>
    </p>
  );
}

interface SemesterCellProps {
  semester: number;
  result: Academic | undefined;
  onOpen: (semester: number) => void;
}

const cell =
  'grid min-h-16.5 w-full grid-cols-[1fr_auto] items-center gap-x-2 gap-y-1.5 pt-3 pr-4 pb-3.25 pl-5 text-start max-md:pr-3 max-md:pl-3.5';

function SemesterCell({ semester, result, onOpen }: SemesterCellProps) {
  if (result === undefined) {
    return (
      <div className={`${cell} text-fg-3`}>
        <span className="text-label">Semester {semester}</span>
        <span className="text-section">
          <span aria-hidden>--</span>
          <span className="sr-only">no result</span>
        </span>
        <Ruler className="col-span-2" max={4} step={0.5} />
      </div>
    );
  }
  return (
    <button
      type="button"
      className={`${cell} group hover:bg-hover focus-visible:-outline-offset-2`}
      onClick={() => onOpen(semester)}
    >
      <span className="font-medium text-fg-2 text-label group-hover:text-ink-text">Semester {semester}</span>
      <span className="font-[620] text-section">
        <span className="sr-only">SGPA </span>
        {gpaText(result.sgpa)}
        <span className="sr-only">, show subjects</span>
      </span>
      <Ruler className="col-span-2" max={4} step={0.5} value={result.sgpa} />
    </button>
  );
}

const gpaText = (gpa: number | null) => gpa?.toFixed(2) ?? '--';
