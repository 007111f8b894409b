import { Check } from 'lucide-react';

/** The steps of creating a record. */
export const RECORD_STEPS = [
  ['base', 'Base details'],
  ['family', 'Family'],
  ['academics', 'Academics'],
] as const;

interface StepperProps<Step extends string> {
  steps: readonly (readonly [step: Step, name: string])[];
  /** `done` after the last one. */
  current: Step | 'done';
}

/** The progress of a task with several pages. */
export function Stepper<Step extends string>({ steps, current }: StepperProps<Step>) {
  const now = current === 'done' ? steps.length : steps.findIndex(([step]) => step === current);
  return (
    <ol className="steps mt-1.5 flex flex-wrap gap-1.5 text-label max-md:w-full" aria-label="Steps">
      {steps.map(([step, name], index) => {
        const state = index < now ? 'done' : index === now ? 'now' : 'ahead';
        const tone = { done: 'text-fg-2', now: 'font-semibold text-fg', ahead: 'text-fg-3' }[state];
        return (
          <li
            key={step}
            data-step={state}
            aria-current={state === 'now' ? 'step' : undefined}
            className={`flex w-29 flex-col gap-1.75 font-medium max-md:w-auto max-md:flex-1 ${tone}`}
          >
            <span className="flex items-center gap-1.25">
              {name}
              {state === 'done' && (
                <>
                  <Check className="size-3.25 text-ink-text" strokeWidth={2.25} aria-hidden="true" />
                  <span className="sr-only">, done</span>
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
