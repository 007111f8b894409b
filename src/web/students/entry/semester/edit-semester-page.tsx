import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ResultRights } from '../../../../contract/students/academics.ts';
import type { StudentRecord } from '../../../../contract/students/students.ts';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { useEditForm } from '../../../forms/use-record-form.ts';
import { ApiError } from '../../../lib/api.ts';
import { call, callWithVersion } from '../../../lib/call.ts';
import { usePageQuery } from '../../../lib/query-client.ts';
import { startingSemester, storeCurrentSemester, storeStartingSemester } from '../../../lib/session.ts';
import { flash } from '../../../ui/flash.tsx';
import { hasLoadError, LoadError } from '../../../ui/page/load-error.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { NeighbourLinks } from '../../neighbour-links.tsx';
import { parseSemesterSearchParams } from '../../semester-search-params.ts';
import { nameAndClass } from '../../student-format.ts';
import { StudentPageHeader } from '../../student-page-header.tsx';
import { editRecordQuery, invalidateStudent, resultRightsQuery } from '../../student-queries.ts';
import { useFamilyRedirect, useStudentId, useStudentNotFoundRedirect } from '../../student-redirects.ts';
import { rememberResults, useLeaveResults } from '../close-entry.ts';
import { DeleteSemester } from './delete-semester.tsx';
import { useBeginning } from './scheme-subjects.tsx';
import { isSemesterConflict, semesterErrorText } from './semester-errors.ts';
import { SemesterForm } from './semester-form.tsx';
import { useSemesterRights } from './semester-rights.tsx';
import { semesterEditDraftKey, subjectGroup, toSemesterBody, toSemesterValues } from './semester-values.ts';

/** Last step of editing: the results, semester by semester. */
export function EditSemesterPage() {
  const studentId = useStudentId();
  const record = usePageQuery({ ...editRecordQuery(studentId), loading: 'results' });
  const rights = usePageQuery({ ...resultRightsQuery(studentId), loading: 'results' });
  useStudentNotFoundRedirect(record.error);
  useFamilyRedirect(studentId, record.data?.body);
  const { semester } = parseSemesterSearchParams(useSearch({ strict: false }));
  const search = semester === undefined ? {} : { semester: String(semester) };
  return (
    <Page width="form">
      <StudentPageHeader
        student={record.data?.body?.student}
        back={{ to: '/students', label: 'Students' }}
        title={`Edit academics of student with ID: ${studentId}`}
        sub="One semester at a time. Up to 10 subjects each."
        besideBack={<NeighbourLinks page="/academics/edit" search={search} />}
      />
      <LoadError query={hasLoadError({ query: record }) ? record : rights} />
      {record.data?.body && rights.data && (
        <EditSemesters
          key={studentId}
          record={record.data.body}
          version={record.data.version}
          rights={rights.data}
        />
      )}
    </Page>
  );
}

interface EditSemestersProps {
  record: StudentRecord;
  version: string | undefined;
  rights: ResultRights;
}

/** From the stored starting semester to the current one. */
function EditSemesters({ record, version, rights }: EditSemestersProps) {
  const { student, academics } = record;
  const navigate = useNavigate();
  const { semester: asked } = parseSemesterSearchParams(useSearch({ strict: false }));
  // Semesters are recorded without gaps, so editing can't start after the first missing one.
  const toEditable = (wanted: number) => Math.min(wanted, student.current_sem, academics.length + 1);
  const [start, setStart] = useState(() => ({
    asked,
    semester: toEditable(asked ?? startingSemester(student.id) ?? 1),
  }));
  const [semester, setSemester] = useState(start.semester);
  // A link to another semester has been followed.
  if (asked !== start.asked) {
    const next = asked === undefined ? semester : toEditable(asked);
    setStart({ asked, semester: next });
    setSemester(next);
  }

  useEffect(() => {
    storeCurrentSemester(student.current_sem);
    storeStartingSemester(student.id, semester);
  }, [student.id, student.current_sem, semester]);

  return (
    <BeginSemester
      key={semester}
      record={record}
      version={version}
      rights={rights}
      semester={semester}
      followsAnother={semester > start.semester}
      onNext={() => {
        setSemester(semester + 1);
        // The address no longer names the semester that is shown.
        if (asked !== undefined) void navigate({ to: '.', search: {}, replace: true });
      }}
    />
  );
}

