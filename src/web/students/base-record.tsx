import { LoadProblem } from '../shell/load-problem.tsx';
import { usePageQuery } from '../shell/use-page-query.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Facts } from '../ui/facts.tsx';
import { EducationHistory } from './education-history.tsx';
import { basicFacts } from './record-facts.ts';
import { RecordHead } from './record-head.tsx';
import { RecordSection } from './record-section.tsx';
import { RecordSkeleton } from './record-skeleton.tsx';
import { studentBaseQuery } from './use-student-base.ts';

/** A half-entered record, for those who can't go on with it: what there is of it. */
export function BaseRecord({ studentId }: { studentId: string }) {
  const base = usePageQuery({ ...studentBaseQuery(studentId), loading: 'student' });
  const student = base.data?.body.student;
  if (student === undefined) {
    return (
      <>
        <BackLink to="/students">Students</BackLink>
        <LoadProblem query={base} />
        {base.isFetching && <RecordSkeleton />}
      </>
    );
  }
  return (
    <>
      <RecordHead student={student} />
      <div className="grid max-w-3xl gap-8">
        <RecordSection title="Basic Information">
          <Facts items={basicFacts(student)} />
        </RecordSection>
        <RecordSection title="Education History">
          <EducationHistory student={student} />
        </RecordSection>
        <p className="text-fg-3">The family details of this student have not been entered yet.</p>
      </div>
    </>
  );
}
