import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { CgpaExplanation, CgpaLine } from '../../../../contract/grading/grading.ts';
import type { Academic } from '../../../../contract/students/academics.ts';
import { GRADE_LETTERS, gradePoints } from '../../../../domain/grading/gpa.ts';
import type { RepeatPolicy } from '../../../../domain/grading/policy.ts';
import { coursesQuery } from '../../../courses/course-queries.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { SelectField } from '../../../ui/fields/input-fields.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { type Column, Table, TableContainer } from '../../../ui/table.tsx';
import { Ungraded } from '../subjects-table.tsx';
import { cgpaQuery } from './grading-queries.ts';
import { lineNote, pointsText, sumPoints } from './line-text.ts';
import { IncompleteTag, ProvisionalNote, ProvisionalTag, useStandingSemesters } from './provisional.tsx';
import type { StandingSemester } from './provisional-text.ts';

interface CgpaDrawerProps {
  studentId: string;
  studentName: string;
  /** All recorded results; index 0 is semester 1. */
  results: readonly Academic[];
  /** The last semester that the CGPA includes. */
  initialSemester: number;
  onClose: () => void;
}

/** How a CGPA is computed: the division, then every subject with what it contributes or why it does not. */
export function CgpaDrawer({ studentId, studentName, results, initialSemester, onClose }: CgpaDrawerProps) {
  const [semester, setSemester] = useState(initialSemester);
  const cgpa = useQuery({ ...cgpaQuery(studentId, semester), placeholderData: keepPreviousData });
  const semesters = useStandingSemesters(studentId);
  return (
    <Drawer
      isOpen
      isPrinted
      onClose={onClose}
      title="CGPA explained"
      sub={`${studentName}, ${studentId}`}
      bodyLabel="How the CGPA comes about"
      actions={
        <Button variant="quiet" size="sm" onClick={() => window.print()}>
          <Printer />
          Print
        </Button>
      }
    >
      <SelectField
        className="screen-only mb-4 w-fit"
        label="CGPA after"
        name="cgpa-after"
        value={String(semester)}
        options={results.map((one) => ({ value: String(one.semester), label: `Semester ${one.semester}` }))}
        onChange={(chosen) => setSemester(Number(chosen))}
      />
      <LoadError query={cgpa} />
      {cgpa.data && (
        <div aria-live="polite" aria-busy={cgpa.isPlaceholderData}>
          <Explanation
            explanation={cgpa.data}
            results={results}
            semesters={semesters.filter((one) => one.semester <= (cgpa.data.semester ?? 0))}
          />
          <p className="screen-only mt-6">
            <JsonLink explanation={cgpa.data} studentId={studentId} />
          </p>
        </div>
      )}
    </Drawer>
  );
}

const REPEAT_RULES: Readonly<Record<RepeatPolicy, string>> = {
  all: 'every attempt of a repeated course counts',
  best: 'of a repeated course the best attempt counts, of equal ones the later',
  latest: 'of a repeated course the latest attempt counts, even if it is worse',
  average:
    'of a repeated course the last attempt counts, with the mean of the grade points of all its attempts',
};

const GRADE_KEY = GRADE_LETTERS.map((letter) => `${letter} ${gradePoints(letter)}`).join(', ');

interface ExplanationProps {
  explanation: CgpaExplanation;
  results: readonly Academic[];
  /** Up to the one that the CGPA is after. */
  semesters: readonly StandingSemester[];
}

