import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { courseQuery } from '../../../courses/course-queries.ts';
import { formatCount, formatStudentCount } from '../../../lib/format.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { NumberField } from '../../../ui/fields/input-fields.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../../ui/page/page.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { toStudentView } from '../model/list-query.ts';
import {
  type PrintKind,
  parsePrintSearchParams,
  parseStudentsSearchParams,
  type StudentsSearchParams,
} from '../model/search-params.ts';
import { describeView } from '../saved-views/suggested-name.ts';
import { ClassFacts, ClassFields, useClassHead } from './class-head.tsx';
import type { NamedStudents } from './named-students.ts';
import { MAX_EMPTY_COLUMNS, PrintTable } from './print-table.tsx';
import { type PrintedStudent, printedStudentsQuery } from './printed-students.ts';

const TITLES: Record<PrintKind, string> = {
  list: 'Students',
  class: 'Class list',
  attendance: 'Attendance list',
};
const KINDS = [
  { value: 'list', label: 'List' },
  { value: 'class', label: TITLES.class },
  { value: 'attendance', label: TITLES.attendance },
] as const;

const EMPTY_COLUMNS: Record<PrintKind, string> = { list: '0', class: '3', attendance: '16' };

/** All students of a view or selection on paper. Prints once they are loaded. */
export function PrintPage() {
  const { as: kind = 'list', ...search } = parsePrintSearchParams(useSearch({ strict: false }));
  const address = parseStudentsSearchParams({ ...search });
  const named = useLocation({ select: ({ state }) => state.printed }) ?? {};
  const students = usePageQuery({
    ...printedStudentsQuery(toStudentView(address), named),
    loading: 'students',
  });
  const navigate = useNavigate();
  const [columns, setColumns] = useState(EMPTY_COLUMNS);
  const isClass = kind !== 'list';
  const { head, change, isReady } = useClassHead(isClass);
  usePrintOnce(students.data !== undefined && isReady);
  const description = useDescription(address, named, students.data);
  const headings = head.headings.trim() === '' ? [] : head.headings.split(',').map((one) => one.trim());
  const count = Math.max(Number(columns[kind]), headings.length);
  const isCountValid = Number.isInteger(count) && count >= 0 && count <= MAX_EMPTY_COLUMNS;

  return (
    <Page width="wide">
      <PageHeader
        back={{ to: '/students', label: 'Students' }}
        title={TITLES[kind]}
        sub={description}
        actions={
          <Button variant="primary" disabled={students.data === undefined} onClick={() => window.print()}>
            <Printer />
            Print
          </Button>
        }
      />
      <div className="screen-only mb-5 flex flex-wrap items-end gap-x-5 gap-y-3">
        <SegmentedControl
          label="What to print"
          options={KINDS}
          value={kind}
          onChange={(as) =>
            void navigate({
              to: '.',
              search: { ...address, as },
              state: { printed: named },
              replace: true,
              resetScroll: false,
            })
          }
        />
        {isClass && (
          <>
            <NumberField
              label="Empty columns"
              name="columns"
              value={columns[kind]}
              onChange={(value) => setColumns({ ...columns, [kind]: value })}
              min={0}
              max={MAX_EMPTY_COLUMNS}
              step={1}
              error={isCountValid ? undefined : `Columns are 0 to ${MAX_EMPTY_COLUMNS}.`}
              className="w-40"
            />
            <ClassFields head={head} onChange={change} />
          </>
        )}
      </div>
      {isClass && <ClassFacts head={head} />}
      <LoadError query={students} />
      {students.data && (
        <PrintTable
          students={students.data}
          kind={kind}
          emptyColumns={isClass && isCountValid ? count : 0}
          headings={headings}
        />
      )}
      {isClass && students.data && (
        <p className="print-only print-signature">Signature of the teacher, date</p>
      )}
    </Page>
  );
}

/** Which students these are, and how many. */
function useDescription(
  address: StudentsSearchParams,
  named: NamedStudents,
  students: readonly PrintedStudent[] | undefined,
): string {
  const { failed } = address;
  const course = useQuery({ ...courseQuery(failed ?? ''), enabled: failed !== undefined }).data?.course;
  const matching = describeView(address, course?.course_code) || 'All students';
  const leftOut = named.except?.length ?? 0;
  const which =
    named.ids !== undefined
      ? 'Selected students'
      : leftOut === 0
        ? matching
        : `${matching}, without ${formatCount(leftOut)} of them`;
  return students === undefined ? which : `${which}: ${formatStudentCount(students.length)}`;
}

/** Opens the browser's print dialog as soon as the page is complete. */
function usePrintOnce(isComplete: boolean): void {
  const hasPrinted = useRef(false);
  useEffect(() => {
    if (!isComplete || hasPrinted.current) return;
    hasPrinted.current = true;
    void document.fonts.ready.then(() => window.print());
  }, [isComplete]);
}
