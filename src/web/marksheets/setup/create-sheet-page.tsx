import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, useMemo, useState } from 'react';
import type { CourseListItem } from '../../../contract/courses.ts';
import type { Term } from '../../../contract/terms.ts';
import { calendarDate } from '../../../domain/age.ts';
import { CREDIT_HOURS } from '../../../domain/student.ts';
import { coursesQuery } from '../../courses/course-queries.ts';
import { searchCourses, toSearchableCourse } from '../../courses/course-search.ts';
import { Form } from '../../forms/form.tsx';
import { FormFooter, FormSection } from '../../forms/form-layout.tsx';
import { FormMessages } from '../../forms/messages/form-messages.tsx';
import { type DraftForm, fieldProps } from '../../forms/use-draft-form.ts';
import { useCreateForm } from '../../forms/use-record-form.ts';
import { call } from '../../lib/call.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { searchTerms } from '../../lib/text-match.ts';
import { currentTerm } from '../../settings/current-term.ts';
import { termsQuery } from '../../settings/term-queries.ts';
import { courseDetail, findCourseByText } from '../../students/entry/semester/subjects/course-match.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ComboboxField } from '../../ui/fields/combobox-field.tsx';
import { NumberField, SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { classText } from '../sheet-labels.ts';
import { sheetsQuery } from '../sheet-queries.ts';
import { CategoryFields } from './category-fields.tsx';
import { ClassChoice } from './class-choice.tsx';
import { SetupSources } from './setup-sources.tsx';
import { categoryLabels, hasReadableCategories, readCategories, setupErrorText } from './setup-values.ts';
import { chooseCourse, emptySheet, LABELS, type SheetField, toSheetBody } from './sheet-form-values.ts';

const BACK = { to: '/marksheets', label: 'Mark sheets' } as const;

export function CreateSheetPage() {
  const terms = usePageQuery({ ...termsQuery, loading: 'terms' });
  const courses = usePageQuery({ ...coursesQuery, loading: 'courses' });
  return (
    <Page width="form">
      {terms.data && courses.data ? (
        <CreateSheet terms={terms.data} courses={courses.data} />
      ) : (
        <>
          <PageHeader back={BACK} title="New mark sheet" />
          <LoadError query={terms.data ? courses : terms} />
        </>
      )}
    </Page>
  );
}

interface CreateSheetProps {
  terms: readonly Term[];
  courses: readonly CourseListItem[];
}

function CreateSheet({ terms, courses }: CreateSheetProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [initial] = useState(() =>
    emptySheet(String(currentTerm(terms, calendarDate(new Date()))?.term_id ?? '')),
  );
  const { form, submit } = useCreateForm<SheetField>({
    draftKey: 'sheet-create',
    initial,
    isReadableDraft: hasReadableCategories,
    rewrite: setupErrorText,
  });
  const save = () =>
    submit(
      (idempotencyKey) => {
        const body = toSheetBody(form.values);
        return call('POST /api/sheets', { body, idempotencyKey: idempotencyKey(body) });
      },
      async ({ message, sheet }) => {
        queries.removeQueries({ queryKey: ['sheets', 'list'] });
        flash(message);
        await navigate({ to: '/marksheets/$sheetId', params: { sheetId: String(sheet.sheet_id) } });
      },
    );
  const labels = {
    ...LABELS,
    course: LABELS.course_id,
    by: 'Students',
    categories: 'Assessments',
    ...categoryLabels(readCategories(form.values.categories)),
  };
  const categories = {
    value: form.values.categories,
    onChange: (value: string) => form.setValue('categories', value),
  };
  return (
    <>
      <PageHeader
        back={{ ...BACK, onClick: form.discardDraft }}
        title="New mark sheet"
        sub="One course, one class, one term. Marks are entered on the next screen."
      />
      <FormMessages form={form} labels={labels} initial={initial} />
      <Form ref={beginInFirstField} onSubmit={save}>
        <FormSection title="Course" text="Title and credit hours are those that the results will have.">
          <CourseField form={form} courses={courses} />
          <SelectField
            {...fieldProps(form, 'term_id')}
            label={LABELS.term_id}
            placeholder="Select a term"
            options={terms.map(({ term_id, name }) => ({ value: String(term_id), label: name }))}
            hint={terms.length === 0 ? 'An administrator adds the terms in the settings.' : undefined}
            required
            className="xs:col-span-4"
          />
          <TextField {...fieldProps(form, 'title')} label={LABELS.title} required className="xs:col-span-8" />
          <NumberField
            {...fieldProps(form, 'credits')}
            {...CREDIT_HOURS}
            label={LABELS.credits}
            required
            className="xs:col-span-4"
          />
        </FormSection>
        <FormSection
          title="Students"
          text="They can be added and taken out until the mark sheet is submitted."
        >
          <ClassChoice form={form} />
          <PresentSheets form={form} />
        </FormSection>
        <FormSection
          title="Assessments"
          text={
            <>
              Each mark is divided by its full marks and counts with the weight of its category.
              <SetupSources courseId={form.values.course_id} {...categories} />
            </>
          }
        >
          <CategoryFields {...categories} errors={form.errors} />
        </FormSection>
        <FormFooter>
          <ButtonLink to={BACK.to} variant="quiet" onClick={form.discardDraft}>
            Cancel
          </ButtonLink>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Create mark sheet
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}

/** Sheets of the course, term and class that are there. Another one is for other students of the class. */
function PresentSheets({ form }: { form: DraftForm<SheetField> }) {
  const { course_id, term_id, department, degree, semester } = form.values;
  const query = useQuery({
    ...sheetsQuery({ course_id: Number(course_id), term_id: Number(term_id) }),
    enabled: course_id !== '' && term_id !== '',
  });
  const present = (query.data ?? []).filter(
    (sheet) =>
      sheet.rectifies === null &&
      sheet.department === department &&
      sheet.degree === degree &&
      String(sheet.semester) === semester,
  );
  if (present.length === 0) return null;
  return (
    <Alert tone="warn">
      {present.length === 1 ? 'There is one already: ' : `There are ${present.length} already: `}
      {present.map((sheet, i) => (
        <Fragment key={sheet.sheet_id}>
          {i > 0 && ', '}
          <Link
            to="/marksheets/$sheetId"
            params={{ sheetId: String(sheet.sheet_id) }}
            className="link"
          >{`mark sheet ${sheet.sheet_id}, ${classText(sheet)}, ${formatStudentCount(sheet.students)}`}</Link>
        </Fragment>
      ))}
      . A student stands on one of them.
    </Alert>
  );
}

/** Suggestions at a time. */
const MOST_SUGGESTED = 8;

function CourseField({ form, courses }: { form: DraftForm<SheetField>; courses: readonly CourseListItem[] }) {
  const searchable = useMemo(() => courses.map(toSearchableCourse), [courses]);
  const { course: typed, course_id } = form.values;
  const terms = searchTerms(typed);
  const found = searchCourses(searchable, terms).slice(0, MOST_SUGGESTED);
  const choose = (id: string) => {
    const byId = (wanted: string) => courses.find((one) => String(one.course_id) === wanted);
    const course = byId(id);
    if (course !== undefined) form.setValues(chooseCourse(form.values, byId(course_id), course));
  };
  return (
    <ComboboxField
      name="course_id"
      label={LABELS.course_id}
      value={typed}
      onChange={(course) => form.setValues({ course, course_id: '' })}
      error={form.errors.course_id}
      placeholder="Code, ID or name"
      options={found.map(({ course }) => ({
        value: String(course.course_id),
        label: course.course_name,
        detail: courseDetail(course),
      }))}
      opensOnTyping
      takesOnlyOption
      onChoose={choose}
      onTyped={() => {
        const course =
          findCourseByText(courses, typed) ?? (found.length === 1 ? found[0]?.course : undefined);
        if (course !== undefined) choose(String(course.course_id));
      }}
      hint={typed !== '' && course_id === '' ? 'Choose one of the list, or type its code.' : undefined}
      required
      className="xs:col-span-8"
    />
  );
}