function Explanation({ explanation, results, semesters }: ExplanationProps) {
  const { lines, not_linked, policy_id, repeat_policy, semester } = explanation;
  const shown = results.filter((one) => one.semester <= (semester ?? 0));
  const isRepeated = lines.some(({ reason }) => reason === 'repeated');
  return (
    <>
      <Division explanation={explanation} />
      {semesters.some((one) => one.provisional) && (
        <div className="mt-3 flex items-start gap-x-2.5">
          <ProvisionalTag />
          <ProvisionalNote semesters={semesters} className="min-w-0" />
        </div>
      )}
      <SemesterSums explanation={explanation} results={shown} semesters={semesters} />
      <p className="mt-3 text-fg-2 text-label">
        By grading policy {policy_id}: {REPEAT_RULES[repeat_policy]}. A subject without a grade or without
        credit hours does not count. {explanation.credits_attempted} credit hours have been attempted,{' '}
        {explanation.credits_earned} earned.{' '}
        {explanation.credits_outside > 0 &&
          `From elsewhere ${explanation.credits_outside} more have been brought, which count for the degree and in no average. `}
        {isRepeated &&
          'SGPA and CGPA of a semester are those of its time, with attempts that no longer count. '}
        Points: {GRADE_KEY}.
      </p>
      {not_linked.length > 0 && <NotLinked explanation={explanation} />}
      {shown.map((one) => (
        <SemesterLines
          key={one.semester}
          result={one}
          lines={lines.filter((line) => line.semester === one.semester)}
          explanation={explanation}
          ungraded={semesters.find(({ semester: own }) => own === one.semester)?.ungraded ?? []}
        />
      ))}
    </>
  );
}

function Division({ explanation }: { explanation: CgpaExplanation }) {
  const { quality_points, credits_counted, quotient, cgpa, semester } = explanation;
  if (quotient === null || cgpa === null)
    return <p className="text-fg-2">Nothing counts yet, so there is no CGPA.</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-panel border border-line bg-sunken px-5 py-4">
      <p className="grid text-center text-section">
        <span className="px-2 pb-1">
          <b className="font-semibold">{pointsText(quality_points)}</b>{' '}
          <span className="text-fg-3 text-label">quality points</span>
        </span>
        <span className="border-fg border-t px-2 pt-1">
          <span className="sr-only">divided by </span>
          <b className="font-semibold">{credits_counted}</b>{' '}
          <span className="text-fg-3 text-label">credit hours</span>
        </span>
      </p>
      <p className="text-section">= {quotient}</p>
      <p className="text-fg-3 text-label">rounded half up to two decimals</p>
      <p>
        <b className="block font-[620] text-figure tracking-[-0.02em]">{cgpa.toFixed(2)}</b>
        <span className="font-medium text-caption text-fg-3">CGPA after semester {semester}</span>
      </p>
    </div>
  );
}

const NARROW = 'overflow-x-auto max-xs:[&_:is(th,td)]:px-1.5';

interface SemesterSum {
  /** 0 of all semesters. */
  semester: number;
  name: ReactNode;
  credits: number;
  points: string;
  sgpa?: ReactNode;
  cgpa: string;
}

const SUM_COLUMNS: readonly Column<SemesterSum>[] = [
  { head: 'Semester', className: 'strong', cell: ({ name }) => name },
  { head: 'Credits counted', isNumber: true, cell: ({ credits }) => credits },
  { head: 'Points counted', isNumber: true, cell: ({ points }) => points },
  { head: 'SGPA', isNumber: true, className: 'whitespace-nowrap', cell: ({ sgpa }) => sgpa },
  { head: 'CGPA after it', isNumber: true, cell: ({ cgpa }) => cgpa },
];

function SemesterSums({ explanation, results, semesters }: ExplanationProps) {
  const { lines, credits_counted, quality_points, cgpa } = explanation;
  const sums = results.map(({ semester, sgpa, cgpa: after }): SemesterSum => {
    const counted = lines.filter((line) => line.semester === semester && line.counted);
    const facts = semesters.find((one) => one.semester === semester);
    return {
      semester,
      name: facts?.provisional ? (
        <>
          {semester}
          <span className="font-normal text-fg-3 text-label"> provisional</span>
        </>
      ) : (
        semester
      ),
      credits: counted.reduce((sum, { credits }) => sum + (credits ?? 0), 0),
      points: pointsText(sumPoints(counted)),
      sgpa: (
        <>
          <IncompleteTag semester={facts} /> {sgpa.toFixed(2)}
        </>
      ),
      cgpa: after.toFixed(2),
    };
  });
  const total: SemesterSum = {
    semester: 0,
    name: 'Counted',
    credits: credits_counted,
    points: pointsText(quality_points),
    cgpa: cgpa?.toFixed(2) ?? '--',
  };
  return (
    <TableContainer canScroll className={classNames('mt-5', NARROW)}>
      <Table
        label="What counts, by semester"
        columns={SUM_COLUMNS}
        rows={[...sums, total]}
        rowKey={({ semester }) => semester}
        rowClass={(row) => (row === total ? '[&>td]:font-semibold [&>td]:text-fg' : '')}
        isCompact
      />
    </TableContainer>
  );
}

