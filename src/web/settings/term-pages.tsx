import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Term } from '../../contract/terms.ts';
import { EARLIEST_DATE } from '../../domain/student.ts';
import type { EditConflict } from '../forms/conflicts/use-edit-conflict.ts';
import { DeleteRecord } from '../forms/delete-record.tsx';
import { Form } from '../forms/form.tsx';
import { FormFooter, FormSection } from '../forms/form-layout.tsx';
import { FormMessages } from '../forms/messages/form-messages.tsx';
import { restoreState } from '../forms/restore-state.ts';
import { type DraftForm, fieldProps } from '../forms/use-draft-form.ts';
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts';
import { useCreateForm, useEditForm } from '../forms/use-record-form.ts';
import { useTask } from '../forms/use-task.ts';
import { call, callWithVersion } from '../lib/call.ts';
import { beginInFirstField } from '../lib/navigation/first-field.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { DateField } from '../ui/fields/date-field.tsx';
import { SelectField, TextField } from '../ui/fields/input-fields.tsx';
import { flash } from '../ui/flash.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { QueryPage } from '../ui/page/query-page.tsx';
import { DAY_LABELS } from './last-day-labels.ts';
import { TermOpenings } from './openings/term-openings.tsx';
import { editTermQuery, invalidateTerms } from './term-queries.ts';

const LABELS = { name: 'Name', starts_on: 'Start', ends_on: 'End', summer: 'Kind', ...DAY_LABELS } as const;
type TermValues = Record<keyof typeof LABELS, string>;

const EMPTY: TermValues = {
  ...{ name: '', starts_on: '', ends_on: '', summer: 'false' },
  ...{ add_until: '', drop_until: '', withdraw_until: '' },
};
const KINDS = [
  { value: 'false', label: 'Regular term' },
  { value: 'true', label: 'Summer term' },
];

const toBody = ({ name, starts_on, ends_on, summer, add_until, drop_until, withdraw_until }: TermValues) => ({
  ...{ name, starts_on, ends_on, summer: summer === 'true' },
  ...{ add_until, drop_until, withdraw_until },
});

const toValues = ({ name, starts_on, ends_on, summer, ...days }: Term, version = '') => ({
  ...{ name, starts_on, ends_on, summer: String(summer), version },
  add_until: days.add_until ?? '',
  drop_until: days.drop_until ?? '',
  withdraw_until: days.withdraw_until ?? '',
});

/** The list without stale data, once a term has changed. */
function useShowTerms() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (message: string, undo?: () => void) => {
    invalidateTerms(queries);
    flash(message, 'done', undo && { label: 'Undo', run: undo });
    await navigate({ to: '/settings/terms' });
  };
}

export function CreateTermPage() {
  const showTerms = useShowTerms();
  const { form, submit } = useCreateForm({ draftKey: 'term-create', initial: EMPTY });
  const save = () =>
    submit(
      (idempotencyKey) => {
        const body = toBody(form.values);
        return call('POST /api/terms', { body, idempotencyKey: idempotencyKey(body) });
      },
      ({ message }) => showTerms(message),
    );
  return (
    <Page width="form">
      <PageHeader
        back={{ to: '/settings/terms', label: 'Terms', onClick: form.discardDraft }}
        title="Add a term"
      />
      <TermForm form={form} initial={EMPTY} submitLabel="Add term" onSave={save} />
    </Page>
  );
}

export function EditTermPage() {
  const { termId } = useParams({ strict: false });
  if (termId === undefined) throw new Error('This address names no term.');
  const term = usePageQuery({ ...editTermQuery(termId), loading: 'term' });
  return (
    <QueryPage
      width="form"
      query={term}
      header={<PageHeader back={{ to: '/settings/terms', label: 'Terms' }} title="Edit term" />}
    >
      {({ body, version }) => <EditTerm key={termId} term={body} version={version} />}
    </QueryPage>
  );
}

