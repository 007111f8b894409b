import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { StudentTerms } from '../../../../contract/marksheets/registrations.ts';
import { calendarDate } from '../../../../domain/age.ts';
import { call } from '../../../lib/call.ts';
import { formatDate, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { TableSkeleton } from '../../../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { CheckTexts } from '../../check-texts.tsx';
import { useStudentId } from '../../student-redirects.ts';

type Term = StudentTerms[number];
type Course = Term['courses'][number];

const termsOf = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'terms', studentId],
    queryFn: ({ signal }) => call('GET /api/students/:id/terms', { params: { id: studentId }, signal }),
  });

/** The courses of a student by term, each of which prints as a registration slip. */
export function TermsTab() {
  const studentId = useStudentId();
  const query = useQuery(termsOf(studentId));
  const [printed, setPrinted] = useState<number>();
  useEffect(() => {
    if (printed === undefined) return;
    const end = () => setPrinted(undefined);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [printed]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <LoadError query={query} />
      {query.isPending && <TableSkeleton />}
      {query.data?.length === 0 && (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="No mark sheet has this student"
            text="The courses of a term stand here once the student is on its mark sheets."
          />
        </div>
      )}
      {query.data?.map((term) => (
        <TermSection
          key={term.term_id}
          term={term}
          isPrinted={printed === undefined || printed === term.term_id}
          onPrint={() => setPrinted(term.term_id)}
        />
      ))}
    </div>
  );
}

interface TermSectionProps {
  term: Term;
  /** False while another term is printed. */
  isPrinted: boolean;
  onPrint: () => void;
}

function TermSection({ term, isPrinted, onPrint }: TermSectionProps) {
  const heading = useId();
  const { name, courses, credits, limit } = term;
  return (
    <section className={isPrinted ? undefined : 'screen-only'}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={heading} className="wrap-anywhere">
          <span className="print-only">Registration slip, </span>
          {name}{' '}
          <small className="font-normal text-fg-2 text-label">
            {plural(courses.length, 'course')}, {plural(credits, 'credit')}
            {limit !== null && `, limit ${limit}`}
          </small>
        </h2>
        <Button size="sm" className="screen-only" onClick={onPrint} aria-label={`Registration slip, ${name}`}>
          <Printer />
          Registration slip
        </Button>
      </div>
      <TableContainer>
        <Table
          label={{ id: heading }}
          columns={COLUMNS}
          rows={courses}
          rowKey={({ sheet_id }) => sheet_id}
          rowClass={() => 'max-md:gap-y-0.5 max-md:py-2.5'}
          hasCards
        />
      </TableContainer>
      <p className="print-only">{formatDate(calendarDate(new Date()))}</p>
    </section>
  );
}

const sentence = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** Below 768 px a course is a card: its name over the rest. */
const COLUMNS: readonly Column<Course>[] = [
  {
    head: 'Code',
    className: 'wrap-anywhere',
    cell: ({ course_code, sheet_id }) => (
      <Link to="/marksheets/$sheetId" params={{ sheetId: String(sheet_id) }} className="link link-quiet">
        {course_code}
      </Link>
    ),
  },
  { head: 'Course', className: 'strong wrap-anywhere max-md:-order-1', cell: ({ title }) => title },
  {
    head: 'Credits',
    isNumber: true,
    className: 'max-md:text-start',
    cell: ({ credits }) => (
      <>
        {credits}
        <span className="md:hidden"> credits</span>
      </>
    ),
  },
  {
    head: 'Class',
    className: 'wrap-anywhere',
    cell: (course) => `${course.class}, semester ${course.semester}`,
  },
  {
    head: 'Attempt',
    cell: ({ attempt, before, status }) => (
      <>
        <span className="md:hidden">Attempt </span>
        {attempt}
        {before !== null && `, was ${before}`}{' '}
        {status !== 'graded' && <Tag tone="warn">{sentence(status)}</Tag>}
      </>
    ),
  },
  {
    head: 'Checks and reasons',
    className: 'max-md:empty:hidden',
    cell: ({ checks, reason }) =>
      (checks.length > 0 || reason !== null) && (
        <div className="grid gap-1">
          <CheckTexts checks={checks} />
          {reason !== null && <p className="wrap-anywhere text-fg-2 text-label">“{reason}”</p>}
        </div>
      ),
  },
  {
    head: 'Teacher',
    className: 'wrap-anywhere max-md:empty:hidden',
    cell: ({ teachers }) => teachers.map(({ name }) => name).join(', '),
  },
];