/** Waits for the subjects that the form of a semester without results begins with. */
function BeginSemester(props: Omit<EditSemesterProps, 'beginning'>) {
  const { record, semester } = props;
  const isNew = record.academics[semester - 1] === undefined;
  const beginning = useBeginning(record.student.id, semester, isNew);
  return beginning && <EditSemester {...props} beginning={beginning} />;
}

interface EditSemesterProps extends EditSemestersProps {
  semester: number;
  /** The values of a semester that is not recorded. */
  beginning: Record<string, string>;
  followsAnother: boolean;
  onNext: () => void;
}

const toValues = (
  { academics }: Pick<StudentRecord, 'academics'>,
  semester: number,
  beginning: Record<string, string>,
  version = '',
) => {
  const recorded = academics[semester - 1];
  return { ...(recorded === undefined ? beginning : toSemesterValues(recorded)), version };
};

/** A semester that is not recorded yet is created by the save. */
function EditSemester({
  record,
  version,
  semester,
  beginning,
  followsAnother,
  onNext,
  ...props
}: EditSemesterProps) {
  const { student } = record;
  const recorded = record.academics[semester - 1];
  const navigate = useNavigate();
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const rights = useSemesterRights(props.rights, semester, { isElsewhere: recorded?.elsewhere === true });
  const initial = toValues(record, semester, beginning, version);
  const { form, submit, stale, ...edit } = useEditForm<string>({
    draftKey: semesterEditDraftKey(student.id, semester),
    initial,
    rewrite: semesterErrorText,
    readAgain: async () => {
      const { body, version } = await callWithVersion('GET /api/students/:id', {
        params: { id: student.id },
      });
      return toValues(body ?? { academics: [] }, semester, beginning, version);
    },
    getPart: subjectGroup,
  });

  const update = async (ifMatch: string | undefined) => {
    const body = { student_id: student.id, semester, ...toSemesterBody(form.values) };
    if (recorded === undefined) return create(body);
    await call('PUT /api/students/academics/:academic_id(^\\d+$)', {
      params: { academic_id: recorded.academic_id },
      body,
      ifMatch,
    });
  };

  const create = async (body: Record<string, string | number>) => {
    try {
      await call('POST /api/students/academics', { body, idempotencyKey: idempotencyKey(body) });
    } catch (error) {
      if (!isSemesterConflict(error)) throw error;
      const current = await queries.fetchQuery(editRecordQuery(student.id));
      if (current.body?.academics[semester - 1] === undefined) throw error;
      // `recorded` is set from now on: treated as a conflict of an edit.
      throw new ApiError(412, `Another user has already entered semester ${semester}.`, error.body);
    }
  };

  const leaveResults = useLeaveResults(student, semester);
  const finish = () => leaveResults('Entry has been updated successfully');
  /** Says what has been stored in this visit, and nothing where that is nothing. */
  const finishWithoutSaving = () => {
    form.discardDraft();
    if (followsAnother) void finish();
    else void navigate({ to: '/students/$studentId', params: { studentId: student.id } });
  };

  const close = async () => {
    flash(`Semester ${semester} has been saved`);
    await navigate({ to: '/students/$studentId', params: { studentId: student.id } });
  };
  /** Other semesters can be returned to, which needs what is stored now. */
  const continueToNext = async () => {
    await queries.refetchQueries({ queryKey: editRecordQuery(student.id).queryKey });
    onNext();
  };

  const save = (closes: boolean) =>
    submit(update, () => {
      invalidateStudent(queries, student.id);
      rememberResults(student, semester, form.values);
      if (closes) return close();
      return semester < student.current_sem ? continueToNext() : finish();
    });

  return (
    <SemesterForm
      form={form}
      initial={initial}
      stale={stale}
      studentId={student.id}
      semester={semester}
      rights={rights}
      lastSemester={student.current_sem}
      classOfStudent={student}
      isRecorded={recorded !== undefined}
      hasLinks
      submitLabel="Update Semester Entry"
      followsAnother={followsAnother}
      // The current semester often has no results yet, and need not be recorded to edit something else.
      onLater={recorded === undefined ? finishWithoutSaving : undefined}
      onSave={save}
      actions={
        recorded &&
        semester === record.academics.length &&
        rights.sheetBySlot.size === 0 && (
          <DeleteSemester
            academic={recorded}
            subject={`${nameAndClass(record.student)}, CMS ID ${record.student.id}`}
            version={edit.version}
            reason={form.values.reason ?? ''}
            onDeleted={form.discardDraft}
            onStale={edit.reload}
            onRefused={form.setFailure}
          />
        )
      }
    />
  );
}
