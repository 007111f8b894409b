import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Student } from '../../../../contract/students/students.ts';
import { useCreateForm } from '../../../forms/use-record-form.ts';
import { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { transferDraft } from '../../../lib/drafts.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { storeStartingSemester } from '../../../lib/session.ts';
import { flash } from '../../../ui/flash.tsx';
import { QueryPage } from '../../../ui/page/query-page.tsx';
import { RECORD_STEPS, Stepper } from '../../../ui/page/stepper.tsx';
import { StatusLine } from '../../status-tag.tsx';
import { StudentActions } from '../../student-actions.tsx';
import { StudentPageHeader } from '../../student-page-header.tsx';
import { familyStepQuery, invalidateStudent } from '../../student-queries.ts';
import { useCreatedStudent, useFamilyStepRedirect, useStudentId } from '../../student-redirects.ts';
import { useCloseEntry, useLeaveAdmission } from '../close-entry.ts';
import { FamilyForm } from './family-form.tsx';
import { EMPTY_FAMILY, familyEditDraftKey } from './family-values.ts';

/** Second step of a new entry. The server says whether it can be entered, or which step to go to instead. */
export function CreateFamilyPage() {
  const studentId = useStudentId();
  const { isCreated, storeCreatedStudent } = useCreatedStudent('/students/$studentId/family/edit');
  return isCreated ? null : <FamilyStep studentId={studentId} onCreated={storeCreatedStudent} />;
}

interface FamilyStepProps {
  studentId: string;
  onCreated: (studentId: string) => Promise<void>;
}

function FamilyStep({ studentId, onCreated }: FamilyStepProps) {
  const step = usePageQuery({ ...familyStepQuery(studentId), loading: 'student' });
  useFamilyStepRedirect(studentId, step.data);
  return (
    <QueryPage width="form" query={step} header={<CreateFamilyHeader studentId={studentId} />}>
      {({ student }) => student && <CreateFamily key={studentId} student={student} onCreated={onCreated} />}
    </QueryPage>
  );
}

interface CreateFamilyHeaderProps {
  studentId: string;
  student?: Student;
  onLeave?: () => void;
}

function CreateFamilyHeader({ studentId, student, onLeave }: CreateFamilyHeaderProps) {
  return (
    <>
      <StudentPageHeader
        student={student}
        back={{ to: '/students', label: 'Students', onClick: onLeave }}
        title={`Enter Family Data of Student with ID: ${studentId}`}
        sub="Enter family details of the student or go back"
        actions={<Stepper steps={RECORD_STEPS} current="family" />}
      />
      <div className="-mt-3 mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div>
          <p className="text-fg-2">
            The base details are saved.{' '}
            <Link to="/students/$studentId/edit" params={{ studentId }} className="link">
              Correct or delete them
            </Link>
          </p>
          {student && <StatusLine student={student} className="mt-1.5" />}
        </div>
        {student && <StudentActions studentId={studentId} />}
      </div>
    </>
  );
}

interface CreateFamilyProps extends Pick<FamilyStepProps, 'onCreated'> {
  student: Student;
}

function CreateFamily({ student, onCreated }: CreateFamilyProps) {
  const { id: studentId } = student;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, submit } = useCreateForm({ draftKey: `family-create:${studentId}`, initial: EMPTY_FAMILY });

  const close = useCloseEntry();

  const save = (closes: boolean) =>
    submit(
      async (idempotencyKey) => {
        const body = { student_id: studentId, ...form.values };
        try {
          await call('POST /api/students/family', { body, idempotencyKey: idempotencyKey(body) });
          return { isCreated: true };
        } catch (error) {
          if (!(error instanceof ApiError) || error.errors.student_id === undefined) throw error;
          await transferToEdit(error);
          return { isCreated: false };
        }
      },
      async ({ isCreated }) => {
        invalidateStudent(queries, studentId);
        if (isCreated) {
          storeStartingSemester(studentId, 1);
          await onCreated(studentId);
          if (closes) await close(studentId);
          else await navigate({ to: '/students/$studentId/academics/create', params: { studentId } });
        } else {
          flash('Another user has already entered the family details.', 'warning');
          await navigate({ to: '/students/$studentId/family/edit', params: { studentId }, replace: true });
        }
      },
    );
  /** Another user has entered the family first: the edit page compares it with what was typed here. */
  const transferToEdit = async (refusal: ApiError) => {
    const record = await call('GET /api/students/:id', { params: { id: studentId } });
    if (record === null) throw refusal;
    transferDraft(familyEditDraftKey(studentId), form.values, refusal.latestChange);
  };

  const leaveAdmission = useLeaveAdmission();
  const leaveForLater = () => {
    form.discardDraft();
    leaveAdmission(student, 'family');
  };

  return (
    <>
      <CreateFamilyHeader studentId={studentId} student={student} onLeave={form.discardDraft} />
      <FamilyForm
        form={form}
        initial={EMPTY_FAMILY}
        lastName={student.last_name}
        submitLabel="Create Entry"
        onLater={leaveForLater}
        onSave={save}
      />
    </>
  );
}
