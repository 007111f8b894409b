/**
 * Unsaved form values, in session storage by user and form: a failed save, a reload or an expired session loses
 * nothing, and no user sees another user's drafts.
 */
const PREFIX = 'DRAFT:';

function storageKey(form: string): string {
  return `${PREFIX}${sessionStorage.getItem('CURRENT-USER-ID') ?? ''}:${form}`;
}

/** The texts of a stored draft; null without one or if it is malformed. */
export function readDraft(form: string): Record<string, string> | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(form)) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const texts = Object.entries(stored).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return Object.fromEntries(texts);
  } catch {
    return null;
  }
}

export function writeDraft(form: string, values: Readonly<Record<string, string>>): void {
  try {
    sessionStorage.setItem(storageKey(form), JSON.stringify(values));
  } catch {
    // The storage is full: the values then last only as long as the page.
  }
}

/**
 * Turns the draft of a create form into one of the edit form, when another user has created the record first. Its
 * empty version means to the edit form that the user has not seen the stored values. Fields left empty are not
 * transferred, so they keep the stored values.
 *
 * @param partOf the group of a field; fields of one group are transferred together or not at all
 */
export function transferDraft(
  editForm: string,
  typed: Readonly<Record<string, string>>,
  partOf: (name: string) => string = (name) => name,
): void {
  const fields = Object.entries(typed);
  const parts = new Set(fields.filter(([, text]) => text.trim() !== '').map(([name]) => partOf(name)));
  writeDraft(editForm, {
    ...Object.fromEntries(fields.filter(([name]) => parts.has(partOf(name)))),
    version: '',
  });
}

export function discardDraft(form: string): void {
  sessionStorage.removeItem(storageKey(form));
}

export function discardUserDrafts(userId: string): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(`${PREFIX}${userId}:`)) sessionStorage.removeItem(key);
  }
}

/** Whether the signed-in user has a draft with any text; forms with only passwords store empty drafts. */
export function hasDrafts(): boolean {
  const prefix = storageKey('');
  return Object.keys(sessionStorage).some((key) => {
    const draft = key.startsWith(prefix) ? readDraft(key.slice(prefix.length)) : null;
    return draft !== null && Object.values(draft).some((text) => text !== '');
  });
}
