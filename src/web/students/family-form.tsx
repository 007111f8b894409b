import type { ReactNode } from 'react';
import { type DraftForm, formField } from '../forms/form-field.ts';
import { FormMessages } from '../forms/form-messages.tsx';
import type { Stale } from '../forms/use-stale-edit.ts';
import { Button } from '../ui/button.tsx';
import { NumberField, TextAreaField, TextField } from '../ui/fields.tsx';
import { FormFoot, FormSection } from '../ui/form-parts.tsx';
import { FAMILY_LABELS as LABELS } from './family-labels.ts';
import type { FamilyValues } from './family-values.ts';

interface FamilyFormProps {
  form: DraftForm<keyof FamilyValues>;
  /** What the form holds without a draft. */
  initial: FamilyValues;
  /** What somebody else has saved meanwhile. */
  stale?: Stale<keyof FamilyValues> | null;
  submitLabel: string;
  /** Runs the save and throws what the server refuses. */
  onSave: () => Promise<void>;
  /** The way out beside the button that saves. */
  back: ReactNode;
}

const half = 'xs:col-span-6';

/** Family and contact details: the second step of a new entry, and their editing. */
export function FamilyForm({ form, initial, stale, submitLabel, onSave, back }: FamilyFormProps) {
  return (
    <>
      <FormMessages form={form} labels={LABELS} initial={initial} stale={stale} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit(onSave);
        }}
      >
        <FormSection title="Family Details" text="Parents and siblings.">
          <TextField
            {...formField(form, 'father_name')}
            label={LABELS.father_name}
            required
            className={half}
          />
          <TextField
            {...formField(form, 'father_occupation')}
            label={LABELS.father_occupation}
            required
            className={half}
          />
          <TextField {...formField(form, 'mother_name')} label={LABELS.mother_name} className={half} />
          <TextField
            {...formField(form, 'mother_occupation')}
            label={LABELS.mother_occupation}
            className={half}
          />
          <NumberField
            {...formField(form, 'number_siblings')}
            label={LABELS.number_siblings}
            min={0}
            step={1}
            className="xs:col-span-4"
          />
        </FormSection>
        <FormSection title="Contact Details" text="How to reach the family.">
          <TextField
            {...formField(form, 'father_phone')}
            type="tel"
            label={LABELS.father_phone}
            className={half}
          />
          <TextField
            {...formField(form, 'mother_phone')}
            type="tel"
            label={LABELS.mother_phone}
            className={half}
          />
          <TextField
            {...formField(form, 'home_phone')}
            type="tel"
            label={LABELS.home_phone}
            className={half}
          />
          <TextAreaField {...formField(form, 'address')} label={LABELS.address} rows={3} />
        </FormSection>
        <FormFoot>
          {back}
          <Button type="submit" variant="primary" processing={form.isProcessing}>
            {submitLabel}
          </Button>
        </FormFoot>
      </form>
    </>
  );
}
