import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { CREDIT_HOURS } from '../../../domain/student.ts';
import { EditConflictNotice } from '../../forms/conflicts/edit-conflict-notice.tsx';
import { DeleteRecord } from '../../forms/delete-record.tsx';
import { Form } from '../../forms/form.tsx';
import { FormFooter, FormSection } from '../../forms/form-layout.tsx';
import { FormMessages } from '../../forms/messages/form-messages.tsx';
import { fieldProps } from '../../forms/use-draft-form.ts';
import { useEditForm } from '../../forms/use-record-form.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { usePageSubject } from '../../lib/navigation/navigation.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { NumberField, TextField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { classText } from '../sheet-labels.ts';
import { editSheetQuery, invalidateSheet, type LoadedSheet, readSheet } from '../sheet-queries.ts';
import { CategoryFields } from './category-fields.tsx';
import {
  categoryLabels,
  hasReadableCategories,
  readCategories,
  setupErrorText,
  toCategoriesBody,
  toCategoryValues,
  writeCategories,
} from './setup-values.ts';

const LABELS = { title: 'Title', credits: 'Credit hours' } as const;
type SetupField = keyof typeof LABELS | 'categories';

const toValues = ({ sheet, etag = '' }: LoadedSheet) => ({
  title: sheet.title,
  credits: String(sheet.credits),
  categories: writeCategories(sheet.categories.map(toCategoryValues)),
  version: etag,
});

/** Title, credit hours and assessments of a draft. */
export function EditSetupPage() {
  const { sheetId } = useParams({ strict: false });
  const id = Number(sheetId);
  const query = usePageQuery({ ...editSheetQuery(id), loading: 'mark sheet' });
  const loaded = query.data;
  const back = { to: `/marksheets/${id}`, label: 'Mark sheet' };
  return (
    <Page width="form">
      {loaded === undefined ? (
        <>
          <PageHeader back={back} title="Set-up" />
          <LoadError query={query} />
        </>
      ) : loaded.sheet.state !== 'draft' || loaded.sheet.rectifies !== null ? (
        <>
          <PageHeader back={back} title="Set-up" subject={loaded.sheet.title} />
          <EmptyState
            title={
              loaded.sheet.state === 'draft'
                ? 'A rectification keeps the set-up of the sheet that it rectifies.'
                : 'Only a draft can be changed.'
            }
          />
        </>
      ) : (
        <EditSetup key={id} loaded={loaded} />
      )}
    </Page>
  );
}

function EditSetup({ loaded }: { loaded: LoadedSheet }) {
  const { sheet } = loaded;
  const { sheet_id } = sheet;
  const params = { sheet_id };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asksToDiscard, setAsksToDiscard] = useState(false);
  /** The sheet as it was read last: it says which assessments have marks. */
  const [latest, setLatest] = useState(sheet);
  const readAgain = async () => {
    const current = await readSheet(sheet_id);
    setLatest(current.sheet);
    return current;
  };
  usePageSubject(`${sheet.title}, ${classText(sheet)}`);
  const initial = toValues(loaded);
  const { form, submit, ...edit } = useEditForm<SetupField>({
    draftKey: `sheet-setup:${sheet_id}`,
    initial,
    isReadableDraft: hasReadableCategories,
    rewrite: setupErrorText,
    readAgain: async () => toValues(await readAgain()),
  });
  const lost = lostMarks(latest, readCategories(form.values.categories));

  const put = async (ifMatch: string | undefined, discard: boolean) => {
    const { title, credits, categories } = form.values;
    const body = { title, credits, categories: toCategoriesBody(readCategories(categories)), discard };
    try {
      return await call('PUT /api/sheets/:sheet_id', { params, body, ifMatch });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      // Any mark that is entered makes a new version. Only another set-up is a conflict, or marks that would be removed unseen.
      const now = await readAgain();
      const current = toValues(now);
      const isSame = (['title', 'credits', 'categories'] as const).every(
        (name) => current[name] === form.base[name],
      );
      const lostNow = lostMarks(now.sheet, readCategories(categories));
      if (!isSame || lostNow.some((name) => !lost.includes(name))) throw error;
      return await call('PUT /api/sheets/:sheet_id', { params, body, ifMatch: current.version });
    }
  };
  const save = (discard: boolean) =>
    submit(
      (ifMatch) => put(ifMatch, discard),
      async ({ message }) => {
        await invalidateSheet(queries, sheet_id);
        flash(message);
        await navigate({ to: '/marksheets/$sheetId', params: { sheetId: String(sheet_id) } });
      },
    );
  const remove = async () => {
    const { message } = await call('DELETE /api/sheets/:sheet_id', {
      params,
      ifMatch: edit.version || undefined,
    });
    form.discardDraft();
    queries.removeQueries({ queryKey: ['sheets'] });
    flash(message);
    await navigate({ to: '/marksheets' });
  };
  const labels = {
    ...LABELS,
    categories: 'Assessments',
    version: '',
    ...categoryLabels(readCategories(form.values.categories)),
  };
  const hasOtherSetup = edit.stale?.conflicts.includes('categories') === true;
  const takeAssessments = () => {
    if (edit.stale !== null) form.takeStored({ categories: edit.stale.values.categories });
  };
  return (
    <>
      <PageHeader
        back={{ to: `/marksheets/${sheet_id}`, label: 'Mark sheet', onClick: form.discardDraft }}
        title="Set-up"
        subject={`${sheet.title}, ${classText(sheet)}, ${sheet.term_name}`}
        actions={
          !sheet.was_submitted && (
            <DeleteRecord
              label="Delete mark sheet"
              question="Are you sure you want to delete this mark sheet with all its marks?"
              subject={`${sheet.title}, ${classText(sheet)}`}
              remove={remove}
              onStale={edit.reload}
              onRefused={form.setFailure}
            />
          )
        }
      />
      <FormMessages form={form} labels={labels} initial={edit.stale?.values ?? initial} />
      <EditConflictNotice<keyof typeof LABELS> form={form} labels={LABELS} stale={edit.stale}>
        {edit.stale !== null && edit.stale.values.categories !== form.values.categories ? (
          <>
            <p>
              {hasOtherSetup
                ? 'You both changed the assessments. Saving again replaces theirs with those of this form.'
                : 'Your assessments are kept. Save again to store them.'}
            </p>
            <Button size="sm" className="mt-2.5 text-fg" onClick={takeAssessments}>
              Use the stored assessments
            </Button>
          </>
        ) : undefined}
      </EditConflictNotice>
      <Form ref={beginInFirstField} onSubmit={() => (lost.length > 0 ? setAsksToDiscard(true) : save(false))}>
        <FormSection title="Subject" text="Title and credit hours are those that the results will have.">
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
          title="Assessments"
          text="Each mark is divided by its full marks and counts with the weight of its category. Totals follow at once."
        >
          <CategoryFields
            value={form.values.categories}
            onChange={(value) => form.setValue('categories', value)}
            errors={form.errors}
          />
        </FormSection>
        <FormFooter note={lost.length > 0 ? `Saving removes the marks of ${lost.join(', ')}.` : undefined}>
          <ButtonLink to={`/marksheets/${sheet_id}`} variant="quiet" onClick={form.discardDraft}>
            Cancel
          </ButtonLink>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            Save set-up
          </Button>
        </FormFooter>
      </Form>
      <ConfirmDialog
        isOpen={asksToDiscard}
        tone="danger"
        text={`Are you sure you want to remove ${lost.join(', ')} with all marks?`}
        onNo={() => setAsksToDiscard(false)}
        onYes={() => {
          setAsksToDiscard(false);
          void save(true);
        }}
      />
    </>
  );
}

/** The components that hold marks and are not among the categories any more. */
function lostMarks(sheet: Sheet, categories: ReturnType<typeof readCategories>): string[] {
  const kept = new Set(
    categories.flatMap(({ components }) => components.map(({ component_id }) => component_id)),
  );
  return sheet.categories
    .flatMap(({ components }) => components)
    .filter(
      ({ component_id }) =>
        !kept.has(component_id) && sheet.rows.some(({ cells }) => (cells[component_id] ?? null) !== null),
    )
    .map(({ name }) => name);
}
