import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Form } from '../forms/form.tsx';
import { FormFooter, FormSection } from '../forms/form-layout.tsx';
import { FormMessages } from '../forms/messages/form-messages.tsx';
import { useSelectedFile } from '../forms/selected-file.tsx';
import { ShownRefusal } from '../forms/use-draft-form.ts';
import { useCreateForm } from '../forms/use-record-form.ts';
import { ApiError } from '../lib/api.ts';
import { callWithVersion } from '../lib/call.ts';
import { discardDraft, moveDraft, readDraft, transferDraft } from '../lib/drafts.ts';
import { beginInFirstField } from '../lib/navigation/first-field.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { flash } from '../ui/flash.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { CourseFields } from './course-fields.tsx';
import { coursesQuery, editCourseQuery, invalidateCourse } from './course-queries.ts';
import {
  COURSE_LABELS,
  type CourseValues,
  courseEditDraftKey,
  EMPTY_COURSE,
  toCourseBody,
  toCourseValues,
} from './course-values.ts';
import { MarksEditor, marksReading } from './marks/marks-editor.tsx';
import { assertUploadSize, hasMarks, useUploadMarks } from './marks/use-upload-marks.ts';
import './courses.css';

const DRAFT = 'course-create';
/** `mode` and `version` as the form that edits a course has them: it takes the draft over once the course is created. */
const EMPTY = { ...EMPTY_COURSE, mode: 'replace', version: '' };
const DELETED = 'Another user has deleted the course. Save again to create it again.';

export function CreateCoursePage() {
  return useDraftOfStoredCourse() ? null : <CreateCourse />;
}

/**
 * Gives a draft whose course exists by now, since only the reply of its creation was lost, to the form that edits this course.
 *
 * @returns whether this is still being found out
 */
function useDraftOfStoredCourse(): boolean {
  const navigate = useNavigate();
  const [typed] = useState(() => readDraft(DRAFT)?.values);
  const courseId = typed?.course_id?.trim() ?? '';
  const found = useQuery({ ...editCourseQuery(courseId), enabled: courseId !== '', retry: false });
  const course = found.isFetching ? undefined : found.data?.course;
  const isStored = course !== undefined && course.course_code === typed?.course_code?.trim();
  const [isMoved, setIsMoved] = useState(false);
  useEffect(() => {
    if (!isStored || typed === undefined || isMoved) return;
    const { course_id: _, ...values } = typed;
    transferDraft(courseEditDraftKey(courseId), values, { changed_by: null, changed_at: null });
    discardDraft(DRAFT);
    setIsMoved(true);
    flash(`${typed.course_code} is saved already. What you typed for it is in its form.`, 'warning', {
      label: 'Open it',
      run: () => void navigate({ to: '/courses/$courseId/edit', params: { courseId } }),
    });
  }, [isStored, isMoved, typed, courseId, navigate]);
  return found.isFetching || (isStored && !isMoved);
}

/** The course that this entry of the browser's history has created, and whose marks are still to be stored; empty before that. */
function useCreatedCourse() {
  const navigate = useNavigate();
  const { createdCourseId } = useLocation().state;
  const hasDraft = (courseId: string) => readDraft(courseEditDraftKey(courseId)) !== null;
  // Its marks have been stored or discarded elsewhere, so this is a form for another course.
  const [settledId] = useState(
    createdCourseId === undefined || hasDraft(createdCourseId) ? undefined : createdCourseId,
  );
  const store = (courseId: string | undefined) =>
    navigate({
      to: '.',
      state: courseId === undefined ? {} : { createdCourseId: courseId },
      replace: true,
      resetScroll: false,
    });
  return { createdId: createdCourseId === settledId ? '' : (createdCourseId ?? ''), store };
}

function CreateCourse() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attempt = useRef(0);
  const { createdId, store } = useCreatedCourse();
  const draftKey = createdId === '' ? DRAFT : courseEditDraftKey(createdId);
  const { form, submit } = useCreateForm({ draftKey, initial: EMPTY });
  const uploadMarks = useUploadMarks();
  const marksFile = useSelectedFile<keyof CourseValues>(form, 'file', 'marks');
  const { file } = marksFile;
  const { marks } = form.values;

  const create = async (idempotencyKey: (body: unknown) => string) => {
    if (createdId !== '') return { courseId: createdId, version: form.values.version };
    const body = toCourseBody(form.values);
    const { body: reply, version = '' } = await callWithVersion('POST /api/courses', {
      body,
      idempotencyKey: idempotencyKey({ ...body, attempt: attempt.current }),
    });
    const courseId = String(reply.course.course_id);
    form.takeStored({ ...toCourseBody(toCourseValues(reply.course)), version });
    moveDraft(DRAFT, courseEditDraftKey(courseId));
    await store(courseId);
    invalidateCourse(queries, courseId);
    return { courseId, version };
  };
  const addMarks = async (courseId: string, ifMatch: string) => {
    try {
      const reading = marksReading(form.values);
      await uploadMarks(Number(courseId), { text: marks, file, mode: 'replace', ...reading, ifMatch });
    } catch (error) {
      if (error instanceof ApiError && error.errors.course_id !== undefined) await startAgain(courseId);
      if (error instanceof ApiError && error.status === 412) await leadToEdit(courseId);
      throw error;
    } finally {
      invalidateCourse(queries, courseId);
    }
  };
  /** Another user has deleted the course. Creating it again is another attempt, with another key. */
  const startAgain = async (courseId: string) => {
    moveDraft(courseEditDraftKey(courseId), DRAFT);
    await store(undefined);
    attempt.current += 1;
    throw new ApiError(422, DELETED, { errors: { course_id: [DELETED] } });
  };
  /** The course has been changed since it was created: its form asks what becomes of the marks that are there. */
  const leadToEdit = async (courseId: string) => {
    flash('The course has been changed since. Check its marks before you save.', 'warning');
    await navigate({ to: '/courses/$courseId/edit', params: { courseId }, replace: true });
    throw new ShownRefusal();
  };
  const save = () =>
    submit(
      async (idempotencyKey) => {
        assertUploadSize(file);
        const { courseId, version } = await create(idempotencyKey);
        if (hasMarks({ text: marks, file })) await addMarks(courseId, version);
        discardDraft(courseEditDraftKey(courseId));
      },
      async () => {
        flash('Course created successfully');
        await navigate({ to: '/courses' });
      },
    );

  const freeId = useFreeCourseId();
  return (
    <Page width="form">
      <PageHeader
        back={{ to: '/courses', label: 'Courses', onClick: form.discardDraft }}
        title="Add a course"
        sub="Enter details of the course or go back"
      />
      {createdId !== '' && !form.isProcessing && (
        <Alert tone="warn" className="mb-5">
          The course with ID {createdId} has been created, but its marks have not been saved. Correct them and
          send them again, or leave them out.
        </Alert>
      )}
      <FormMessages<keyof CourseValues>
        form={form}
        labels={COURSE_LABELS}
        initial={form.base}
        file={marksFile}
      />
      <Form ref={beginInFirstField} onSubmit={save}>
        <CourseFields form={form} isFixed={createdId !== ''} freeId={freeId} />
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
      </Form>
    </Page>
  );
}

/** The number after the highest course ID; undefined until the courses are read, and where no number is higher. */
function useFreeCourseId(): number | undefined {
  const { data } = useQuery(coursesQuery);
  const free = data && Math.max(0, ...data.map(({ course_id }) => course_id)) + 1;
  return Number.isSafeInteger(free) ? free : undefined;
}
