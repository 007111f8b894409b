import { useState } from 'react';
import type { Offerings } from '../../../contract/marksheets/grading.ts';
import { GRADE_LETTERS, type GradeLetter } from '../../../domain/grading/gpa.ts';
import { BOUNDARY_LETTERS } from '../../../domain/grading/policy-text.ts';
import { hasTwoDecimals } from '../../../domain/hundredths.ts';
import { formatCount, formatGradePoints } from '../../lib/format.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { GradeBadge } from '../../ui/tag.tsx';
import { beyondText, findBoundary, markText } from './scheme/scheme.ts';
import { shareText } from './scheme/scheme-labels.ts';
import type { SchemeEditor } from './scheme/use-scheme.ts';
import { useNumberFields } from './use-number-fields.ts';

/** Half of the class fills the bar of a letter. */
const BAR_SHARE = 0.5;

interface LettersTableProps {
  editor: SchemeEditor;
  /** The latest earlier offering, whose shares are marked. */
  last: Offerings[number] | undefined;
  isReadOnly: boolean;
  active: number | null;
  onActivate: (index: number) => void;
}

/** Boundaries, students and shares by letter. */
export function LettersTable({ editor, last, isReadOnly, active, onActivate }: LettersTableProps) {
  const { scheme, result, statistics } = editor;
  const [problem, setProblem] = useState<{ letter: GradeLetter; text: string }>();
  const { boundaries } = scheme;
  return (
    <section aria-labelledby="grading-letters">
      <h2 id="grading-letters" className="mb-2.5">
        Grades
      </h2>
      <div className="tbl-box">
        <table className="tbl tbl-compact grading-table">
          <thead>
            <tr>
              <th scope="col">Grade</th>
              <th scope="col" className="num">
                From
              </th>
              <th scope="col" className="num">
                Students
              </th>
              <th scope="col" className="max-xs:hidden" />
              <th scope="col" className="num">
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {GRADE_LETTERS.map((letter, i) => {
              const boundary = boundaries === null ? undefined : findBoundary(boundaries, letter);
              return (
                <tr key={letter} data-on={i === active ? '' : undefined}>
                  <td>
                    <GradeBadge letter={letter} />
                  </td>
                  <td className="num whitespace-nowrap">
                    {boundaries === null || boundary === undefined ? (
                      <span className="text-fg-3">{letter === 'F' ? 'below' : '--'}</span>
                    ) : isReadOnly ? (
                      markText(boundary)
                    ) : (
                      <BoundaryField
                        editor={editor}
                        boundaries={boundaries}
                        letter={letter}
                        boundary={boundary}
                        problem={problem?.letter === letter ? problem.text : undefined}
                        onProblem={(text) => setProblem(text === undefined ? undefined : { letter, text })}
                        onFocus={() => onActivate(i)}
                      />
                    )}
                    {boundary !== undefined && beyondText(boundary) !== undefined && (
                      <span className="block text-caption text-fg-3">{beyondText(boundary)}</span>
                    )}
                  </td>
                  <td className="num strong">
                    {result === null ? '--' : formatCount(result.counts[letter])}
                  </td>
                  <td className="w-[26%] max-xs:hidden">
                    <span className="grading-share" aria-hidden="true">
                      {result !== null && (
                        <i style={{ width: `${Math.min(result.shares[letter] / BAR_SHARE, 1) * 100}%` }} />
                      )}
                      {last && (
                        <u
                          style={{
                            insetInlineStart: `${Math.min(last.shares[letter] / BAR_SHARE, 1) * 100}%`,
                          }}
                        />
                      )}
                    </span>
                  </td>
                  <td className="num whitespace-nowrap">
                    {result === null ? '--' : shareText(result.shares[letter])}
                  </td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <td />
              <td className="num strong">{formatCount(editor.totals.length)}</td>
              <td className="max-xs:hidden" />
              <td />
            </tr>
          </tfoot>
        </table>
      </div>
      {problem !== undefined && (
        <div className="mt-2">
          <FieldError id="grading-boundary-error">{problem.text}</FieldError>
        </div>
      )}
      <p className="mt-2">
        {'Mean points '}
        <b className="font-[620]">
          {typeof result?.mean_points === 'number' ? formatGradePoints(result.mean_points) : '--'}
        </b>
      </p>
      <p className="mt-1 text-fg-3 text-label">
        {statistics.mean === null || statistics.std_dev === null
          ? 'No student has a total yet.'
          : `Mean ${statistics.mean.toFixed(2)}, standard deviation ${statistics.std_dev.toFixed(2)}, of ${statistics.n}.`}
        {last && (
          <>
            {' '}
            <span className="font-semibold text-plot-2" aria-hidden="true">
              |
            </span>{' '}
            {`Share in ${last.term_name}.`}
          </>
        )}
      </p>
    </section>
  );
}

interface BoundaryFieldProps {
  editor: SchemeEditor;
  boundaries: readonly number[];
  letter: GradeLetter;
  boundary: number;
  problem: string | undefined;
  onProblem: (text: string | undefined) => void;
  onFocus: () => void;
}

/** A boundary that is typed, taken when the field is left or Enter is pressed. */
function BoundaryField({
  editor,
  boundaries,
  letter,
  boundary,
  problem,
  onProblem,
  onFocus,
}: BoundaryFieldProps) {
  const { fields } = useNumberFields([boundary.toFixed(2)], ([value = Number.NaN]) => {
    const index = GRADE_LETTERS.indexOf(letter);
    const wrong = boundaryFault(boundaries, index, value);
    onProblem(wrong && `${letter} ${wrong}`);
    if (wrong === undefined && value !== boundary) editor.setBoundaries(boundaries.with(index, value));
    return wrong;
  });
  return (
    <input
      {...fields[0]}
      aria-label={`Lowest total for ${letter}`}
      aria-invalid={problem === undefined ? undefined : true}
      aria-describedby={problem && 'grading-boundary-error'}
      className="control grading-field"
      onFocus={onFocus}
    />
  );
}

/** Why a boundary does not fit between its neighbours. The text continues after its letter. */
function boundaryFault(boundaries: readonly number[], index: number, value: number): string | undefined {
  if (Number.isNaN(value)) return 'must begin at a number.';
  if (Math.abs(value) > 1000 || !hasTwoDecimals(value)) {
    return 'must begin at −1000 to 1000, with at most two decimals.';
  }
  const [above, below] = [boundaries[index - 1], boundaries[index + 1]];
  if (above !== undefined && value >= above) {
    return `must begin below ${BOUNDARY_LETTERS[index - 1]}, which begins at ${markText(above)}.`;
  }
  if (below !== undefined && value <= below) {
    return `must begin above ${BOUNDARY_LETTERS[index + 1]}, which begins at ${markText(below)}.`;
  }
  return undefined;
}
