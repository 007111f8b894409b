import { StudentLink } from '../students/student-link.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../ui/table.tsx';

interface ReportedStudent {
  id: string;
  first_name: string;
  last_name: string;
  syn: string;
}

/** The columns of the student; below 640 px the ID and the syndicate stand under the name. */
export const STUDENT_COLUMNS: readonly Column<ReportedStudent>[] = [
  {
    head: 'Name',
    isRowHead: true,
    className: 'strong wrap-anywhere min-w-36',
    cell: (student) => (
      <StudentLink id={student.id} student={student} lineClass="sm:hidden">
        {student.id}, {student.syn}
      </StudentLink>
    ),
  },
  { head: 'CMS ID', columnClass: 'max-sm:hidden', cell: ({ id }) => id },
  { head: 'Syndicate', columnClass: 'max-sm:hidden', cell: ({ syn }) => syn },
];

interface ReportTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** The students of a report, each with a link to the record. */
export function ReportTable<Row extends ReportedStudent>(props: ReportTableProps<Row>) {
  return (
    <TableContainer className="overflow-x-auto">
      <Table {...props} isCompact rowKey={({ id }) => id} />
    </TableContainer>
  );
}

const NAME_WIDTHS = [132, 108, 150, 96, 118, 124, 138, 112, 84, 92];

/** Rows whose students are being loaded. */
export function ReportSkeleton() {
  return (
    <div className="tbl-box">
      {NAME_WIDTHS.map((width) => (
        <div
          key={width}
          className="flex h-9 items-center justify-between gap-4 border-line border-b px-4 last:border-0"
        >
          <Skeleton width={width} />
          <Skeleton width={72} />
        </div>
      ))}
    </div>
  );
}
