import { useState } from 'react';
import type { CgpaExplanation } from '../../../../contract/grading/grading.ts';
import { average, type GpaSums } from '../../../../domain/grading/gpa.ts';
import { projectCgpas, splitCredits } from '../../../../domain/grading/projection.ts';
import { SEMESTER_COUNT } from '../../../../domain/student.ts';
import { TextField } from '../../../ui/fields/input-fields.tsx';
import { MAX_CREDITS_LEFT, POINTS_ERROR, readNumber } from './what-if-text.ts';

interface PlannedSemestersProps {
  explanation: CgpaExplanation;
  /** Sums behind the present CGPA. */
  done: GpaSums;
  creditsLeft: number;
}

/** An expected SGPA for each semester that is not recorded, with the CGPA that follows. */
export function PlannedSemesters({ explanation, done, creditsLeft }: PlannedSemestersProps) {
  const first = (explanation.semester ?? 0) + 1;
  const [rows, setRows] = useState(() =>
    splitCredits(creditsLeft, SEMESTER_COUNT + 1 - first).map((credits, i) => ({
      semester: first + i,
      credits: String(credits),
      sgpa: average(done).toFixed(2),
    })),
  );
  if (rows.length === 0)
    return <p className="text-fg-2">All {SEMESTER_COUNT} semesters are recorded. Plan by course instead.</p>;
  const change = (semester: number, changed: { credits?: string; sgpa?: string }) =>
    setRows(rows.map((row) => (row.semester === semester ? { ...row, ...changed } : row)));
  const read = rows.map((row) => ({
    ...row,
    creditsRead: readNumber(row.credits, { max: MAX_CREDITS_LEFT, decimals: 0 }),
    sgpaRead: readNumber(row.sgpa, { max: 4, decimals: 2 }),
  }));
  const valid = read.flatMap(({ creditsRead: credits, sgpaRead: sgpa }) =>
    credits === undefined || sgpa === undefined ? [] : [{ credits, sgpa }],
  );
  const cgpas = valid.length === read.length ? projectCgpas(done, valid) : [];
  return (
    <>
      <ul className="border-line border-t">
        {read.map(({ semester, credits, sgpa, creditsRead, sgpaRead }, i) => (
          <li key={semester} className="border-line border-b py-3.5">
            <fieldset className="grid grid-cols-[1fr_1fr_auto] items-start gap-x-4 gap-y-2 md:grid-cols-[7rem_1fr_2fr_auto]">
              <legend className="float-left font-[560] max-md:col-span-full md:pt-7">
                Semester {semester}
              </legend>
              <TextField
                label="Credit hours"
                name={`credits-${semester}`}
                inputMode="numeric"
                value={credits}
                onChange={(typed) => change(semester, { credits: typed })}
                error={creditsRead === undefined ? `0 to ${MAX_CREDITS_LEFT}.` : undefined}
              />
              <div className="grid items-start gap-3 md:grid-cols-[6rem_1fr]">
                <TextField
                  label="SGPA"
                  name={`sgpa-${semester}`}
                  value={sgpa}
                  onChange={(typed) => change(semester, { sgpa: typed })}
                  error={sgpaRead === undefined ? POINTS_ERROR : undefined}
                />
                <input
                  type="range"
                  aria-label={`SGPA of semester ${semester}`}
                  className="h-6 w-full accent-ink md:mt-7"
                  min={0}
                  max={4}
                  step={0.05}
                  value={sgpaRead ?? 0}
                  onChange={(event) => change(semester, { sgpa: Number(event.target.value).toFixed(2) })}
                />
              </div>
              <p className="text-end">
                <span className="block font-[540] text-fg-3 text-label">CGPA</span>
                <b className="block pt-2 font-semibold text-section">{cgpas[i]?.toFixed(2) ?? '--'}</b>
              </p>
            </fieldset>
          </li>
        ))}
      </ul>
      <p role="status" className="text-fg-2">
        {cgpas.length > 0 && (
          <>
            CGPA after semester {SEMESTER_COUNT}: <b className="text-fg">{cgpas.at(-1)?.toFixed(2)}</b>.
            Repeats of courses are not taken into account here; plan them by course.
          </>
        )}
      </p>
    </>
  );
}
