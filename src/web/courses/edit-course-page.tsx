import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import type { Course, CourseUses } from '../../contract/courses.ts';
import { EditConflictNotice } from '../forms/conflicts/edit-conflict-notice.tsx';
import { DeleteRecord } from '../forms/delete-record.tsx';
import { Form } from '../forms/form.tsx';
import { FormFooter, FormSection } from '../forms/form-layout.tsx';
import { FormMessages } from '../forms/messages/form-messages.tsx';
import { requireDeletion, restoreState } from '../forms/restore-state.ts';
import { useSelectedFile } from '../forms/selected-file.tsx';
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts';
import { useEditForm } from '../forms/use-record-form.ts';
import { useTask } from '../forms/use-task.ts';
import type { ApiError } from '../lib/api.ts';
import { call, callWithVersion } from '../lib/call.ts';
import { formatCount, plural } from '../lib/format.ts';
import { beginInFirstField } from '../lib/navigation/first-field.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/input-fields.tsx';
import { flash } from '../ui/flash.tsx';
import { hasLoadError, LoadError } from '../ui/page/load-error.tsx';
import { PageHeader } from '../ui/page/page.tsx';
import { QueryPage } from '../ui/page/query-page.tsx';
import { CourseFields } from './course-fields.tsx';
import {
  courseUsesQuery,
  editCourseQuery,
  fetchCourse,
  formatCourse,
  invalidateCourse,
} from './course-queries.ts';
import { useCourseId, useCourseNotFoundRedirect } from './course-redirects.ts';
import {
  COURSE_DETAIL_LABELS,
  COURSE_LABELS,
  type CourseValues,
  courseEditDraftKey,
  toCourseBody,
  toCourseValues,
} from './course-values.ts';
import { MarksEditor, marksReading } from './marks/marks-editor.tsx';
import { MarksModeField, marksText } from './marks/marks-mode-field.tsx';
import { assertUploadSize, hasMarks, useUploadMarks } from './marks/use-upload-marks.ts';
import './courses.css';

export function EditCoursePage() {
  const courseId = useCourseId();
  const shown = usePageQuery({ ...editCourseQuery(courseId), loading: 'course' });
  useCourseNotFoundRedirect(shown);
  return (
    <QueryPage width="form" query={shown} header={<EditCourseHeader courseId={courseId} back="Course" />}>
      {({ course, version }) => course && <EditCourse key={courseId} course={course} version={version} />}
    </QueryPage>
  );
}

interface EditCourseHeaderProps {
  courseId: string;
  /** Undefined until loaded. */
  course?: Course;
  /** The name of the page that the link leads back to. */
  back: string;
  onLeave?: () => void;
  actions?: ReactNode;
}

function EditCourseHeader({ courseId, course, back, onLeave, actions }: EditCourseHeaderProps) {
  const subject = course && formatCourse(course);
  usePageSubject(subject);
  return (
    <PageHeader
      back={{ to: `/courses/${encodeURIComponent(courseId)}`, label: back, onClick: onLeave }}
      title={`Edit Course with ID: ${courseId}`}
      subject={subject}
      actions={actions}
    />
  );
}

const toValues = (course: Course, version = '') => ({ ...toCourseValues(course), mode: 'replace', version });

