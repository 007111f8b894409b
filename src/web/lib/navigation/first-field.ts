const FIELD = ':is(input:not([type="hidden"], [type="file"]), select, textarea):enabled';

/** The field in which an entry begins; of radio buttons the chosen one, as with Tab. */
export function findFirstField(within: Element): HTMLElement | null {
  const first = within.querySelector<HTMLInputElement>(FIELD);
  const chosen =
    first?.type === 'radio' ? within.querySelector<HTMLInputElement>('[type="radio"]:checked') : null;
  return chosen ?? first;
}

/** The `ref` of the form of a page for entry, which begins in its first field that can be changed. */
export function beginInFirstField(form: HTMLFormElement | null): void {
  if (form) beginEntry(form, () => form.querySelector<HTMLElement>(`${FIELD}:not([readonly])`)?.focus());
}

/** Runs `focus` once no dialog, such as that of loading, keeps the focus, unless somebody types on the page by then. */
export function beginEntry(form: HTMLFormElement, focus: () => void): void {
  if (document.querySelector('dialog:modal') !== null)
    document.addEventListener('close', () => beginEntry(form, focus), { capture: true, once: true });
  else if (form.isConnected && !document.activeElement?.matches('#main :is(input, select, textarea)'))
    focus();
}
