import { ErrorSummary } from '../ui/error-summary.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { FailureAlert } from './failure-alert.tsx';
import type { DraftForm } from './form-field.ts';
import { StaleNotice } from './stale-notice.tsx';
import type { Stale } from './use-stale-edit.ts';

interface FormMessagesProps<Name extends string> {
  form: DraftForm<Name>;
  labels: Readonly<Record<Name, string>>;
  initial: Readonly<Record<Name, string>>;
  /** What somebody else has saved meanwhile. */
  stale?: Stale<Name> | null | undefined;
}

/** All that can stand above a form: refused fields, a failed save, another person's save, a draft. */
export function FormMessages<Name extends string>({
  form,
  labels,
  initial,
  stale = null,
}: FormMessagesProps<Name>) {
  return (
    <>
      <DraftNotice form={form} initial={initial} />
      <ErrorSummary errors={form.errors} labels={labels} />
      {form.failure !== null && <FailureAlert key={form.failure} text={form.failure} />}
      <StaleNotice form={form} labels={labels} stale={stale} />
    </>
  );
}