function EditCourse({ course, version }: { course: Course; version: string | undefined }) {
  const courseId = String(course.course_id);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const initial = toValues(course, version);
  const [marksCount, setMarksCount] = useState(course.marks_count);
  /** The details that this form has saved, while they are what is stored. */
  const storedBody = useRef('');
  const { form, submit, ...edit } = useEditForm({
    draftKey: courseEditDraftKey(courseId),
    initial,
    readAgain: async () => {
      storedBody.current = '';
      const current = await fetchCourse(courseId);
      setMarksCount(current.course?.marks_count ?? 0);
      return toValues(current.course ?? course, current.version);
    },
  });
  const uploadMarks = useUploadMarks();
  const marksFile = useSelectedFile<keyof CourseValues>(form, 'file', 'marks');
  const { file } = marksFile;
  const { marks } = form.values;
  const mode = form.values.mode === 'append' ? 'append' : 'replace';
  const isReplacing = mode === 'replace' && marksCount > 0 && hasMarks({ text: marks, file });

  const save = () =>
    submit(
      async (ifMatch) => {
        assertUploadSize(file);
        const body = toCourseBody(form.values);
        let version = ifMatch;
        // After a failed upload of the marks, the details are stored already and only the marks are sent again.
        if (JSON.stringify(body) !== storedBody.current) {
          const saved = await callWithVersion('PUT /api/courses/:course_id', {
            params: { course_id: courseId },
            body,
            ifMatch,
          });
          storedBody.current = JSON.stringify(body);
          version = saved.version;
          edit.advance({ ...body, version: saved.version ?? '' });
          invalidateCourse(queries, courseId);
        }
        if (hasMarks({ text: marks, file })) {
          const reading = marksReading(form.values);
          await uploadMarks(course.course_id, { text: marks, file, mode, ...reading, ifMatch: version });
        }
      },
      async () => {
        invalidateCourse(queries, courseId);
        flash('Course details updated successfully');
        await navigate({ to: '/courses/$courseId', params: { courseId } });
      },
    );

  return (
    <>
      <EditCourseHeader
        courseId={courseId}
        course={course}
        back={course.course_name}
        onLeave={form.discardDraft}
        actions={
          <DeleteCourse
            course={course}
            version={edit.version}
            onDeleted={form.discardDraft}
            onStale={edit.reload}
            onRefused={form.setFailure}
          />
        }
      />
      <FormMessages<keyof CourseValues>
        form={form}
        labels={COURSE_LABELS}
        initial={edit.stale?.values ?? initial}
        file={marksFile}
      />
      <EditConflictNotice<keyof typeof COURSE_DETAIL_LABELS>
        form={form}
        labels={COURSE_DETAIL_LABELS}
        stale={edit.stale}
      >
        {isReplacing
          ? `Saving again replaces ${marksText(marksCount)} now stored with the new ones.`
          : undefined}
      </EditConflictNotice>
      <Form ref={beginInFirstField} onSubmit={save}>
        <CourseFields form={form} isIdFixed />
        <FormSection title="Marks" text="Optional. Marks given here are uploaded when you save.">
          <MarksEditor form={form} file={marksFile} />
          {marksCount > 0 && (
            <MarksModeField
              count={marksCount}
              value={mode}
              onChange={(value) => form.setValue('mode', value)}
            />
          )}
        </FormSection>
        <FormFooter>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Update Entry
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}

const isSameCode = (typed: string, code: string) => typed.trim().toLowerCase() === code.trim().toLowerCase();

/** The records that use the course, such as "377 results and 2 mark sheets use it." */
function usesText({ results, sheets, marks }: CourseUses): string {
  const users = [
    ...(results === 0 ? [] : [plural(results, 'result')]),
    ...(sheets === 0 ? [] : [plural(sheets, 'mark sheet')]),
  ];
  const isOne = results + sheets === 1;
  const lost =
    marks === 0 ? '' : ` Its ${marks === 1 ? 'mark goes' : `${formatCount(marks)} marks go`} with it.`;
  return `${users.join(' and ')} ${isOne ? 'uses' : 'use'} it and will show its number in place of its code.${lost}`;
}

interface DeleteCourseProps {
  course: Course;
  /** The version that the user sees; empty while unknown. */
  version: string;
  onDeleted: () => void;
  onStale: (refusal: ApiError) => Promise<void>;
  onRefused: (text: string) => void;
}

function DeleteCourse({ course, version, onDeleted, onStale, onRefused }: DeleteCourseProps) {
  const courseId = String(course.course_id);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const query = useQuery(courseUsesQuery(courseId));
  const uses = query.data;
  const idempotencyKey = useIdempotencyKey();
  const [typed, setTyped] = useState('');
  const isUsed = uses !== undefined && uses.results + uses.sheets > 0;
  const restore = useTask({
    run: async () => {
      const entry = await requireDeletion('course', courseId);
      const message = await restoreState(entry, 'before', { idempotencyKey: idempotencyKey(entry) });
      return { message };
    },
    failure: 'The course could not be restored. Try again.',
    flashesProblem: true,
    onDone: () => {
      invalidateCourse(queries, courseId);
      return navigate({ to: '/courses/$courseId', params: { courseId } });
    },
  });
  const remove = async () => {
    await call('DELETE /api/courses/:course_id', {
      params: { course_id: courseId },
      ifMatch: version || undefined,
    });
    onDeleted();
    invalidateCourse(queries, courseId);
    flash('The course has been deleted from the database.', 'done', { label: 'Undo', run: restore.start });
    await navigate({ to: '/courses', replace: true });
  };
  return (
    <DeleteRecord
      subject={formatCourse(course)}
      isReady={uses !== undefined && (!isUsed || isSameCode(typed, course.course_code))}
      remove={remove}
      onStale={onStale}
      onRefused={onRefused}
    >
      {hasLoadError({ query }) && (
        <div className="mt-3">
          <LoadError query={query} />
        </div>
      )}
      {isUsed && (
        <div className="mt-3 grid gap-3">
          <p className="text-fg-2">{usesText(uses)}</p>
          <TextField
            name="code"
            label={`Type ${course.course_code} to delete it`}
            value={typed}
            onChange={setTyped}
          />
        </div>
      )}
    </DeleteRecord>
  );
}
