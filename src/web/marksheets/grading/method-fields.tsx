import type { MethodParams } from '../../../contract/marksheets/sheets.ts';
import { GRADING_METHODS, type GradingMethod } from '../../../domain/grading/policy.ts';
import { BOUNDARY_LETTERS, GRADING_METHOD_NAMES } from '../../../domain/grading/policy-text.ts';
import { hasTwoDecimals, inHundredths } from '../../../domain/hundredths.ts';
import { boundariesFault } from '../../../domain/marksheets/boundaries.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { schemeRules } from './scheme/scheme.ts';
import type { SchemeEditor } from './scheme/use-scheme.ts';
import { useNumberFields } from './use-number-fields.ts';

const SHORT_NAMES: Record<GradingMethod, string> = {
  absolute: 'Fixed',
  'mean-sd': 'Mean ± SD',
  quantile: 'Shares',
  gap: 'Gaps',
};

export const MethodChoice = ({ editor: { scheme, choose } }: { editor: SchemeEditor }) => (
  <SegmentedControl
    label="Method"
    options={GRADING_METHODS.map((value) => ({ value, label: SHORT_NAMES[value] }))}
    value={scheme.method}
    onChange={(method) => choose({ method })}
  />
);

/** The numbers of a method: their name, how they are shown, and what is wrong with some. */
const NUMBERS: Record<
  GradingMethod,
  {
    param: keyof MethodParams;
    legend: string;
    scale: number;
    fault: (values: number[]) => string | undefined;
  }
> = {
  absolute: {
    param: 'boundaries',
    legend: 'Lowest total of each letter',
    scale: 1,
    fault: boundariesFault,
  },
  'mean-sd': { param: 'k', legend: 'Standard deviations from the mean', scale: 1, fault: deviationsFault },
  quantile: {
    param: 'quotas',
    legend: 'Share of the class for each letter, in %',
    scale: 100,
    fault: sharesFault,
  },
  gap: {
    param: 'k',
    legend: 'Standard deviations from the mean, before a gap is looked for',
    scale: 1,
    fault: deviationsFault,
  },
};

function deviationsFault(values: number[]): string | undefined {
  if (!values.every((one) => Math.abs(one) <= 5 && hasTwoDecimals(one))) {
    return 'must be −5 to 5 with at most two decimals.';
  }
  return values.every((one, i) => i === 0 || one < (values[i - 1] ?? 0))
    ? undefined
    : 'must fall from A to D.';
}

function sharesFault(values: number[]): string | undefined {
  if (!values.every((one) => one >= 0 && one <= 1 && hasTwoDecimals(one)))
    return 'must be whole numbers of 0 to 100.';
  const sum = values.reduce((all, one) => all + inHundredths(one), 0);
  return sum <= 100 ? undefined : `must not come to more than 100 in all; these make ${sum}.`;
}

/** The parameters of the method and the step of the boundaries. Each valid change proposes boundaries at once. */
export function MethodFields({ editor }: { editor: SchemeEditor }) {
  const { scheme, rules, choose } = editor;
  const { param, legend, scale, fault } = NUMBERS[scheme.method];
  const own = schemeRules(scheme, rules);
  const stored = { boundaries: own.absolute_boundaries, k: own.k, quotas: own.quotas }[param];
  const isOwn = scheme.params[param] !== undefined;
  return (
    <details className="grading-rules">
      <summary className="min-h-6 cursor-pointer text-label">
        <span className="font-[560]">{GRADING_METHOD_NAMES[scheme.method]}</span>
        <span className="text-fg-3">
          {`, steps of ${scheme.step}, ${isOwn ? 'with numbers of this sheet' : 'as the policy has it'}`}
        </span>
      </summary>
      <div className="mt-3 grid gap-4">
        <NumberRow
          // Typed texts are of one method.
          key={scheme.method}
          legend={legend}
          values={stored.map((one) => Number((one * scale).toFixed(2)))}
          fault={(values) => fault(values.map((one) => Number((one / scale).toFixed(4))))}
          onChange={(values) =>
            choose({
              params: { ...scheme.params, [param]: values.map((one) => Number((one / scale).toFixed(4))) },
            })
          }
        />
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <StepField step={scheme.step} onChange={(step) => choose({ step })} />
          {isOwn && (
            <Button
              size="sm"
              onClick={() => {
                const { [param]: _, ...params } = scheme.params;
                choose({ params });
              }}
            >
              Use the numbers of the policy
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}

interface NumberRowProps {
  legend: string;
  values: readonly number[];
  fault: (values: readonly number[]) => string | undefined;
  onChange: (values: readonly number[]) => void;
}

/** Seven numbers for the letters A to D, taken when a field is left or Enter is pressed. */
function NumberRow({ legend, values, fault: getFault, onChange }: NumberRowProps) {
  const { fields, fault } = useNumberFields(values.map(String), (numbers) => {
    const wrong = numbers.some(Number.isNaN) ? 'must be seven numbers.' : getFault(numbers);
    if (wrong === undefined && numbers.join() !== values.join()) onChange(numbers);
    return wrong;
  });
  return (
    <fieldset aria-describedby={fault && 'grading-numbers-error'}>
      <legend className="mb-1.25 font-[540] text-label">{legend}</legend>
      <div className="grading-numbers">
        {BOUNDARY_LETTERS.map((letter, i) => (
          <label key={letter} className="grid gap-1 text-caption text-fg-2">
            {letter}
            <input {...fields[i]} className="control" aria-invalid={fault === undefined ? undefined : true} />
          </label>
        ))}
      </div>
      {fault && <FieldError id="grading-numbers-error">{`The numbers ${fault}`}</FieldError>}
    </fieldset>
  );
}

function StepField({ step, onChange }: { step: number; onChange: (step: number) => void }) {
  const { fields, fault } = useNumberFields([String(step)], ([value = Number.NaN]) => {
    const isValid = value >= 0.01 && value <= 5 && hasTwoDecimals(value);
    if (isValid && value !== step) onChange(value);
    return isValid ? undefined : 'The step must be 0.01 to 5 with at most two decimals.';
  });
  return (
    <label className="grid gap-1.25 font-[540] text-label">
      Step of the boundaries, in marks
      <input
        {...fields[0]}
        className="control max-w-28"
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault && 'grading-step-error'}
      />
      {fault && <FieldError id="grading-step-error">{fault}</FieldError>}
    </label>
  );
}