function EditTerm({ term, version }: { term: Term; version: string | undefined }) {
  const params = { term_id: term.term_id };
  const showTerms = useShowTerms();
  const idempotencyKey = useIdempotencyKey();
  const initial = toValues(term, version);
  usePageSubject(term.name);
  const { form, submit, ...edit } = useEditForm<keyof TermValues>({
    draftKey: `term-edit:${term.term_id}`,
    initial,
    readAgain: async () => {
      const current = await callWithVersion('GET /api/terms/:term_id', { params });
      return toValues(current.body, current.version);
    },
  });
  const save = () =>
    submit(
      (ifMatch) => call('PUT /api/terms/:term_id', { params, body: toBody(form.values), ifMatch }),
      ({ message }) => showTerms(message),
    );
  const remove = async () => {
    const { message, entry } = await call('DELETE /api/terms/:term_id', {
      params,
      ifMatch: edit.version || undefined,
    });
    form.discardDraft();
    await showTerms(message, () => restore(entry));
  };
  const { start: restore } = useTask({
    // The key makes two clicks restore once.
    run: (entry: number) => restoreState(entry, 'before', { idempotencyKey: idempotencyKey(entry) }),
    failure: 'The term could not be restored. Try again.',
    onDone: () => showTerms(`${term.name} has been restored.`),
    flashesProblem: true,
  });

  return (
    <>
      <PageHeader
        back={{ to: '/settings/terms', label: 'Terms', onClick: form.discardDraft }}
        title="Edit term"
        subject={term.name}
        actions={
          <DeleteRecord
            label="Delete term"
            question="Are you sure you want to delete this term?"
            subject={term.name}
            remove={remove}
            onStale={edit.reload}
            onRefused={form.setFailure}
          />
        }
      />
      <TermForm form={form} initial={initial} stale={edit.stale} submitLabel="Update term" onSave={save}>
        <TermOpenings termId={term.term_id} />
      </TermForm>
    </>
  );
}

const DAY_FIELDS = ['add_until', 'drop_until', 'withdraw_until'] as const;

interface TermFormProps {
  form: DraftForm<keyof TermValues>;
  /** The values of the form without a draft. */
  initial: TermValues;
  /** The values that another user has saved since the form was filled. */
  stale?: EditConflict<keyof TermValues> | null;
  submitLabel: string;
  onSave: () => Promise<void>;
  /** Sections of a term that there is. */
  children?: ReactNode;
}

function TermForm({ form, initial, stale, submitLabel, onSave, children }: TermFormProps) {
  return (
    <>
      <FormMessages form={form} labels={LABELS} initial={initial} stale={stale} />
      <Form ref={beginInFirstField} onSubmit={onSave}>
        <FormSection title="Term" text="The name is shown wherever a term is chosen, such as Fall 2026.">
          <TextField {...fieldProps(form, 'name')} label={LABELS.name} required />
          <DateField
            {...fieldProps(form, 'starts_on')}
            label={LABELS.starts_on}
            min={EARLIEST_DATE}
            required
            className="xs:col-span-6"
          />
          <DateField
            {...fieldProps(form, 'ends_on')}
            label={LABELS.ends_on}
            min={EARLIEST_DATE}
            required
            className="xs:col-span-6"
          />
          <SelectField {...fieldProps(form, 'summer')} label={LABELS.summer} options={KINDS} />
        </FormSection>
        <FormSection
          title="Registration"
          text="Staff add, drop and withdraw students until these days, administrators later with a reason. Without a day to add nothing is checked. Opening a term fills in what is missing: 2, 3 and 6 weeks."
        >
          {DAY_FIELDS.map((name) => (
            <DateField
              key={name}
              {...fieldProps(form, name)}
              label={DAY_LABELS[name]}
              min={EARLIEST_DATE}
              className="xs:col-span-6"
            />
          ))}
        </FormSection>
        {children}
        <FormFooter>
          <ButtonLink to="/settings/terms" variant="quiet" onClick={form.discardDraft}>
            Cancel
          </ButtonLink>
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            {submitLabel}
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}
