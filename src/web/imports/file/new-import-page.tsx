import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ImportKind } from '../../../contract/imports.ts';
import { coursesQuery, formatCourse } from '../../courses/course-queries.ts';
import { keepErrorText } from '../../forms/messages/error-texts.ts';
import { useTask } from '../../forms/use-task.ts';
import { discardDraft, readDraft, writeDraft } from '../../lib/drafts.ts';
import { schemesQuery } from '../../schemes/scheme-queries.ts';
import { fieldId } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { importQuery } from '../import-queries.ts';
import { ImportSteps } from '../import-steps.tsx';
import { useNewImportSearchParams } from '../search-params.ts';
import { FileChoice } from './file-choice.tsx';
import { ImportNotes } from './import-notes.tsx';
import { KindChoice } from './kind-choice.tsx';
import { type ImportSource, uploadImport } from './upload.ts';

const DRAFT = 'import-new';

/** What the rows of some kinds are for, which is chosen before the file. */
const TARGETS: Partial<Record<ImportKind, 'course' | 'scheme'>> = { marks: 'course', scheme: 'scheme' };

/** The choice of what is imported from which file. */
export function NewImportPage() {
  const { address, change } = useNewImportSearchParams();
  const { kind = 'students', course, scheme } = address;
  const upload = useUpload();
  const [text, setText] = useState(() => readDraft(DRAFT)?.values.text ?? '');
  const [file, setFile] = useState<File | null>(null);
  /** A file was chosen before the course or draft that it is for. */
  const [lacksTarget, setLacksTarget] = useState(false);

  const typeText = (typed: string) => {
    setText(typed);
    writeDraft(DRAFT, { values: { text: typed }, base: {} });
  };
  const choose = (source: ImportSource) => {
    setFile('file' in source ? source.file : null);
    const target = TARGETS[kind];
    if (target !== undefined && address[target] === undefined) {
      setLacksTarget(true);
      document.getElementById(fieldId(target))?.focus();
      return;
    }
    upload.start({
      kind,
      courseId: kind === 'marks' ? course : undefined,
      schemeId: kind === 'scheme' ? scheme : undefined,
      source,
    });
  };

  return (
    <Page>
      <PageHeader
        title="Import"
        sub="Nothing is saved until you have seen the preview. Every import can be undone."
        back={{ to: '/imports', label: 'Imports' }}
        actions={<ImportSteps current="file" />}
      />
      <div className="grid items-start gap-x-11 gap-y-8 xl:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid min-w-0 gap-8">
          <KindChoice
            kind={kind}
            onChange={(chosen) => {
              upload.clearError();
              setLacksTarget(false);
              change({
                kind: chosen,
                course: chosen === 'marks' ? (course ?? '') : '',
                scheme: chosen === 'scheme' ? (scheme ?? '') : '',
              });
            }}
          />
          {kind === 'marks' && (
            <CourseField
              course={course ?? ''}
              error={
                lacksTarget && course === undefined
                  ? 'Choose the course of the marks, then the file.'
                  : upload.errors.course_id
              }
              onChange={(id) => change({ kind, course: id, scheme: '' })}
            />
          )}
          {kind === 'scheme' && (
            <DraftField
              scheme={scheme ?? ''}
              error={
                lacksTarget && scheme === undefined
                  ? 'Choose the draft of the rows, then the file.'
                  : upload.errors.scheme_id
              }
              onChange={(id) => change({ kind, course: '', scheme: id })}
            />
          )}
          <FileChoice
            file={file}
            text={text}
            onText={typeText}
            onChoose={choose}
            isUploading={upload.isRunning}
            onCancel={upload.cancel}
            errors={upload.errors}
          />
        </div>
        <ImportNotes kind={kind} />
      </div>
    </Page>
  );
}

interface CourseFieldProps {
  course: string;
  error: string | undefined;
  onChange: (courseId: string) => void;
}

function CourseField({ course, error, onChange }: CourseFieldProps) {
  const courses = useQuery(coursesQuery);
  const options = courses.data?.map((one) => ({ value: String(one.course_id), label: formatCourse(one) }));
  return (
    <div>
      <LoadError query={courses} />
      <SelectField
        label="Course"
        name="course"
        required
        value={course}
        placeholder={courses.isFetching && options === undefined ? 'Loading courses …' : 'Select a course'}
        options={options ?? []}
        onChange={onChange}
        error={error}
        className="max-w-120"
      />
    </div>
  );
}

interface DraftFieldProps {
  scheme: string;
  error: string | undefined;
  onChange: (schemeId: string) => void;
}

function DraftField({ scheme, error, onChange }: DraftFieldProps) {
  const schemes = useQuery(schemesQuery);
  const options = schemes.data
    ?.filter(({ number }) => number === null)
    .map(({ scheme_id, name }) => ({ value: String(scheme_id), label: name }));
  return (
    <div>
      <LoadError query={schemes} />
      <SelectField
        label="Draft of a scheme"
        name="scheme"
        required
        value={scheme}
        placeholder={options === undefined ? 'Loading drafts …' : 'Select a draft'}
        options={options ?? []}
        onChange={onChange}
        error={error}
        className="max-w-120"
      />
    </div>
  );
}

/** The upload that runs, and why the last one was refused. It leads to the import's columns. */
function useUpload() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const task = useTask({
    run: async (input: Parameters<typeof uploadImport>[0]) => {
      const controller = new AbortController();
      running.current = controller;
      try {
        const item = await uploadImport(input, controller.signal);
        discardDraft(DRAFT);
        queries.setQueryData(importQuery(item.import_id).queryKey, item);
        await navigate({ to: '/imports/$importId', params: { importId: String(item.import_id) } });
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      }
    },
    failure: 'The file could not be read. Try again.',
    fields: ['course_id', 'scheme_id', 'file', 'text'],
    rewrite: keepErrorText,
  });
  /** The field that was sent shows errors that name no field. */
  const sent = task.input && 'text' in task.input.source ? 'text' : 'file';
  return {
    start: task.start,
    cancel: () => running.current?.abort(),
    isRunning: task.isRunning,
    errors: { [sent]: task.problem, ...task.errors },
    clearError: task.reset,
  };
}
