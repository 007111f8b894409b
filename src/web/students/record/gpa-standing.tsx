import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { Academic } from '../../../contract/students/academics.ts';
import type { StudentRecord } from '../../../contract/students/students.ts';
import { SEMESTER_COUNT } from '../../../domain/student.ts';
import { Ruler } from '../../charts/ruler.tsx';
import { usePageKey } from '../../lib/keyboard-shortcuts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { StandingTag } from '../../ui/standing-tag.tsx';
import { planQuery } from './grading/grading-queries.ts';
import {
  IncompleteTag,
  ProvisionalNote,
  ProvisionalTag,
  useStandingSemesters,
} from './grading/provisional.tsx';
import type { StandingSemester } from './grading/provisional-text.ts';
import { StandingNotice } from './grading/standing-notice.tsx';
import { planText } from './grading/what-if-text.ts';

const SEMESTERS = Array.from({ length: SEMESTER_COUNT }, (_, i) => i + 1);

interface GpaStandingProps {
  /** Results up to the current semester; index 0 is semester 1. */
  results: readonly Academic[];
  summary: StudentRecord['academics_summary'];
  studentId: string;
  /** The next semester to record; undefined if all are recorded, or the user can't write. */
  nextSemester: number | undefined;
  onOpen: (semester: number) => void;
  onExplain: () => void;
  onPlan: () => void;
  /** Opens the dialog for an entry in a later semester; undefined where it can't be. */
  onEnterLate: (() => void) | undefined;
}

