import { useState } from 'react';
import type { StudentRecord } from '../../contract/students.ts';
import { useMayWrite } from '../session.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Facts } from '../ui/facts.tsx';
import { Page } from '../ui/page.tsx';
import { BaseRecord } from './base-record.tsx';
import { EducationHistory } from './education-history.tsx';
import { GpaStanding } from './gpa-standing.tsx';
import { basicFacts, contactFacts, familyFacts } from './record-facts.ts';
import { RecordHead } from './record-head.tsx';
import { RecordSection } from './record-section.tsx';
import { RecordSkeleton } from './record-skeleton.tsx';
import { SemesterOverlay } from './semester-overlay.tsx';
import { fullName } from './student-row.ts';
import { useStudentId } from './use-student-id.ts';
import { studentRecordQuery } from './use-student-record.ts';
import { useUnknownStudent } from './use-unknown-student.ts';
import { useWithoutFamily } from './use-without-family.ts';

/** One student's whole record. One without family details yet leads to that step. */
export function StudentPage() {
  const studentId = useStudentId();
  const mayWrite = useMayWrite();
  const record = usePageQuery({ ...studentRecordQuery(studentId), loading: 'student' });
  useUnknownStudent(record.error);
  useWithoutFamily(studentId, record.data);
  return (
    <Page>
      {record.data ? (
        <Record key={studentId} record={record.data} />
      ) : record.data === null && !mayWrite ? (
        <BaseRecord studentId={studentId} />
      ) : (
        <>
          <BackLink to="/students">Students</BackLink>
          <LoadProblem query={record} />
          {record.isFetching && <RecordSkeleton />}
        </>
      )}
    </Page>
  );
}

function Record({ record }: { record: StudentRecord }) {
  const { student, family, academics, academics_summary } = record;
  const [openSemester, setOpenSemester] = useState<number | null>(null);
  // Results of semesters beyond the current one are kept but not shown.
  const results = academics.slice(0, student.current_sem);
  return (
    <>
      <RecordHead student={student} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,468px)]">
        <div className="grid gap-8">
          <RecordSection title="Basic Information">
            <Facts items={basicFacts(student)} />
          </RecordSection>
          <RecordSection title="Education History">
            <EducationHistory student={student} />
          </RecordSection>
        </div>
        <GpaStanding results={results} latestCgpa={academics_summary.latest_cgpa} onOpen={setOpenSemester} />
        <RecordSection title="Family Details">
          <Facts items={familyFacts(family)} />
        </RecordSection>
        <RecordSection title="Contact Details">
          <Facts items={contactFacts(family)} />
        </RecordSection>
      </div>
      <SemesterOverlay
        results={results}
        semester={openSemester}
        studentId={student.id}
        studentName={fullName(student)}
        onSemester={setOpenSemester}
        onClose={() => setOpenSemester(null)}
      />
    </>
  );
}
