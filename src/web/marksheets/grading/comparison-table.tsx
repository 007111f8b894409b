import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Offerings } from '../../../contract/marksheets/grading.ts';
import { GRADE_LETTERS, type GradeLetter } from '../../../domain/grading/gpa.ts';
import { gradeClass } from '../../../domain/marksheets/letters.ts';
import { formatCount, formatGradePoints, formatStudentCount } from '../../lib/format.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { hasSameBoundaries, proposeFor, type Scheme } from './scheme/scheme.ts';
import { differenceText, shareText } from './scheme/scheme-labels.ts';
import type { SchemeEditor } from './scheme/use-scheme.ts';

/** Boundaries, or an earlier class: students or shares by letter, and the mean of the grade points. */
interface Compared {
  name: ReactNode;
  letter: (letter: GradeLetter) => ReactNode;
  points: ReactNode;
}

const COLUMNS: readonly Column<Compared>[] = [
  { head: 'Students', isRowHead: true, className: 'text-fg', cell: ({ name }) => name },
  ...GRADE_LETTERS.map(
    (letter): Column<Compared> => ({ head: letter, isNumber: true, cell: (row) => row.letter(letter) }),
  ),
  { head: 'Mean points', isNumber: true, cell: ({ points }) => points },
];

interface ComparisonTableProps {
  editor: SchemeEditor;
  offerings: UseQueryResult<Offerings>;
}

/** The grades of this class with other boundaries, and those of earlier classes of the course. */
export function ComparisonTable({ editor, offerings }: ComparisonTableProps) {
  const { rows, rules, scheme, stored, result } = editor;
  const asPolicy = { method: rules.grading_method, params: {}, step: rules.boundary_step };
  const asFixed = { ...asPolicy, method: 'absolute' } as const;
  const others: { name: string; scheme: Scheme }[] = [
    { name: 'As the method proposes', scheme: { ...scheme, boundaries: editor.proposal.boundaries } },
    { name: editor.isStored ? 'As stored' : 'As it was', scheme: stored },
    {
      name: 'Policy boundaries',
      scheme: { ...asPolicy, boundaries: proposeFor(rows, asPolicy, rules).boundaries },
    },
    {
      name: 'Fixed boundaries',
      scheme: { ...asFixed, boundaries: proposeFor(rows, asFixed, rules).boundaries },
    },
  ];
  const results = others.flatMap((other, i) => {
    const { boundaries, method } = other.scheme;
    const isShownAbove = [{ scheme }, ...others.slice(0, i)].some((above) =>
      hasSameBoundaries(above.scheme.boundaries, boundaries),
    );
    if (boundaries === null || isShownAbove) return [];
    return [
      { name: other.name, letters: gradeClass(rows, boundaries, { ...rules, grading_method: method }) },
    ];
  });
  if (result === null) return null;
  const comparePoints = (points: number | null) => (
    <>
      {pointsText(points)}
      <Small>{differenceText(points ?? 0, result.mean_points ?? 0, 2)}</Small>
    </>
  );
  const compared: readonly Compared[] = [
    {
      name: 'These boundaries',
      letter: (letter) => <b className="strong">{formatCount(result.counts[letter])}</b>,
      points: <b className="strong">{pointsText(result.mean_points)}</b>,
    },
    ...results.map(({ name, letters }) => ({
      name,
      letter: (letter: GradeLetter) => (
        <Difference value={letters.counts[letter]} from={result.counts[letter]} />
      ),
      points: comparePoints(letters.mean_points),
    })),
    ...(offerings.data ?? []).map((offering) => ({
      name: (
        <>
          {offering.term_name}
          <span className="block font-[450] text-caption text-fg-3">{offeringText(offering)}</span>
        </>
      ),
      letter: (letter: GradeLetter) => (
        <>
          {shareText(offering.shares[letter])}
          <Small>{shareDifference(result.shares, offering.shares, letter)}</Small>
        </>
      ),
      points: comparePoints(offering.mean_points),
    })),
  ];
  return (
    <section aria-labelledby="grading-comparison" className="mt-8">
      <h2 id="grading-comparison" className="mb-2.5">
        Compared
      </h2>
      <section
        aria-label="Comparison of grades"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="tbl-box overflow-x-auto"
      >
        <Table
          label="Comparison of grades"
          columns={COLUMNS}
          rows={compared}
          rowKey={(_, index) => index}
          isCompact
        />
      </section>
      <div className="mt-2">
        <LoadError query={offerings} />
        {offerings.data === undefined ? (
          offerings.isFetching && <Skeleton width={320} />
        ) : (
          <p className="text-fg-3 text-label">
            {offerings.data.length === 0
              ? 'The course has no earlier confirmed mark sheet.'
              : 'Small figures are the difference to these boundaries; in earlier terms in percentage points.'}
          </p>
        )}
      </div>
    </section>
  );
}

const pointsText = (points: number | null) => (points === null ? '--' : formatGradePoints(points));

const offeringText = ({ class: name, n, mean, std_dev }: Offerings[number]) =>
  `${name}, ${formatStudentCount(n)}${mean === null || std_dev === null ? '' : `, mean ${mean.toFixed(2)}, SD ${std_dev.toFixed(2)}`}`;

const shareDifference = (
  own: Record<GradeLetter, number>,
  other: Record<GradeLetter, number>,
  letter: GradeLetter,
) => differenceText(Math.round(other[letter] * 100), Math.round(own[letter] * 100));

function Difference({ value, from }: { value: number; from: number }) {
  return (
    <>
      {formatCount(value)}
      <Small>{differenceText(value, from)}</Small>
    </>
  );
}

function Small({ children }: { children: string }) {
  return children === '' ? null : <span className="block text-caption text-fg-3">{children}</span>;
}
