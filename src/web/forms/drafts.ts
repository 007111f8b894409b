/**
 * What was typed and not saved yet, kept in session storage per person and per form, so that a failed save,
 * a reload or an expired session loses nothing, and nobody is shown what another person typed.
 */
const PREFIX = 'DRAFT:';

function storageKey(form: string): string {
  return `${PREFIX}${sessionStorage.getItem('CURRENT-USER-ID') ?? ''}:${form}`;
}

/** The texts of a stored draft; anything else that may stand there is ignored. */
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
    // A full storage must not stop the typing; the draft is then only as good as the page.
  }
}

/**
 * What was typed into a form that creates goes on to the one that edits, because somebody else has created the thing
 * meanwhile. The draft has no version, by which that form knows that it was typed without sight of what is stored.
 * Where nothing was typed, what is stored stands.
 *
 * @param partOf fields with the same answer are handed over together or not at all
 */
export function handOver(
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

export function discardDraftsOf(userId: string): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(`${PREFIX}${userId}:`)) sessionStorage.removeItem(key);
  }
}

/** Whether anything that the signed-in person typed is kept; a form of passwords alone leaves an empty draft. */
export function hasDrafts(): boolean {
  const prefix = storageKey('');
  return Object.keys(sessionStorage).some((key) => {
    const draft = key.startsWith(prefix) ? readDraft(key.slice(prefix.length)) : null;
    return draft !== null && Object.values(draft).some((text) => text !== '');
  });
}
