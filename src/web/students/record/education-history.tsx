import type { Student } from '../../../contract/students/students.ts';
import { fromFraction, SCHOOL_MARKS_TOTAL } from '../../../domain/student.ts';
import { Ruler } from '../../charts/ruler.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';

/** The school examinations, with their marks drawn on a scale up to the maximum. */
export function EducationHistory({ student }: { student: Student }) {
  const { fsc_marks, fsc_year, fsc_div, matric_marks, matric_year, matric_div } = student;
  return (
    <TableContainer
      canScroll
      className="max-xs:overflow-x-auto max-xs:[&_:is(th,td)]:px-1.5 max-xs:[&_:is(th,td):first-child]:pl-3.5 max-xs:[&_:is(th,td):last-child]:pr-3.5"
    >
      <Table
        label="Education History"
        columns={COLUMNS}
        rows={[
          { level: 'HSSC/FSC', marks: fromFraction(fsc_marks), year: fsc_year, division: fsc_div },
          { level: 'SSC/Matric', marks: fromFraction(matric_marks), year: matric_year, division: matric_div },
        ]}
        rowKey={({ level }) => level}
      />
    </TableContainer>
  );
}

interface Examination {
  level: string;
  marks: number;
  year: number;
  division: number;
}

const COLUMNS: readonly Column<Examination>[] = [
  { head: 'Level', isRowHead: true, className: 'strong', cell: ({ level }) => level },
  {
    head: 'Marks',
    className: 'w-[44%]',
    cell: ({ marks }) => (
      <span className="flex items-center gap-3.5">
        <span className="min-w-19 whitespace-nowrap">
          <b className="font-[560] text-fg">{marks}</b>{' '}
          <span className="text-fg-3">/{SCHOOL_MARKS_TOTAL}</span>
        </span>
        <span className="min-w-12 flex-1 max-xs:hidden">
          <Ruler max={SCHOOL_MARKS_TOTAL} step={SCHOOL_MARKS_TOTAL / 10} value={marks} />
        </span>
      </span>
    ),
  },
  { head: 'Year', isNumber: true, cell: ({ year }) => year },
  { head: 'Division', isNumber: true, cell: ({ division }) => division },
];
