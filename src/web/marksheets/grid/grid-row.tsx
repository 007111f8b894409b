import { memo, type ReactNode } from 'react';
import { UNGRADED_SIGNS } from '../../../domain/documents/figures.ts';
import type { GradeLetter } from '../../../domain/grading/gpa.ts';
import { endsWithoutGrade } from '../../../domain/marksheets/class-statistics.ts';
import { fullName, ROW_STATUS_NAMES } from '../../students/student-format.ts';
import { classNames } from '../../ui/class-names.ts';
import { CellContent } from './grid-cell.tsx';
import { type Column, isLastOfCategory, type ShownRow } from './model/shown-rows.ts';

/** The columns before those of the components: number, ID, name. */
export const LEADING_COLUMNS = 3;
/** The columns after them: total and grade. */
export const TRAILING_COLUMNS = 2;
/** Categories, components. */
export const HEAD_ROWS = 2;

const gridCell = (isSelected: boolean) => ({ role: 'gridcell', 'aria-selected': isSelected }) as const;

interface GridRowProps {
  shown: ShownRow;
  columns: readonly Column[];
  /** Among the rows that are shown, from 0. */
  index: number;
  /** Column of the current cell; undefined if it is in another row. */
  current: number | undefined;
  /** Chosen columns, of several cells. */
  from: number | undefined;
  to: number | undefined;
  /** The letter for the total on the screen. */
  letter: GradeLetter | undefined;
  /** The field or the note in the current cell. */
  editor: ReactNode;
  note: ReactNode;
  noteId: string;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { shown, columns, index, current, from, to, letter, editor, note, noteId } = props;
  const { row, views, total } = shown;
  return (
    <tr aria-rowindex={HEAD_ROWS + index + 1} data-current={current === undefined ? undefined : ''}>
      <td className="marks-stays marks-number" aria-colindex={1}>
        {index + 1}
      </td>
      <td className="marks-stays marks-id" aria-colindex={2}>
        {row.student_id}
      </td>
      <th scope="row" className="marks-stays marks-name" aria-colindex={3} title={fullName(row)}>
        {fullName(row)}
      </th>
      {columns.map(({ component }, column) => {
        const view = views[column];
        if (view === undefined) return null;
        const isCurrent = column === current;
        const isChosen = from !== undefined && to !== undefined && column >= from && column <= to;
        const isEdited = isCurrent && editor !== undefined;
        return (
          <td
            key={component.component_id}
            {...gridCell(isCurrent || isChosen)}
            aria-colindex={LEADING_COLUMNS + column + 1}
            aria-invalid={view.kind === 'wrong' ? true : undefined}
            aria-describedby={isCurrent && note !== undefined ? noteId : undefined}
            tabIndex={isCurrent ? 0 : -1}
            data-row={index}
            data-column={column}
            data-kind={view.text === '' && view.kind !== 'conflict' ? 'empty' : view.kind}
            data-chosen={isChosen ? '' : undefined}
            data-edited={isEdited ? '' : undefined}
            data-last={isLastOfCategory(columns, column) ? '' : undefined}
            className={view.text === 'A' || view.text === 'E' ? 'num marks-letter' : 'num'}
          >
            {isEdited ? editor : <CellContent view={view} />}
            {isCurrent && note !== undefined && <div className="marks-note-place">{note}</div>}
          </td>
        );
      })}
      <td
        aria-colindex={LEADING_COLUMNS + columns.length + 1}
        className={classNames(
          'num marks-stays marks-total',
          (total.total === null || row.status !== 'graded') && 'marks-so-far',
        )}
      >
        {row.status === 'graded' ? <Total shown={shown} /> : <small>{ROW_STATUS_NAMES[row.status]}</small>}
      </td>
      <td
        aria-colindex={LEADING_COLUMNS + columns.length + 2}
        data-letter={letter}
        className="marks-stays marks-grade"
      >
        {endsWithoutGrade(row.status)
          ? UNGRADED_SIGNS[row.status]
          : row.status === 'barred'
            ? 'F'
            : (letter ?? '--')}
      </td>
    </tr>
  );
});

function Total({ shown: { total } }: { shown: ShownRow }) {
  if (total.total !== null) return total.total.toFixed(2);
  if (total.so_far === null || total.so_far.of === 0) return '--';
  return <small>{`${total.so_far.score.toFixed(2)} of ${total.so_far.of}`}</small>;
}
