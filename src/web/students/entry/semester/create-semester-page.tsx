import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ResultRights } from '../../../../contract/students/academics.ts';
import type { Student } from '../../../../contract/students/students.ts';
import { useCreateForm } from '../../../forms/use-record-form.ts';
import type { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { transferDraft } from '../../../lib/drafts.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { storeCurrentSemester, storeStartingSemester } from '../../../lib/session.ts';
import { flash } from '../../../ui/flash.tsx';
import { hasLoadError, LoadError } from '../../../ui/page/load-error.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { RECORD_STEPS, Stepper } from '../../../ui/page/stepper.tsx';
import { NeighbourLinks } from '../../neighbour-links.tsx';
import { missingResultsText } from '../../student-format.ts';
import { StudentPageHeader } from '../../student-page-header.tsx';
import { invalidateStudent, resultRightsQuery, semesterStepQuery } from '../../student-queries.ts';
import { useSemesterStepRedirect, useStudentId } from '../../student-redirects.ts';
import { rememberResults, useLeaveAdmission, useLeaveResults } from '../close-entry.ts';
import { useBeginning } from './scheme-subjects.tsx';
import { isSemesterConflict, semesterErrorText } from './semester-errors.ts';
import { SemesterForm } from './semester-form.tsx';
import { useSemesterRights } from './semester-rights.tsx';
import { semesterEditDraftKey, subjectGroup, toSemesterBody } from './semester-values.ts';

const CREATED = 'Entry has been created successfully';

/** Last step of a new entry. The server says whether it can be entered, and at which semester. */
export function CreateSemesterPage() {
  const studentId = useStudentId();
  const step = usePageQuery({ ...semesterStepQuery(studentId), loading: 'student' });
  // There are none of a student who does not exist.
  const rights = usePageQuery({
    ...resultRightsQuery(studentId),
    enabled: step.data?.nextSemester !== undefined,
    loading: 'student',
  });
  useSemesterStepRedirect(studentId, step.data);
  const { nextSemester, student } = step.data ?? {};
  return (
    <Page width="form">
      <StudentPageHeader
        student={student}
        back={{ to: '/students', label: 'Students' }}
        title={`Enter Academic Data of Student with ID: ${studentId}`}
        sub="One semester at a time. Up to 10 subjects each."
        actions={<Stepper steps={RECORD_STEPS} current="academics" />}
        besideBack={
          nextSemester && (
            <NeighbourLinks
              page="/academics/edit"
              search={{ semester: String(nextSemester) }}
              isAdmission={nextSemester === 1}
            />
          )
        }
      />
      <LoadError query={hasLoadError({ query: step }) ? step : rights} />
      {nextSemester !== undefined && student && rights.data && (
        <CreateSemesters
          key={studentId}
          student={student}
          rights={rights.data}
          firstSemester={nextSemester}
        />
      )}
    </Page>
  );
}

interface CreateSemestersProps {
  student: Student;
  rights: ResultRights;
  /** The first semester that is not recorded yet. */
  firstSemester: number;
}

/** One semester after the other, up to the current one. */
function CreateSemesters({ student, rights, ...props }: CreateSemestersProps) {
  const { id: studentId, current_sem: currentSemester } = student;
  // The step is read again by a conflict; the first semester stays that of the visit.
  const [firstSemester] = useState(props.firstSemester);
  const [semester, setSemester] = useState(firstSemester);

  // The stored values may be missing or be of another student; the server's replace them.
  useEffect(() => {
    storeCurrentSemester(currentSemester);
    storeStartingSemester(studentId, semester);
  }, [studentId, currentSemester, semester]);

  return (
    <BeginSemester
      key={semester}
      student={student}
      rights={rights}
      semester={semester}
      followsAnother={semester > firstSemester}
      onSemester={setSemester}
    />
  );
}

/** Waits for the subjects that the form begins with. */
function BeginSemester(props: Omit<CreateSemesterProps, 'initial'>) {
  const initial = useBeginning(props.student.id, props.semester, true);
  return initial && <CreateSemester {...props} initial={initial} />;
}

interface CreateSemesterProps {
  student: Student;
  rights: ResultRights;
  /** The values of the form without a draft. */
  initial: Record<string, string>;
  semester: number;
  followsAnother: boolean;
  onSemester: (semester: number) => void;
}

function CreateSemester({
  student,
  semester,
  initial,
  followsAnother,
  onSemester,
  ...props
}: CreateSemesterProps) {
  const { id: studentId, current_sem: currentSemester } = student;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const rights = useSemesterRights(props.rights, semester);
  const { form, submit } = useCreateForm({
    draftKey: `academics-create:${studentId}:${semester}`,
    initial,
    rewrite: semesterErrorText,
  });

  /** Stores the semester. @returns what opens the next page */
  const create = async (idempotencyKey: (body: unknown) => string, closes: boolean) => {
    const fields = toSemesterBody(form.values);
    const body = { student_id: studentId, semester, ...fields };
    try {
      await call('POST /api/students/academics', { body, idempotencyKey: idempotencyKey(body) });
      return closes ? close : continueToNext;
    } catch (error) {
      if (!isSemesterConflict(error)) throw error;
      return transferToEdit(error, fields);
    }
  };

  const openRecord = () => navigate({ to: '/students/$studentId', params: { studentId } });
  const leaveResults = useLeaveResults(student, semester);

  const continueToNext = async () => {
    if (semester < currentSemester) return onSemester(semester + 1);
    await leaveResults(CREATED);
  };
  const leaveAdmission = useLeaveAdmission();
  /** Says what has been stored in this visit, and nothing where that is nothing. */
  const leaveForLater = () => {
    form.discardDraft();
    if (semester === 1) return leaveAdmission(student, 'results');
    if (!followsAnother) return void openRecord();
    const missing = missingResultsText(semester - 1, currentSemester);
    void (missing === null ? leaveResults(CREATED) : leaveResults(`${CREATED}. ${missing}`, 'warning'));
  };

  /** Another user has recorded the semester: the edit page compares it with what was typed here. */
  const transferToEdit = async (refusal: ApiError, fields: Record<string, string>) => {
    const record = await call('GET /api/students/:id', { params: { id: studentId } });
    if (record?.academics[semester - 1] === undefined) throw refusal;
    transferDraft(semesterEditDraftKey(studentId, semester), fields, refusal.latestChange, subjectGroup);
    return async () => {
      flash(`Another user has already entered semester ${semester}.`, 'warning');
      await navigate({ to: '/students/$studentId/academics/edit', params: { studentId }, replace: true });
    };
  };

  const close = async () => {
    flash(`Semester ${semester} has been saved`);
    await openRecord();
  };

  const save = (closes: boolean) =>
    submit(
      (idempotencyKey) => create(idempotencyKey, closes),
      (leadOn) => {
        invalidateStudent(queries, studentId);
        rememberResults(student, semester, form.values);
        return leadOn();
      },
    );

  return (
    <SemesterForm
      form={form}
      initial={initial}
      studentId={studentId}
      semester={semester}
      rights={rights}
      lastSemester={currentSemester}
      classOfStudent={student}
      submitLabel="Create Semester Entry"
      followsAnother={followsAnother}
      onLater={leaveForLater}
      onSave={save}
    />
  );
}
