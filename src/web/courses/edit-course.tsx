import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { Course } from '../../contract/courses.ts';
import { callVersioned } from '../api.ts';
import { FormMessages } from '../forms/form-messages.tsx';
import { StaleNotice } from '../forms/stale-notice.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { useDraftForm } from '../forms/use-draft-form.ts';
import { useStaleEdit } from '../forms/use-stale-edit.ts';
import { flash } from '../shell/flash.tsx';
import { Button } from '../ui/button.tsx';
import { FormFoot, FormSection } from '../ui/form-parts.tsx';
import { PageHead } from '../ui/page.tsx';
import { CourseFields } from './course-fields.tsx';
import { coursePath, readCourse } from './course-query.ts';
import {
  COURSE_LABELS,
  type CourseValues,
  DETAIL_LABELS,
  fromCourse,
  toCourseBody,
} from './course-values.ts';
import { DeleteCourse } from './delete-course.tsx';
import { forgetCourse } from './forget-course.ts';
import { MarksEditor } from './marks-editor.tsx';
import { requireSendable } from './marks-limit.ts';
import { MarksModeField } from './marks-mode-field.tsx';
import { type CourseSaved, hasMarks, useSendMarks } from './use-send-marks.ts';
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

interface EditCourseProps {
  course: Course;
  version: string | undefined;
}

/** The version is a value of the form: a draft that is brought back is still based on what was read back then. */
const toValues = (course: Course, version = '') => ({ ...fromCourse(course), mode: 'replace', version });

export function EditCourse({ course, version }: EditCourseProps) {
  const courseId = String(course.course_id);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const initial = toValues(course, version);
  const form = useDraftForm({ draftKey: `course-edit:${courseId}`, initial });
  const storedBody = useRef('');
  const edit = useStaleEdit(form, {
    initial,
    readAgain: async () => {
      // What was stored from here is no longer what is stored.
      storedBody.current = '';
      const now = await readCourse(courseId);
      return toValues(now.course ?? course, now.version);
    },
  });
  const sendMarks = useSendMarks();
  const marksFile = useChosenFile<keyof CourseValues>(form, 'file', 'marks');
  const { file } = marksFile;
  const { marks } = form.values;
  const mode = form.values.mode === 'append' ? 'append' : 'replace';

  const save = () =>
    edit.save(async (ifMatch) => {
      requireSendable(file);
      const body = toCourseBody(form.values);
      let version = ifMatch;
      // When only the marks have to be sent again, the details are stored already.
      if (JSON.stringify(body) !== storedBody.current) {
        const saved = await callVersioned<CourseSaved>('PUT', coursePath(courseId), { body, ifMatch });
        storedBody.current = JSON.stringify(body);
        version = saved.version;
        edit.advance(saved.version);
        forgetCourse(queries, courseId);
      }
      if (hasMarks({ text: marks, file })) {
        await sendMarks(course.course_id, { text: marks, file, mode, ifMatch: version });
      }
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
          <DeleteCourse
            courseId={courseId}
            version={edit.version}
            onDeleted={form.discardDraft}
            onStale={edit.reload}
            onRefused={form.setFailure}
          />
        }
      />
      <FormMessages<keyof CourseValues> form={form} labels={COURSE_LABELS} initial={initial} />
      <StaleNotice<keyof typeof DETAIL_LABELS> form={form} labels={DETAIL_LABELS} stale={edit.stale} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(save);
        }}
      >
        <CourseFields form={form} isIdFixed />
        <FormSection title="Marks" text="Optional. Marks given here are uploaded when you save.">
          <MarksEditor
            text={marks}
            onText={(text) => form.setValue('marks', text)}
            file={marksFile}
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