/** The eight semesters in two columns. Those with a result open their subjects. */
export function GpaStanding({
  results,
  summary,
  studentId,
  nextSemester,
  onOpen,
  onExplain,
  onPlan,
  onEnterLate,
}: GpaStandingProps) {
  const heading = useId();
  const semesters = useStandingSemesters(studentId);
  const isProvisional = (upTo: number | null) =>
    semesters.some((one) => one.provisional && upTo !== null && one.semester <= upTo);
  const { current_cgpa } = summary;
  const navigate = useNavigate();
  const nextEntry = `/students/${encodeURIComponent(studentId)}/academics/create`;
  usePageKey('r', nextSemester === undefined ? undefined : () => void navigate({ to: nextEntry }));
  return (
    <section className="rounded-panel border border-line bg-paper" aria-labelledby={heading}>
      <div className="grid gap-3 px-5 pt-4.5 pb-3.5 max-md:px-3.5">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2.5">
          <div className="min-w-0">
            <h2 id={heading}>GPA Standing</h2>
            <p className="screen-only mt-0.5 text-fg-3 text-label">Open a semester to see its subjects</p>
          </div>
          <div className="screen-only flex flex-wrap gap-2 max-xs:w-full">
            {onEnterLate && (
              <Button size="sm" className="max-xs:w-full" onClick={onEnterLate}>
                Enters in a later semester
              </Button>
            )}
            {nextSemester !== undefined && (
              <ButtonLink to={nextEntry} size="sm" aria-keyshortcuts="R" className="max-xs:w-full">
                Enter Semester {nextSemester}
              </ButtonLink>
            )}
          </div>
        </div>
        <div className="flex flex-wrap gap-x-7 gap-y-3">
          <Cgpa
            value={summary.latest_cgpa}
            label="CGPA"
            note={summary.latest_cgpa_semester && `after semester ${summary.latest_cgpa_semester}`}
            isProvisional={isProvisional(summary.latest_cgpa_semester)}
            onExplain={onExplain}
          />
          {current_cgpa !== undefined && summary.final_cgpa === null && (
            <Cgpa
              value={current_cgpa.value}
              label="CGPA"
              note={`after semester ${current_cgpa.semester}`}
              isProvisional={isProvisional(current_cgpa.semester)}
            />
          )}
          {summary.final_cgpa !== null && (
            <Cgpa
              value={summary.final_cgpa}
              label="Final CGPA"
              isProvisional={isProvisional(SEMESTER_COUNT)}
            />
          )}
        </div>
      </div>
      <StandingNotice studentId={studentId} />
      <ProvisionalNote semesters={semesters} className="border-line border-t px-5 py-3 max-md:px-3.5" />
      <ul className="grid grid-flow-col grid-cols-2 grid-rows-4 border-line border-t">
        {SEMESTERS.map((semester) => (
          <li key={semester} className="border-line not-nth-[4n]:border-b nth-[n+5]:border-l">
            <SemesterCell
              semester={semester}
              result={results[semester - 1]}
              facts={semesters.find((one) => one.semester === semester)}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ul>
      {summary.latest_cgpa !== null && <PlanButton studentId={studentId} onPlan={onPlan} />}
    </section>
  );
}

interface CgpaProps {
  value: number | null;
  label: string;
  /** The last semester that it includes. */
  note?: string | 0 | null;
  isProvisional: boolean;
  onExplain?: () => void;
}

function Cgpa({ value, label, note, isProvisional, onExplain }: CgpaProps) {
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-2.5">
        <b className="font-[620] text-figure tracking-[-0.02em]">{gpaText(value)}</b>
        {isProvisional && value !== null && <ProvisionalTag />}
      </div>
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium text-caption text-fg-3">
          {label}
          {note && <span className="ms-1 font-normal">{note}</span>}
        </span>
        {onExplain && value !== null && (
          <button
            type="button"
            className="screen-only inline-flex min-h-6 items-center rounded-chip px-1 text-ink-text text-label underline underline-offset-3"
            onClick={onExplain}
          >
            Explain
          </button>
        )}
      </div>
    </div>
  );
}

interface SemesterCellProps {
  semester: number;
  result: Academic | undefined;
  /** Undefined until the standing is read. */
  facts: StandingSemester | undefined;
  onOpen: (semester: number) => void;
}

const cell =
  'grid min-h-16.5 w-full grid-cols-[1fr_auto] items-center gap-x-2 gap-y-1.5 pt-3 pr-4 pb-3.25 pl-5 text-start max-md:pr-3 max-md:pl-3.5';

function SemesterCell({ semester, result, facts, onOpen }: SemesterCellProps) {
  if (result === undefined || result.elsewhere) {
    return (
      <div className={`${cell} text-fg-3`}>
        <span className="text-label">Semester {semester}</span>
        <span className="text-section">
          {result === undefined ? (
            <>
              <span aria-hidden>--</span>
              <span className="sr-only">no result</span>
            </>
          ) : (
            <span className="text-label">before entry</span>
          )}
        </span>
        <Ruler className="col-span-2" max={4} step={0.5} />
      </div>
    );
  }
  const standing = facts?.standing ?? null;
  return (
    <button
      type="button"
      className={`${cell} group hover:bg-hover focus-visible:-outline-offset-2`}
      onClick={() => onOpen(semester)}
    >
      <span className="flex flex-wrap items-center gap-x-2 font-medium text-fg-2 text-label group-hover:text-ink-text">
        Semester {semester} {standing !== null && standing !== 'good' && <StandingTag standing={standing} />}
        {facts?.provisional === true && <ProvisionalTag />}
        <IncompleteTag semester={facts} />
      </span>
      <span className="font-[620] text-section">
        <span className="sr-only">SGPA </span>
        {gpaText(result.sgpa)}
        <span className="sr-only">, show subjects</span>
      </span>
      <Ruler className="col-span-2" max={4} step={0.5} value={result.sgpa} />
    </button>
  );
}

/** Opens the planning, and says what the degree needs. */
function PlanButton({ studentId, onPlan }: { studentId: string; onPlan: () => void }) {
  const plan = useQuery(planQuery(studentId)).data;
  const isGiven = plan?.needed === 0 && plan.credits_left === 0;
  return (
    <button
      type="button"
      className="screen-only flex min-h-11 w-full items-center gap-3 rounded-b-panel border-line border-t px-5 py-2.5 text-start text-fg-2 text-label hover:bg-hover focus-visible:-outline-offset-2 max-md:px-3.5"
      onClick={onPlan}
    >
      <span className="min-w-0 flex-1">
        <b className="font-[560] text-fg">What if?</b> {plan && !isGiven && planText(plan)}
      </span>
      <ChevronRight className="size-4 shrink-0" />
    </button>
  );
}

const gpaText = (gpa: number | null) => gpa?.toFixed(2) ?? '--';
