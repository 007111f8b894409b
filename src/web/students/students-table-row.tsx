import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { Ref } from 'react';
import { MarkedText } from '../ui/marked-text.tsx';
import { CELL, ROW } from '../ui/table-roles.ts';
import type { StudentRow } from './student-row.ts';

interface StudentsTableRowProps {
  student: StudentRow;
  /** Place in the whole list, from 0: the rows that are not drawn count too. */
  index: number;
  terms: readonly string[];
  ref?: Ref<HTMLTableRowElement>;
}

/** One student; the link on the name covers the row. Below 768 px: name over 'ID · Age'. */
export function StudentsTableRow({ student, index, terms, ref }: StudentsTableRowProps) {
  return (
    <tr
      ref={ref}
      {...ROW}
      data-index={index}
      aria-rowindex={index + 2}
      className="max-md:grid max-md:min-h-15.5 max-md:grid-cols-[auto_1fr_24px] max-md:content-center max-md:items-center max-md:gap-x-2 max-md:border-line max-md:border-b max-md:py-2.5 max-md:pr-3.5 max-md:pl-4 max-md:last:border-0"
    >
      <td {...CELL} className={`${stacked} wrap-anywhere max-md:col-start-1 max-md:row-start-2`}>
        <MarkedText text={student.id} terms={terms} />
      </td>
      <td
        {...CELL}
        className={`strong wrap-anywhere ${cell} max-md:col-span-2 max-md:col-start-1 max-md:row-start-1 max-md:text-section`}
      >
        <Link to="/students/$studentId" params={{ studentId: student.id }}>
          <MarkedText text={student.name} terms={terms} />
        </Link>
      </td>
      <td
        {...CELL}
        className={`${stacked} max-md:col-start-2 max-md:row-start-2 max-md:before:mr-2 max-md:before:content-['·'/'']`}
      >
        {student.age} years old
      </td>
      <td {...CELL} className="wrap-anywhere max-lg:hidden">
        <MarkedText text={student.degree} terms={terms} />
      </td>
      <td {...CELL} className="num max-xl:hidden">
        {student.fscMarks}
      </td>
      <td {...CELL} className="num max-xl:hidden">
        {student.matricMarks}
      </td>
      <td {...CELL} className={`${cell} text-fg-3 max-md:col-start-3 max-md:row-span-2 max-md:row-start-1`}>
        <ChevronRight aria-hidden className="size-4" />
      </td>
    </tr>
  );
}

const cell = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';
const stacked = `${cell} max-md:text-label max-md:text-fg-3`;
