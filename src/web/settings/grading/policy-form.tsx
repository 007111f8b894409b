import type { ReactNode } from 'react';
import type { Batches, Policy } from '../../../contract/grading/policies.ts';
import {
  ATTENDANCE_EFFECTS,
  GRADING_METHODS,
  type PolicyRules,
  REPEAT_POLICIES,
} from '../../../domain/grading/policy.ts';
import {
  ATTENDANCE_EFFECT_NAMES,
  BOUNDARY_LETTERS,
  GRADING_METHOD_NAMES,
  REPEAT_POLICY_NAMES,
  RULE_LABELS,
  ruleText,
} from '../../../domain/grading/policy-text.ts';
import { Form } from '../../forms/form.tsx';
import { FormFooter, FormSection } from '../../forms/form-layout.tsx';
import { type DraftForm, fieldProps } from '../../forms/use-draft-form.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { beginInFirstField } from '../../lib/navigation/first-field.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { FieldError, fieldId } from '../../ui/fields/field.tsx';
import { NumberField, SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { changeBasis, findBasis, isRuleChanged, type PolicyField, toDegrees } from './policy-values.ts';
import { RULE_GROUPS } from './rule-groups.ts';

interface PolicyFormProps {
  form: DraftForm<PolicyField>;
  policies: readonly Policy[];
  batches: Batches;
  isProcessing: boolean;
  onPreview: () => unknown;
}

export function PolicyForm({ form, policies, batches, isProcessing, onPreview }: PolicyFormProps) {
  const basis = findBasis(policies, toDegrees(form.values));
  return (
    <Form ref={beginInFirstField} onSubmit={onPreview}>
      <FormSection title="Policy" text="Who the rules are for. They hold in place of those of lower numbers.">
        <TextField {...fieldProps(form, 'name')} label="Name" required />
        <BatchFields form={form} policies={policies} batches={batches} />
        {basis && (
          <p className="text-fg-3 text-label">
            The rules below start from policy {basis.policy_id}, {basis.name}.
          </p>
        )}
      </FormSection>
      {RULE_GROUPS.map(({ title, text, rules }) => (
        <FormSection key={title} title={title} text={text}>
          {rules.map((rule) => (
            <RuleField key={rule} form={form} rule={rule} basis={basis} />
          ))}
        </FormSection>
      ))}
      <FormFooter>
        <ButtonLink to="/settings/grading" variant="quiet" onClick={form.discardDraft}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" processing={isProcessing}>
          Preview the effect
        </Button>
      </FormFooter>
    </Form>
  );
}

type BatchFieldsProps = Pick<PolicyFormProps, 'form' | 'policies' | 'batches'>;

/** All batches, or some of those that have students. */
function BatchFields({ form, policies, batches }: BatchFieldsProps) {
  const id = fieldId('degrees');
  const error = form.errors.degrees;
  const chosen = toDegrees({ ...form.values, scope: 'some' }) ?? [];
  const choose = (change: Partial<Record<'scope' | 'degrees', string>>) => {
    const [from, to] = [form.values, { ...form.values, ...change }].map((values) =>
      findBasis(policies, toDegrees(values)),
    );
    form.setValues({ ...(from && to && changeBasis(form.values, from, to)), ...change });
  };
  // Students may have left a batch since it was chosen.
  const gone = chosen.filter((degree) => !batches.some((batch) => batch.degree === degree));
  const options = [...batches, ...gone.map((degree) => ({ degree, students: 0 }))];
  const setBatch = (changed: string, isChosen: boolean) => {
    const degrees = options.map(({ degree }) => degree);
    const isKept = (degree: string) => (degree === changed ? isChosen : chosen.includes(degree));
    choose({ degrees: JSON.stringify(degrees.filter(isKept)) });
  };
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="min-w-0"
    >
      <legend className="pb-0.5 font-[540] text-label">Batches</legend>
      <div className="flex flex-wrap gap-x-5">
        {(['all', 'some'] as const).map((scope) => (
          <label key={scope} className={CHOICE}>
            <input
              type="radio"
              name="scope"
              className="tick"
              checked={form.values.scope === scope}
              onChange={() => choose({ scope })}
            />
            {scope === 'all' ? 'All batches, also those to come' : 'Some batches'}
          </label>
        ))}
      </div>
      {form.values.scope === 'some' && options.length === 0 && (
        <p className="text-fg-3 text-label">There is no student yet, so there is no batch to choose.</p>
      )}
      {form.values.scope === 'some' && options.length > 0 && (
        <div className="mt-1 grid max-h-72 grid-cols-[repeat(auto-fill,minmax(min(100%,180px),1fr))] gap-x-5 overflow-y-auto rounded-control border border-line px-3 py-1">
          {options.map(({ degree, students }) => (
            <CheckBox
              key={degree}
              isChecked={chosen.includes(degree)}
              onChange={(isChecked) => setBatch(degree, isChecked)}
            >
              {degree} <span className="text-fg-3 text-label">{formatStudentCount(students)}</span>
            </CheckBox>
          ))}
        </div>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

const CHOICE = 'flex min-h-8 cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11';

interface RuleFieldProps {
  form: DraftForm<PolicyField>;
  rule: keyof PolicyRules;
  /** The policy that is in force. */
  basis: Policy | undefined;
}

const REPEAT_OPTIONS = REPEAT_POLICIES.map((value) => ({ value, label: REPEAT_POLICY_NAMES[value] }));
const METHOD_OPTIONS = GRADING_METHODS.map((value) => ({ value, label: GRADING_METHOD_NAMES[value] }));
const EFFECT_OPTIONS = ATTENDANCE_EFFECTS.map((value) => ({ value, label: ATTENDANCE_EFFECT_NAMES[value] }));
const LETTER_OPTIONS = BOUNDARY_LETTERS.map((value) => ({ value, label: value }));
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

const HINTS: Partial<Record<keyof PolicyRules, string>> = {
  warning_sgpa: 'Below it a semester ends with a warning.',
  probation_cgpa: 'Below it a student is on probation, from the second semester on.',
  review_probations: 'In a row.',
  absolute_boundaries: 'For the method of fixed boundaries.',
  k: 'Where each letter begins, for mean and standard deviation and for gaps.',
  quotas: 'From 0 to 1, in all at most 1, for the shares of the class.',
  pass_floor: 'Empty for off.',
  pass_guarantee: 'Empty for off.',
  a_guarantee: 'Empty for off.',
  relative_min: 'Students. Smaller classes get the fixed boundaries.',
  relative_full: 'Students. Smaller classes are graded relatively for a written reason only.',
  max_a_share: 'From 0 to 1. More asks for a written reason.',
  max_f_share: 'From 0 to 1. More asks for a written reason.',
  boundary_step: 'Boundaries are rounded to a multiple of this mark.',
  attendance_min: 'Compared with two decimals: 74.99 is below 75.',
  attendance_separate: 'If not, the sum of both is judged.',
  attendance_effect: 'Proposed for a short row, never set by itself.',
  load_max: 'More credit hours in one term ask for a reason.',
  load_probation: 'Also under review.',
  improve_below: 'A course passed with this grade or a better one.',
  sheets_only: 'Grades entered or imported otherwise need an administrator, with a reason.',
};

/** The largest numbers, and the steps of those with decimals. */
const RANGES: Partial<Record<keyof PolicyRules, { min: number; max: number; step?: number }>> = {
  warning_sgpa: { min: 0, max: 4, step: 0.01 },
  probation_cgpa: { min: 0, max: 4, step: 0.01 },
  review_fails: { min: 1, max: 80 },
  review_first_fails: { min: 1, max: 10 },
  review_probations: { min: 1, max: 8 },
  deans_list_sgpa: { min: 0, max: 4, step: 0.01 },
  degree_credits: { min: 1, max: 480 },
  degree_cgpa: { min: 0, max: 4, step: 0.01 },
  absolute_boundaries: { min: 0, max: 100, step: 0.01 },
  k: { min: -5, max: 5, step: 0.01 },
  quotas: { min: 0, max: 1, step: 0.01 },
  pass_floor: { min: 0, max: 100, step: 0.01 },
  pass_guarantee: { min: 0, max: 100, step: 0.01 },
  a_guarantee: { min: 0, max: 100, step: 0.01 },
  relative_min: { min: 2, max: 10_000 },
  relative_full: { min: 2, max: 10_000 },
  max_a_share: { min: 0, max: 1, step: 0.01 },
  max_f_share: { min: 0, max: 1, step: 0.01 },
  boundary_step: { min: 0.01, max: 5, step: 0.01 },
  attendance_min: { min: 0, max: 100, step: 0.01 },
  recheck_days: { min: 0, max: 365 },
  load_max: { min: 1, max: 60 },
  load_good: { min: 1, max: 60 },
  load_good_cgpa: { min: 0, max: 4, step: 0.01 },
  load_probation: { min: 1, max: 60 },
  load_summer: { min: 1, max: 60 },
};

function RuleField(field: RuleFieldProps) {
  const { form, rule } = field;
  const props = { ...fieldProps(form, `rules.${rule}`), label: RULE_LABELS[rule] };
  const hint = ruleHint(field);
  const half = 'xs:col-span-6';
  switch (rule) {
    case 'repeat_policy':
      return <SelectField {...props} hint={hint} options={REPEAT_OPTIONS} />;
    case 'grading_method':
      return <SelectField {...props} hint={hint} options={METHOD_OPTIONS} />;
    case 'improve_below':
      return <SelectField {...props} hint={hint} options={LETTER_OPTIONS} className={half} />;
    case 'attendance_effect':
      return <SelectField {...props} hint={hint} options={EFFECT_OPTIONS} className={half} />;
    case 'attendance_separate':
    case 'four_eyes':
    case 'sheets_only':
      return <SelectField {...props} hint={hint} options={YES_OR_NO} className={half} />;
    case 'absolute_boundaries':
    case 'k':
    case 'quotas':
      return <LetterFields {...props} hint={hint} {...RANGES[rule]} />;
    default:
      return <NumberField {...props} hint={hint} {...RANGES[rule]} className={half} />;
  }
}

/** The meaning of the number, and that of the policy in force where the form differs. */
function ruleHint({ form, rule, basis }: RuleFieldProps): ReactNode {
  const isChanged = basis !== undefined && isRuleChanged(form.values, rule, basis.rules);
  if (!isChanged) return HINTS[rule];
  return (
    <>
      {HINTS[rule]} <span className="text-warn">Was: {ruleText(rule, basis.rules)}.</span>
    </>
  );
}

interface LetterFieldsProps {
  name: string;
  label: string;
  /** Seven numbers with spaces between them. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  hint: ReactNode;
  min?: number;
  max?: number;
  step?: number;
}

/** A number for each of the letters A to D. */
function LetterFields({ name, label, value, onChange, error, hint, ...range }: LetterFieldsProps) {
  const id = fieldId(name);
  const numbers = value.split(' ');
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`}
      className="min-w-0"
    >
      <legend className="mb-1.25 font-[540] text-label">{label}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(76px,1fr))] gap-2">
        {BOUNDARY_LETTERS.map((letter, place) => (
          <NumberField
            key={letter}
            label={letter}
            name={`${name}-${letter}`}
            value={numbers[place] ?? ''}
            onChange={(number) =>
              onChange(BOUNDARY_LETTERS.map((_, i) => (i === place ? number : (numbers[i] ?? ''))).join(' '))
            }
            error={error === undefined ? undefined : ''}
            {...range}
          />
        ))}
      </div>
      <p id={`${id}-hint`} className="mt-1.25 text-fg-3 text-label">
        {hint}
      </p>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