function NotLinked({ explanation: { lines, not_linked } }: { explanation: CgpaExplanation }) {
  const named = not_linked.map(({ semester, slot }) => {
    const line = lines.find((one) => one.semester === semester && one.slot === slot);
    return `${line?.title ?? `slot ${slot}`} (semester ${semester})`;
  });
  return (
    <p className="wrap-anywhere mt-3 rounded-control border border-warn-line bg-warn-soft px-3.5 py-2.75 text-label text-warn">
      <b className="font-semibold">Not linked to a course:</b> {named.join(', ')}. Repeats of{' '}
      {named.length === 1 ? 'it' : 'them'} can't be found. Open the semester, choose Edit and enter the course
      ID of the subject.
    </p>
  );
}

interface SemesterLinesProps {
  result: Academic;
  lines: readonly CgpaLine[];
  explanation: CgpaExplanation;
  ungraded: StandingSemester['ungraded'];
}

function SemesterLines({ result, lines, explanation, ungraded }: SemesterLinesProps) {
  const courses = useQuery(coursesQuery);
  const findStatus = (slot: number) => ungraded.find((one) => one.slot === slot)?.status ?? null;
  const columns: readonly Column<CgpaLine>[] = [
    {
      head: 'Subject',
      className: 'wrap-anywhere',
      cell: (line) => {
        const { slot, course_id, title, counted } = line;
        const code = courses.data?.find((course) => course.course_id === course_id)?.course_code;
        const note = lineNote(line, explanation, findStatus(slot));
        return (
          <>
            <span className="font-[560] text-fg">
              <Weighed isCounted={counted}>{title}</Weighed>
            </span>{' '}
            <span className="text-fg-3 text-label">
              {code ?? (course_id === null ? '' : `ID ${course_id}`)}
            </span>
            {note !== undefined && <span className="block text-label">{note}</span>}
          </>
        );
      },
    },
    {
      head: 'Grade',
      cell: ({ slot, letter, counted }) =>
        letter === null ? (
          <Ungraded status={findStatus(slot)} />
        ) : (
          <Weighed isCounted={counted}>{letter}</Weighed>
        ),
    },
    {
      head: 'Credits × points',
      isNumber: true,
      className: 'whitespace-nowrap',
      cell: ({ counted, credits, points_counted, points }) => (
        <Weighed isCounted={counted}>
          {credits ?? '--'} × {pointsText(points_counted ?? points)}
        </Weighed>
      ),
    },
    {
      head: 'Quality points',
      isNumber: true,
      cell: ({ quality_points }) => pointsText(quality_points),
    },
  ];
  return (
    <section className="mt-7">
      <h3 className="flex items-baseline justify-between pb-2 font-semibold text-section">
        Semester {result.semester}
        <span className="font-[450] text-fg-3 text-label">
          SGPA, with every attempt: <b className="font-semibold text-fg">{result.sgpa.toFixed(2)}</b>
        </span>
      </h3>
      <TableContainer canScroll className={NARROW}>
        <Table
          label={`Subjects of semester ${result.semester}`}
          columns={columns}
          rows={lines}
          rowKey={({ slot }) => slot}
          rowClass={({ counted }) => (counted ? '' : '[&_s]:text-fg-3')}
          isCompact
        />
      </TableContainer>
    </section>
  );
}

/** A result; struck through where it does not count. */
const Weighed = ({ isCounted, children }: { isCounted: boolean; children: ReactNode }) =>
  isCounted ? children : <s>{children}</s>;

function JsonLink({ explanation, studentId }: { explanation: CgpaExplanation; studentId: string }) {
  const json = JSON.stringify(explanation, null, 2);
  return (
    <a
      className="inline-flex min-h-6 items-center gap-1.75 text-ink-text underline underline-offset-3"
      href={`data:application/json;charset=utf-8,${encodeURIComponent(json)}`}
      download={`cgpa-${studentId}-semester-${explanation.semester}.json`}
    >
      <Download className="size-4" />
      Download as JSON
    </a>
  );
}
