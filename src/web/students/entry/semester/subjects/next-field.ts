import { slotFieldNames, slotNumber } from '../../../../../contract/students/subject-slots.ts';

/**
 * Moves the focus on: to the next empty field of a subject, or to the next field if all after it are filled, and to a new subject after the last one. The ID of a
 * subject without a course is empty for good, so it is only the next one from its own title.
 *
 * @param from the field to move on from; null for the first empty one
 */
export function focusNextField(form: HTMLFormElement, from: HTMLInputElement | null): void {
  const fields = [...form.querySelectorAll<HTMLInputElement>('fieldset:enabled input')];
  const after = fields.slice(from === null ? 0 : fields.indexOf(from) + 1);
  const isToFill = ({ name, value, validity }: HTMLInputElement) => {
    if (value.trim() !== '' || validity.badInput) return false;
    const names = slotFieldNames(slotNumber(name) ?? 0);
    return name !== names.id || from?.name === names.title;
  };
  const next = after.find(isToFill) ?? after[0];
  next?.focus();
  next?.select();
  // After the last field of all, typing goes on in another subject.
  if (next === undefined) form.querySelector<HTMLElement>('[data-adds-subject]')?.click();
}

/** Begins an entry: in the first field to fill, and nowhere if no subject can be changed. */
export function focusFirstSubject(form: HTMLFormElement): void {
  if (form.querySelector('fieldset:enabled input') !== null) focusNextField(form, null);
}
