import type { EquivalentPreview } from '../../../contract/schemes/equivalents.ts';
import { formatCount, formatGradePoints, formatStudentCount } from '../../lib/format.ts';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';

type ChangedStudent = EquivalentPreview['sample'][number];

/** Whose figures a pair, or its removal, would change. */
export function PairEffect({ preview }: { preview: EquivalentPreview }) {
  const { students, changed_students, sample } = preview;
  return (
    <section aria-label="Effect" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <p role="status">
        <b className="font-semibold">
          {changed_students === 0 ? 'None' : formatCount(changed_students)} of {formatStudentCount(students)}{' '}
          would have another CGPA or other earned credits.
        </b>{' '}
        {changed_students > 0 && 'Documents whose figures change become superseded.'}
      </p>
      {sample.length > 0 && (
        <>
          <TableContainer canScroll className="max-h-56 overflow-y-auto">
            <Table
              label="Students whose figures change"
              columns={COLUMNS}
              rows={sample}
              rowKey={({ id }) => id}
              isCompact
            />
          </TableContainer>
          {sample.length < changed_students && (
            <p className="text-fg-3 text-label">
              {sample.length} of {formatCount(changed_students)}.
            </p>
          )}
        </>
      )}
    </section>
  );
}

const average = (value: number | null) => (value === null ? '--' : formatGradePoints(value));

const Becomes = () => (
  <>
    <span aria-hidden="true"> → </span>
    <span className="sr-only">, then </span>
  </>
);

const COLUMNS: readonly Column<ChangedStudent>[] = [
  {
    head: 'Name',
    isRowHead: true,
    className: 'strong wrap-anywhere',
    cell: ({ id, first_name, last_name }) => (
      <>
        {first_name} {last_name} <span className="font-normal text-fg-2">{id}</span>
      </>
    ),
  },
  {
    head: 'CGPA',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ cgpa_before, cgpa_after }) => (
      <>
        {average(cgpa_before)}
        <Becomes />
        <b className="font-semibold text-fg">{average(cgpa_after)}</b>
      </>
    ),
  },
  {
    head: 'Earned',
    isNumber: true,
    className: 'whitespace-nowrap',
    cell: ({ earned_before, earned_after }) => (
      <>
        {earned_before}
        <Becomes />
        <b className="font-semibold text-fg">{earned_after}</b>
      </>
    ),
  },
];
