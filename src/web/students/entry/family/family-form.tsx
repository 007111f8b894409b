import { useNavigate, useRouter } from '@tanstack/react-router';
import { FAMILY_FIELD_LABELS as LABELS } from '../../../../domain/student-labels.ts';
import type { EditConflict } from '../../../forms/conflicts/use-edit-conflict.ts';
import { Form } from '../../../forms/form.tsx';
import { FormFooter, FormSection } from '../../../forms/form-layout.tsx';
import { FormMessages } from '../../../forms/messages/form-messages.tsx';
import { moveOnAtEnter } from '../../../forms/move-on.ts';
import { type DraftForm, fieldProps } from '../../../forms/use-draft-form.ts';
import { beginInFirstField } from '../../../lib/navigation/first-field.ts';
import { Button } from '../../../ui/button.tsx';
import { NumberField, TextAreaField, TextField } from '../../../ui/fields/input-fields.tsx';
import { phoneHint } from '../../student-format.ts';
import type { FamilyValues } from './family-values.ts';
import { ParentNameField } from './parent-name-field.tsx';

interface FamilyFormProps {
  form: DraftForm<keyof FamilyValues>;
  /** The values of the form without a draft. */
  initial: FamilyValues;
  /** The values that another user has saved since the form was filled. */
  stale?: EditConflict<keyof FamilyValues> | null;
  /** Of the student. */
  lastName: string;
  submitLabel: string;
  /** Continues without saving; offered while the form is empty. */
  onLater?: () => void;
  /** @param closes leads to the record of the student instead of the next step */
  onSave: (closes: boolean) => Promise<void>;
}

const half = 'xs:col-span-6';

/** Family and contact details, for the second step of a new entry and for editing. */
export function FamilyForm({
  form,
  initial,
  stale,
  lastName,
  submitLabel,
  onLater,
  onSave,
}: FamilyFormProps) {
  const goBack = useGoBack();
  const isEmpty = Object.values(form.values).every((value) => value === '');
  const leave = () => {
    form.discardDraft();
    goBack();
  };
  return (
    <>
      <FormMessages form={form} labels={LABELS} initial={initial} stale={stale} />
      <Form ref={beginInFirstField} onKeyDown={moveOnAtEnter} onSubmit={() => onSave(false)}>
        <FormSection title="Family Details" text="Parents and siblings.">
          <ParentNameField
            {...fieldProps(form, 'father_name')}
            lastName={lastName}
            label={LABELS.father_name}
            required
            className={half}
          />
          <TextField
            {...fieldProps(form, 'father_occupation')}
            label={LABELS.father_occupation}
            required
            className={half}
          />
          <ParentNameField
            {...fieldProps(form, 'mother_name')}
            lastName={lastName}
            label={LABELS.mother_name}
            className={half}
          />
          <TextField
            {...fieldProps(form, 'mother_occupation')}
            label={LABELS.mother_occupation}
            className={half}
          />
          <NumberField
            {...fieldProps(form, 'number_siblings')}
            label={LABELS.number_siblings}
            min={0}
            step={1}
            className="xs:col-span-4"
          />
        </FormSection>
        <FormSection title="Contact Details" text="How to reach the family.">
          <TextField
            {...fieldProps(form, 'father_phone')}
            type="tel"
            label={LABELS.father_phone}
            hint={phoneHint(form.values.father_phone)}
            className={half}
          />
          <TextField
            {...fieldProps(form, 'mother_phone')}
            type="tel"
            label={LABELS.mother_phone}
            hint={phoneHint(form.values.mother_phone)}
            className={half}
          />
          <TextField
            {...fieldProps(form, 'home_phone')}
            type="tel"
            label={LABELS.home_phone}
            hint={phoneHint(form.values.home_phone)}
            className={half}
          />
          <TextAreaField {...fieldProps(form, 'address')} label={LABELS.address} rows={3} />
        </FormSection>
        <FormFooter>
          <Button variant="quiet" onClick={leave}>
            Back
          </Button>
          {onLater && isEmpty ? (
            <Button onClick={onLater}>Leave it for later</Button>
          ) : (
            <Button aria-disabled={form.isProcessing} onClick={() => void onSave(true)}>
              Save and close
            </Button>
          )}
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            {submitLabel}
          </Button>
        </FormFooter>
      </Form>
    </>
  );
}

/** Goes back to the page that the user came from, or to the students if that was outside of the application. */
function useGoBack() {
  const navigate = useNavigate();
  const { history } = useRouter();
  return () => {
    if (history.canGoBack() || hasPreviousPage()) history.back();
    else void navigate({ to: '/students' });
  };
}

/**
 * The router does not count the pages before a reload. In browsers without the Navigation API, `history.length` counts
 * pages of other sites too.
 */
function hasPreviousPage(): boolean {
  const { navigation }: { navigation?: Navigation } = window;
  return navigation?.canGoBack ?? window.history.length > 1;
}
