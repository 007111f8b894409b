import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import type { Academic } from '../../../contract/students/academics.ts';
import type { Family, Student, StudentRecord } from '../../../contract/students/students.ts';
import { DEPARTMENTS, SEMESTER_COUNT } from '../../../domain/student.ts';
import { FAMILY_FIELD_LABELS } from '../../../domain/student-labels.ts';
import { currentAge, formatDate } from '../../lib/format.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { useCanWrite } from '../../lib/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { type DescriptionItem, DescriptionList } from '../../ui/page/facts.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type FamilyValues, toFamilyValues } from '../entry/family/family-values.ts';
import { fullName, GENDER_LABELS, missingResultsText, STUDENT_LABELS } from '../student-format.ts';
import { studentBaseQuery, studentRecordQuery } from '../student-queries.ts';
import { useFamilyRedirect, useStudentId } from '../student-redirects.ts';
import { EditableValue } from './editable-value.tsx';
import { EducationHistory } from './education-history.tsx';
import { EntrySemesterDialog } from './entry-semester-dialog.tsx';
import { GpaStanding } from './gpa-standing.tsx';
import { DegreeCheck } from './grading/degree-check.tsx';
import { useStandingSemesters } from './grading/provisional.tsx';
import { countIncomplete, incompleteText } from './grading/provisional-text.ts';
import { SemesterDrawer } from './semester-drawer.tsx';
import { totalCredits } from './subject-result.tsx';
import { SubjectsTable } from './subjects-table.tsx';

const CgpaDrawer = lazy(async () => ({ default: (await import('./grading/cgpa-drawer.tsx')).CgpaDrawer }));
const WhatIfDrawer = lazy(async () => ({
  default: (await import('./grading/what-if-drawer.tsx')).WhatIfDrawer,
}));

/** The whole record of a student. A record without family details redirects to that step. */
export function RecordTab() {
  const studentId = useStudentId();
  const canWrite = useCanWrite();
  const record = usePageQuery({ ...studentRecordQuery(studentId), loading: 'student' });
  useFamilyRedirect(studentId, record.data);
  if (record.data) return <Record key={studentId} record={record.data} />;
  if (record.data === null && !canWrite) return <IncompleteRecord studentId={studentId} />;
  return record.isFetching && <FactsSkeleton />;
}

