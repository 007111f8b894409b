import type { KeyboardEvent } from 'react';

/**
 * Enter in a field of one line leads to the next field that is required and empty. If there is none after it, Enter sends the form as
 * it does everywhere.
 */
export function moveOnAtEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, target, currentTarget: form, nativeEvent } = event;
  if (key !== 'Enter' || ctrlKey || metaKey || nativeEvent.isComposing || event.defaultPrevented) return;
  if (!(target instanceof HTMLInputElement)) return;
  const fields = [...form.querySelectorAll<HTMLInputElement>(':is(input, select, textarea)')];
  const next = fields
    .slice(fields.indexOf(target) + 1)
    .find((field) => field.matches(':required:enabled') && field.value === '' && !field.validity.badInput);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
