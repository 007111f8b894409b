import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Course } from '../../contract/courses.ts';
import { ApiError, callVersioned } from '../api.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { flash } from '../shell/flash.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { FormFoot, FormSection } from '../ui/form-parts.tsx';
import { PageHead } from '../ui/page.tsx';
import { CourseConflict } from './course-conflict.tsx';
import { CourseFields } from './course-fields.tsx';
import { coursePath, courseToEditQuery } from './course-query.ts';
import { COURSE_LABELS, fromCourse, toCourseBody } from './course-values.ts';
import { DeleteCourse } from './delete-course.tsx';
import { forgetCourse } from './forget-course.ts';
import { MarksEditor } from './marks-editor.tsx';
import { MarksModeField } from './marks-mode-field.tsx';
import { type CourseSaved, hasMarks, sendMarks } from './send-marks.ts';
import './courses.css';

interface EditCourseHeadProps {
  courseId: string;
  /** What the way back leads to. */
  back: string;
  onLeave?: () => void;
  actions?: ReactNode;
}

export function EditCourseHead({ courseId, back, onLeave, actions }: EditCourseHeadProps) {
  return (
    <PageHead
      back={{ to: `/courses/${encodeURIComponent(courseId)}`, label: back, onClick: onLeave }}
      title={`Edit Course with ID: ${courseId}`}
      actions={actions}
    />
  );
}

interface Stored {
  course: Course;
  version: string;
}

export function EditCourse({ course, version = '' }: { course: Course; version: string | undefined }) {
  const courseId = String(course.course_id);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useDraftForm({
    draftKey: `course-edit:${courseId}`,
    // The version is part of the draft: a restored one is still based on what was read back then.
    initial: { ...fromCourse(course), mode: 'replace', version },
  });
  const [file, setFile] = useState<File | null>(null);
  const [conflict, setConflict] = useState<Stored | null>(null);
  const { marks } = form.values;
  const mode = form.values.mode === 'append' ? 'append' : 'replace';

  const saveDetails = async (basedOn: string) => {
    try {
      return await callVersioned<CourseSaved>('PUT', coursePath(courseId), {
        body: toCourseBody(form.values),
        ifMatch: basedOn || undefined,
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        const now = await queries.fetchQuery(courseToEditQuery(courseId));
        if (now.course !== undefined) setConflict({ course: now.course, version: now.version ?? '' });
      }
      throw error;
    }
  };
  const save = (basedOn: string) =>
    form.submit(async () => {
      setConflict(null);
      const saved = await saveDetails(basedOn);
      forgetCourse(queries, courseId);
      // The marks may be refused yet; the next try is then based on what has just been saved.
      form.setValue('version', saved.version ?? '');
      if (hasMarks({ text: marks, file })) await sendMarks(course.course_id, { text: marks, file, mode });
      forgetCourse(queries, courseId);
      flash('Course details updated successfully');
      await navigate({ to: '/courses/$courseId', params: { courseId } });
    });

  return (
    <>
      <EditCourseHead
        courseId={courseId}
        back={course.course_name}
        onLeave={form.discardDraft}
        actions={
          <DeleteCourse courseId={courseId} onDeleted={form.discardDraft} onRefused={form.setFailure} />
        }
      />
      <ErrorSummary errors={form.errors} labels={COURSE_LABELS} />
      {conflict && (
        <CourseConflict
          stored={conflict.course}
          mine={form.values}
          onTakeStored={() => {
            form.setValues({ ...fromCourse(conflict.course), marks, version: conflict.version });
            form.clearErrors();
            setConflict(null);
          }}
          onSaveMine={() => void save(conflict.version)}
        />
      )}
      {form.failure !== null && !conflict && <Alert className="mb-5">{form.failure}</Alert>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(form.values.version);
        }}
      >
        <CourseFields form={form} isIdFixed />
        <FormSection title="Marks" text="Optional. Marks given here are uploaded when you save.">
          <MarksEditor
            text={marks}
            onText={(text) => form.setValue('marks', text)}
            file={file}
            onFile={setFile}
            textError={form.errors.marks}
            fileError={form.errors.file}
          />
          {course.marks_count > 0 && (
            <MarksModeField
              count={course.marks_count}
              value={mode}
              onChange={(value) => form.setValue('mode', value)}
            />
          )}
        </FormSection>
        <FormFoot>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Update Entry
          </Button>
        </FormFoot>
      </form>
    </>
  );
}
