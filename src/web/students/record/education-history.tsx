import type { Student } from '../../../contract/students/students.ts';
import { fromFraction, SCHOOL_MARKS_TOTAL } from '../../../domain/student.ts';
import { Ruler } from '../../charts/ruler.tsx';

/** The school examinations, with their marks drawn on a scale up to the maximum. */
export function EducationHistory({ student }: { student: Student }) {
  return (
    <div className="tbl-box max-xs:overflow-x-auto">
      <table className="tbl max-xs:[&_:is(th,td)]:px-1.5 max-xs:[&_:is(th,td):first-child]:pl-3.5 max-xs:[&_:is(th,td):last-child]:pr-3.5">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Marks</th>
            <th scope="col" className="num">
              Year
            </th>
            <th scope="col" className="num">
              Division
            </th>
          </tr>
        </thead>
        <tbody>
          <Examination
            level="HSSC/FSC"
            fraction={student.fsc_marks}
            year={student.fsc_year}
            division={student.fsc_div}
          />
          <Examination
            level="SSC/Matric"
            fraction={student.matric_marks}
            year={student.matric_year}
            division={student.matric_div}
          />
        </tbody>
      </table>
    </div>
  );
}

interface ExaminationProps {
  level: string;
  fraction: number;
  year: number;
  division: number;
}

function Examination({ level, fraction, year, division }: ExaminationProps) {
  const marks = fromFraction(fraction);
  return (
    <tr>
      <th
        scope="row"
        className="strong h-(--row-h) border-t-0 bg-transparent text-body [tr:last-child>&]:border-b-0"
      >
        {level}
      </th>
      <td className="w-[44%]">
        <span className="flex items-center gap-3.5">
          <span className="min-w-19 whitespace-nowrap">
            <b className="font-[560] text-fg">{marks}</b>{' '}
            <span className="text-fg-3">/{SCHOOL_MARKS_TOTAL}</span>
          </span>
          <span className="min-w-12 flex-1 max-xs:hidden">
            <Ruler max={SCHOOL_MARKS_TOTAL} step={SCHOOL_MARKS_TOTAL / 10} value={marks} />
          </span>
        </span>
      </td>
      <td className="num">{year}</td>
      <td className="num">{division}</td>
    </tr>
  );
}
