import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { FormFooter, FormSection } from '../forms/form-layout.tsx';
import { FormMessages } from '../forms/form-messages.tsx';
import { useSelectedFile } from '../forms/selected-file.tsx';
import { useCreateForm } from '../forms/use-record-form.ts';
import { ApiError, call } from '../lib/api.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { flash } from '../ui/flash.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { CourseFields } from './course-fields.tsx';
import { invalidateCourse } from './course-queries.ts';
import { COURSE_LABELS, type CourseValues, EMPTY_COURSE, toCourseBody } from './course-values.ts';
import { MarksEditor, marksReading } from './marks/marks-editor.tsx';
import {
  assertUploadSize,
  type CourseSaveReply,
  hasMarks,
  useUploadMarks,
} from './marks/use-upload-marks.ts';
import './courses.css';

/**
 * `created_id` is the ID of the course once it is created. It is stored with the draft, so that a failed upload of the
 * marks, repeated after a reload, does not create the course again.
 */
const EMPTY = { ...EMPTY_COURSE, created_id: '' };
const DELETED = 'Another user has deleted the course. Save again to create it again.';
const LABELS = { ...COURSE_LABELS, created_id: 'Course ID' };

export function CreateCoursePage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attempt = useRef(0);
  const { form, submit } = useCreateForm({ draftKey: 'course-create', initial: EMPTY });
  const uploadMarks = useUploadMarks();
  const marksFile = useSelectedFile<keyof CourseValues>(form, 'file', 'marks');
  const { file } = marksFile;
  const { created_id: createdId, marks } = form.values;

  const create = async (idempotencyKey: (body: unknown) => string): Promise<number> => {
    if (createdId !== '') return Number(createdId);
    const body = toCourseBody(form.values);
    const { course } = await call<CourseSaveReply>('POST', '/api/courses', {
      body,
      idempotencyKey: idempotencyKey({ ...body, attempt: attempt.current }),
    });
    form.setValue('created_id', String(course.course_id));
    invalidateCourse(queries, String(course.course_id));
    return course.course_id;
  };
  const addMarks = async (courseId: number) => {
    try {
      await uploadMarks(courseId, { text: marks, file, mode: 'replace', ...marksReading(form.values) });
    } catch (error) {
      // Another user has deleted the course. Creating it again is another attempt, with another key.
      if (error instanceof ApiError && error.errors.course_id !== undefined) {
        form.setValue('created_id', '');
        attempt.current += 1;
        throw new ApiError(422, DELETED, { errors: { course_id: [DELETED] } });
      }
      throw error;
    } finally {
      invalidateCourse(queries, String(courseId));
    }
  };
  const save = () =>
    submit(
      async (idempotencyKey) => {
        assertUploadSize(file);
        const courseId = await create(idempotencyKey);
        if (hasMarks({ text: marks, file })) await addMarks(courseId);
      },
      async () => {
        flash('Course created successfully');
        await navigate({ to: '/courses' });
      },
    );

  return (
    <Page width="form">
      <PageHeader
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
      <FormMessages<keyof typeof EMPTY> form={form} labels={LABELS} initial={EMPTY} file={marksFile} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <CourseFields form={form} isFixed={createdId !== ''} />
        <FormSection
          title="Marks"
          text="Optional. Paste marks separated by commas, or select a workbook (XLSX) or CSV file."
        >
          <MarksEditor form={form} file={marksFile} />
        </FormSection>
        <FormFooter>
          <ButtonLink to="/students" variant="quiet" onClick={form.discardDraft}>
            Back
          </ButtonLink>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Create Entry
          </Button>
        </FormFooter>
      </form>
    </Page>
  );
}
