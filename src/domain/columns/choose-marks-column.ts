import { isAbsence, isNumberLike } from './cells.ts';
import { type HeadingRole, headingRole } from './heading-role.ts';
import { leftOutRow } from './left-out-rows.ts';

/** A column of a table from outside. */
export interface TableColumn {
  heading: string;
  /** Some of its cells below the heading. */
  samples: readonly string[];
}

/**
 * The column of marks by its position, or the positions of those that may have the marks: several, of which a person
 * chooses, or all that have numbers where no heading speaks of marks.
 */
export type MarksColumn =
  | { kind: 'one'; index: number }
  | { kind: 'several'; indexes: readonly number[] }
  | { kind: 'none'; indexes: readonly number[] };

interface Candidate {
  index: number;
  role: HeadingRole;
  /** Undefined for a column without any value. */
  hasNumbers: boolean | undefined;
}

/**
 * Decides which column of a table with headings has the marks.
 *
 * A column headed "Marks" has them, unless another one has obtained marks. Full marks never are marks, and neither is a total beside
 * obtained marks; beside percentages it may be either. Of all other columns whose headings and cells may be marks only a single one
 * is taken.
 */
export function chooseMarksColumn(columns: readonly TableColumn[]): MarksColumn {
  const candidates = columns.map(({ heading, samples }, index): Candidate => {
    return { index, role: headingRole(heading), hasNumbers: haveNumbers(samples) };
  });
  const having = (...roles: readonly HeadingRole[]) =>
    candidates.filter(({ role, hasNumbers }) => roles.includes(role) && hasNumbers !== false);
  const numbered = candidates.filter(({ hasNumbers }) => hasNumbers === true);
  const numberedAs = (role: HeadingRole) => numbered.filter((one) => one.role === role);
  const [only, ...further] = candidates.filter(({ role }) => role === 'marks');
  if (only !== undefined && further.length === 0 && numberedAs('obtained').length === 0) {
    return { kind: 'one', index: only.index };
  }
  const obtained = having('marks', 'obtained');
  const marks = [
    ...obtained,
    ...having('score', 'assessment'),
    ...(obtained.length > 0 ? [] : having('total')),
  ];
  // What nothing is known of counts by its numbers alone.
  const unknown = numberedAs('unknown');
  const [first] = marks;
  if (first !== undefined && marks.length === 1) {
    const percentages = first.role === 'total' ? numberedAs('percentage') : [];
    const isCertain = first.role === 'obtained' || first.role === 'score' || unknown.length === 0;
    if (isCertain && percentages.length === 0) return { kind: 'one', index: first.index };
    return several([first, ...percentages, ...unknown]);
  }
  if (marks.length > 0) return several([...marks, ...unknown]);
  const weak = [...having('percentage'), ...unknown];
  const [single] = weak;
  if (single !== undefined) {
    return weak.length === 1 ? { kind: 'one', index: single.index } : several(weak);
  }
  const others = numbered.filter(({ role }) => role !== 'full');
  const unnamed = others.filter(({ role }) => role !== 'id' && role !== 'serial' && role !== 'name');
  const rest = [unnamed, others, numbered].find((some) => some.length > 0) ?? [];
  return { kind: 'none', indexes: rest.map(({ index }) => index) };
}

const several = (candidates: readonly Candidate[]): MarksColumn => ({
  kind: 'several',
  indexes: candidates.map(({ index }) => index).sort((a, b) => a - b),
});

/** Whether at least half of the cells are numbers; undefined without cells that tell. */
function haveNumbers(samples: readonly string[]): boolean | undefined {
  const telling = samples.filter(
    (text) => text.trim() !== '' && !isAbsence(text) && leftOutRow([text]) !== 'notes',
  );
  if (telling.length === 0) return undefined;
  return 2 * telling.filter(isNumberLike).length >= telling.length;
}
