import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { memo, type Ref } from 'react';
import type { StudentListed } from '../../contract/student-list.ts';
import { fromFraction } from '../../domain/school-marks.ts';
import { classNames } from '../ui/class-names.ts';
import { MarkedText } from '../ui/marked-text.tsx';
import { CELL, ROW } from '../ui/table-roles.ts';
import { ageToday } from './calendar-text.ts';
import { foundIn } from './list-match.ts';
import { degreeText, fullName } from './student-row.ts';
import type { ColumnsShown } from './students-table-head.tsx';

interface StudentsTableRowProps extends ColumnsShown {
  student: StudentListed;
  /** Its number from the end of the view that the list is read from. */
  row: number;
  /** Its place in what is drawn. */
  index: number;
  /** Its place in the whole list with its head, as far as that is known. */
  rowIndex: number | undefined;
  /** What is searched for, folded. */
  words: readonly string[];
  isChosen: boolean;
  /** Tab leads to one row; the arrow keys to the others. */
  isTabStop: boolean;
  ref?: Ref<HTMLTableRowElement>;
}

/** One student; the link on the name covers the row. Below 768 px: name over 'ID · Age'. */
export const StudentsTableRow = memo(function StudentsTableRow(props: StudentsTableRowProps) {
  const { student, words, showsChoice, showsCgpa, isChosen } = props;
  const tabIndex = props.isTabStop ? 0 : -1;
  const name = fullName(student);
  return (
    <tr
      ref={props.ref}
      {...ROW}
      data-index={props.index}
      data-row={props.row}
      aria-rowindex={props.rowIndex}
      className={classNames(
        'max-md:grid max-md:min-h-15.5 max-md:content-center max-md:items-center max-md:gap-x-2 max-md:border-line max-md:border-b max-md:py-2.5 max-md:pr-3.5 max-md:last:border-0',
        showsChoice
          ? 'max-md:grid-cols-[36px_auto_1fr_24px] max-md:pl-1.5'
          : 'max-md:grid-cols-[0_auto_1fr_24px] max-md:pl-2',
        isChosen && 'bg-ink-soft',
      )}
    >
      {showsChoice && (
        <td {...CELL} className={`${cell} max-md:col-start-1 max-md:row-span-2 max-md:row-start-1`}>
          <label className="tick-room">
            <input
              type="checkbox"
              className="tick"
              aria-label={`Select ${name}, ${student.id}`}
              checked={isChosen}
              // The rows hear of it together, from the click: it knows of the Shift key.
              onChange={() => undefined}
              tabIndex={tabIndex}
            />
          </label>
        </td>
      )}
      <td {...CELL} className={`${stacked} wrap-anywhere max-md:col-start-2 max-md:row-start-2`}>
        <MarkedText text={student.id} terms={words} at="words" />
      </td>
      <td
        {...CELL}
        className={`strong wrap-anywhere ${cell} max-md:col-span-2 max-md:col-start-2 max-md:row-start-1 max-md:text-section`}
      >
        <Link to="/students/$studentId" params={{ studentId: student.id }} tabIndex={tabIndex}>
          <MarkedText text={name} terms={words} at="words" />
        </Link>
        {foundIn(student, words).map(({ label, text }) => (
          <div key={label} className="font-normal text-fg-3 text-label">
            {label}: <MarkedText text={text} terms={words} at="words" />
          </div>
        ))}
      </td>
      <td
        {...CELL}
        className={`${stacked} max-md:col-start-3 max-md:row-start-2 max-md:before:mr-2 max-md:before:content-['·'/'']`}
      >
        {ageToday(student.dob)} years old
      </td>
      <td {...CELL} className="wrap-anywhere max-lg:hidden">
        {degreeText(student)}
      </td>
      <td {...CELL} className="num max-xl:hidden">
        {fromFraction(student.fsc_marks)}
      </td>
      <td {...CELL} className="num max-xl:hidden">
        {fromFraction(student.matric_marks)}
      </td>
      {showsCgpa && (
        <td {...CELL} className="num max-xl:hidden">
          {student.cgpa?.toFixed(2) ?? '--'}
        </td>
      )}
      <td {...CELL} className={`${cell} text-fg-3 max-md:col-start-4 max-md:row-span-2 max-md:row-start-1`}>
        <ChevronRight aria-hidden className="size-4" />
      </td>
    </tr>
  );
});

const cell = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';
const stacked = `${cell} max-md:text-label max-md:text-fg-3`;
