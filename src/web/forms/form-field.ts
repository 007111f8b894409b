import type { useDraftForm } from './use-draft-form.ts';

export type DraftForm<Name extends string> = ReturnType<typeof useDraftForm<Name>>;

/** What joins an input to its value in the form. */
export function formField<Name extends string>(form: DraftForm<Name>, name: Name) {
  return {
    name,
    value: form.values[name],
    onChange: (value: string) => form.setValue(name, value),
    error: form.errors[name],
  };
}