function Record({ record }: { record: StudentRecord }) {
  const { student, family, academics, academics_summary } = record;
  const canWrite = useCanWrite();
  const [openSemester, setOpenSemester] = useState<number | null>(null);
  const [openDrawer, setOpenDrawer] = useState<'cgpa' | 'what-if' | 'entry'>();
  const canEnterLate = canWrite && academics.length === 0 && student.current_sem > 1;
  // Results of semesters after the current one are stored but not shown.
  const results = academics.slice(0, student.current_sem);
  const missing = missingResultsText(academics.length, student.current_sem);
  return (
    <>
      {missing !== null && (
        <IncompleteNotice text={missing}>
          <Link to="/students/$studentId/academics/create" params={{ studentId: student.id }}>
            Enter the results
          </Link>
        </IncompleteNotice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,468px)]">
        <div className="grid gap-8">
          <BaseDetails student={student} />
        </div>
        <GpaStanding
          results={results}
          summary={academics_summary}
          studentId={student.id}
          nextSemester={canWrite && academics.length < student.current_sem ? academics.length + 1 : undefined}
          onOpen={setOpenSemester}
          onExplain={() => setOpenDrawer('cgpa')}
          onPlan={() => setOpenDrawer('what-if')}
          onEnterLate={canEnterLate ? () => setOpenDrawer('entry') : undefined}
        />
        <RecordSection title="Family Details">
          <DescriptionList items={familyFacts(family)} />
        </RecordSection>
        <RecordSection title="Contact Details">
          <DescriptionList items={contactFacts(family)} />
        </RecordSection>
        {student.current_sem === SEMESTER_COUNT && (
          <RecordSection title="Degree Check">
            <DegreeCheck studentId={student.id} />
          </RecordSection>
        )}
      </div>
      <PrintedResults studentId={student.id} results={results} />
      <SemesterDrawer
        results={results}
        semester={openSemester}
        studentId={student.id}
        studentName={fullName(student)}
        onSemester={setOpenSemester}
        onClose={() => setOpenSemester(null)}
      />
      {openDrawer === 'entry' && (
        <EntrySemesterDialog student={student} onClose={() => setOpenDrawer(undefined)} />
      )}
      <Suspense>
        {openDrawer === 'cgpa' && academics_summary.latest_cgpa_semester !== null && (
          <CgpaDrawer
            studentId={student.id}
            studentName={fullName(student)}
            results={academics.filter(({ elsewhere }) => !elsewhere)}
            initialSemester={academics_summary.latest_cgpa_semester}
            onClose={() => setOpenDrawer(undefined)}
          />
        )}
        {openDrawer === 'what-if' && (
          <WhatIfDrawer
            studentId={student.id}
            studentName={fullName(student)}
            onClose={() => setOpenDrawer(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

/** Says what the entry lacks, with a link for users who can enter it. */
function IncompleteNotice({ text, children }: { text: string; children?: ReactNode }) {
  const canWrite = useCanWrite();
  return (
    <Alert tone="warn" className="mb-6">
      <b className="font-semibold">This entry is incomplete.</b> {text} {canWrite && children}
    </Alert>
  );
}

/** A record without family details, for users who can't complete it. */
function IncompleteRecord({ studentId }: { studentId: string }) {
  const student = usePageQuery({ ...studentBaseQuery(studentId), loading: 'student' }).data?.body.student;
  if (student === undefined) return null;
  return (
    <>
      <IncompleteNotice text="The family details of this student have not been entered yet." />
      <div className="grid max-w-3xl gap-8">
        <BaseDetails student={student} />
      </div>
    </>
  );
}

/** The sections that a record has without family details too. */
function BaseDetails({ student }: { student: Student }) {
  return (
    <>
      <RecordSection title="Basic Information">
        <DescriptionList items={basicFacts(student)} />
      </RecordSection>
      <RecordSection title="Education History">
        <EducationHistory student={student} />
      </RecordSection>
    </>
  );
}

function RecordSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="min-w-0">
      <h2 id={heading} className="pb-3">
        {title}
      </h2>
      {children}
    </section>
  );
}

const FACT_WIDTHS = [52, 104, 48, 168, 96, 120, 200, 24, 16];

/** The details of a record while it loads. */
const FactsSkeleton = () => (
  <div aria-hidden="true" className="grid max-w-3xl grid-cols-2 gap-x-6 gap-y-6 xs:grid-cols-3">
    {FACT_WIDTHS.map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
);

/** All semesters with their subjects, on paper only: on screen they are in a drawer. */
function PrintedResults({ studentId, results }: { studentId: string; results: readonly Academic[] }) {
  const semesters = useStandingSemesters(studentId);
  if (results.length === 0) return null;
  return (
    <section className="print-only mt-6">
      <h2 className="pb-2">Results</h2>
      {results.map((result) => {
        if (result.elsewhere) {
          return (
            <p key={result.academic_id} className="pb-3 font-semibold">
              Semester {result.semester}: before entry
            </p>
          );
        }
        const facts = semesters.find(({ semester }) => semester === result.semester);
        const incomplete = countIncomplete(facts);
        return (
          <section key={result.academic_id} className="unbroken pb-5">
            <h3 className="pb-1.5 font-semibold">
              Semester {result.semester}: SGPA {result.sgpa.toFixed(2)}
              {incomplete > 0 && ` (${incompleteText(incomplete)})`}, CGPA {result.cgpa.toFixed(2)},{' '}
              {totalCredits(result)} credit hours
              {facts?.provisional === true && ', provisional'}
            </h3>
            <SubjectsTable result={result} ungraded={facts?.ungraded} />
          </section>
        );
      })}
    </section>
  );
}

/** The items of 'Basic Information'. The list itself shows a text for those without a value. */
function basicFacts(student: Student): DescriptionItem[] {
  return [
    { title: 'CMS ID', value: student.id },
    { title: 'Name', value: fullName(student) },
    { title: STUDENT_LABELS.gender, value: student.gender && GENDER_LABELS[student.gender] },
    {
      title: STUDENT_LABELS.dob,
      value: (
        <EditableValue name="dob" label={STUDENT_LABELS.dob} value={student.dob} type="date">
          {`${formatDate(student.dob)} (${currentAge(student.dob)} years)`}
        </EditableValue>
      ),
    },
    {
      title: STUDENT_LABELS.phone_number,
      value: (
        <EditableValue
          name="phone_number"
          label={STUDENT_LABELS.phone_number}
          value={student.phone_number ?? ''}
        />
      ),
    },
    {
      title: STUDENT_LABELS.joining_date,
      value: (
        <EditableValue
          name="joining_date"
          label={STUDENT_LABELS.joining_date}
          value={student.joining_date}
          type="date"
        >
          {formatDate(student.joining_date)}
        </EditableValue>
      ),
    },
    { title: STUDENT_LABELS.department, value: DEPARTMENTS[student.department] },
    { title: STUDENT_LABELS.degree, value: student.degree },
    { title: STUDENT_LABELS.syn, value: student.syn },
    { title: STUDENT_LABELS.reason, value: student.reason, wide: true },
  ];
}

/** Values of the family that are corrected in place. */
const editableFacts = (family: Family, names: readonly (keyof FamilyValues)[]): DescriptionItem[] => {
  const values = toFamilyValues(family);
  return names.map((name) => ({
    title: FAMILY_FIELD_LABELS[name],
    value: <EditableValue name={name} label={FAMILY_FIELD_LABELS[name]} value={values[name]} />,
  }));
};

const familyFacts = (family: Family) =>
  editableFacts(family, [
    'father_name',
    'father_occupation',
    'mother_name',
    'mother_occupation',
    'number_siblings',
  ]);

const contactFacts = (family: Family) => [
  ...editableFacts(family, ['father_phone', 'mother_phone', 'home_phone']),
  { title: FAMILY_FIELD_LABELS.address, value: family.address, wide: true },
];
