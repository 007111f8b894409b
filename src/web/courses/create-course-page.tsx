import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiError, call } from '../api.ts';
import { FormMessages } from '../forms/form-messages.tsx';
import { useAttemptKey } from '../forms/use-attempt-key.ts';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { flash } from '../shell/flash.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { FormFoot, FormSection } from '../ui/form-parts.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { CourseFields } from './course-fields.tsx';
import { COURSE_LABELS, type CourseValues, EMPTY_COURSE, toCourseBody } from './course-values.ts';
import { forgetCourse } from './forget-course.ts';
import { MarksEditor } from './marks-editor.tsx';
import { requireSendable } from './marks-limit.ts';
import { type CourseSaved, hasMarks, useSendMarks } from './use-send-marks.ts';
import './courses.css';

/** `created_id` is kept with the draft: whatever happens to the marks, the course is not created twice. */
const EMPTY = { ...EMPTY_COURSE, created_id: '' };
const DELETED = 'The course has been deleted meanwhile. Send it again to create it again.';
const LABELS = { ...COURSE_LABELS, created_id: 'Course ID' };

export function CreateCoursePage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attemptKey = useAttemptKey();
  const attempt = useRef(0);
  const form = useDraftForm({ draftKey: 'course-create', initial: EMPTY });
  const sendMarks = useSendMarks();
  const marksFile = useChosenFile<keyof CourseValues>(form, 'file', 'marks');
  const { file } = marksFile;
  const { created_id: createdId, marks } = form.values;

  const create = async (): Promise<number> => {
    if (createdId !== '') return Number(createdId);
    const body = toCourseBody(form.values);
    const { course } = await call<CourseSaved>('POST', '/api/courses', {
      body,
      idempotencyKey: attemptKey({ ...body, attempt: attempt.current }),
    });
    form.setValue('created_id', String(course.course_id));
    forgetCourse(queries, String(course.course_id));
    return course.course_id;
  };
  const addMarks = async (courseId: number) => {
    try {
      await sendMarks(courseId, { text: marks, file, mode: 'replace' });
    } catch (error) {
      // Somebody has deleted the course meanwhile: it is to be created again, which is another attempt.
      if (error instanceof ApiError && error.errors.course_id !== undefined) {
        form.setValue('created_id', '');
        attempt.current += 1;
        throw new ApiError(422, DELETED, { errors: { course_id: [DELETED] } });
      }
      throw error;
    } finally {
      forgetCourse(queries, String(courseId));
    }
  };
  const save = async () => {
    requireSendable(file);
    const courseId = await create();
    if (hasMarks({ text: marks, file })) await addMarks(courseId);
    flash('Course created successfully');
    await navigate({ to: '/courses' });
  };

  return (
    <Page width="form">
      <PageHead
        back={{ to: '/courses', label: 'Courses', onClick: form.discardDraft }}
        title="Add a course"
        sub="Enter details of the course or go back"
      />
      {createdId !== '' && !form.isProcessing && (
        <Alert tone="warn" className="mb-5">
          The course with ID {createdId} has been created, but its marks have not been stored. Correct them
          and send them again, or leave them out.
        </Alert>
      )}
      <FormMessages<keyof typeof EMPTY> form={form} labels={LABELS} initial={EMPTY} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(save);
        }}
      >
        <CourseFields form={form} isFixed={createdId !== ''} />
        <FormSection title="Marks" text="Optional. Paste marks separated by commas, or choose a CSV file.">
          <MarksEditor
            text={marks}
            onText={(text) => form.setValue('marks', text)}
            file={marksFile}
            textError={form.errors.marks}
            fileError={form.errors.file}
          />
        </FormSection>
        <FormFoot>
          <ButtonLink to="/students" variant="quiet" onClick={form.discardDraft}>
            Back
          </ButtonLink>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Create Entry
          </Button>
        </FormFoot>
      </form>
    </Page>
  );
}
