import type { LatestChange } from '../../contract/errors.ts';

/**
 * Unsaved form values, in session storage by user and form: a failed save, a reload or an expired session loses
 * nothing, and no user sees another user's drafts. `at` is when it was written: see {@link discardOldDrafts}.
 */
const PREFIX = 'DRAFT:';

function storageKey(form: string): string {
  return `${PREFIX}${sessionStorage.getItem('CURRENT-USER-ID') ?? ''}:${form}`;
}

type Texts = Readonly<Record<string, string>>;

export interface Draft {
  values: Texts;
  /** The stored value of each field when the edit began. */
  base: Texts;
  /** The user who has entered the record meanwhile, see {@link transferDraft}. */
  entered?: Partial<LatestChange> | undefined;
}

/**
 * A stored draft; null without one or if it is malformed.
 *
 * @param isReadable whether the form can show these values; a draft that it can't show is discarded
 */
export function readDraft(form: string, isReadable = (_values: Texts) => true): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey(form)) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const texts = (name: string) => readTexts(Reflect.get(stored, name));
    const draft = { values: texts('values'), base: texts('base'), entered: texts('entered') };
    if (isReadable(draft.values)) return draft;
    discardDraft(form);
    return null;
  } catch {
    return null;
  }
}

function readTexts(stored: unknown): Record<string, string> {
  const texts = Object.entries(stored ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

export function writeDraft(form: string, draft: Draft): void {
  try {
    sessionStorage.setItem(storageKey(form), JSON.stringify({ ...draft, at: Date.now() }));
  } catch {
    // The storage is full: the values then last only as long as the page.
  }
}

/** Gives a draft to another form, which it belongs to from now on. */
export function moveDraft(form: string, toForm: string): void {
  const draft = readDraft(form);
  if (draft === null) return;
  writeDraft(toForm, draft);
  discardDraft(form);
}

/**
 * Turns the draft of a create form into one of the edit form, when another user has created the record first. Its
 * empty version means to the edit form that the user has not seen the stored values. Fields left empty are not
 * transferred, so they keep the stored values.
 *
 * @param getPart the group of a field; fields of one group are transferred together or not at all
 */
export function transferDraft(
  editForm: string,
  typed: Texts,
  entered: LatestChange,
  getPart: (name: string) => string = (name) => name,
): void {
  const fields = Object.entries(typed);
  const parts = new Set(fields.filter(([, text]) => text.trim() !== '').map(([name]) => getPart(name)));
  const transferred = fields.filter(([name]) => parts.has(getPart(name)));
  writeDraft(editForm, {
    values: { ...Object.fromEntries(transferred), version: '' },
    base: Object.fromEntries(transferred.map(([name]) => [name, ''])),
    entered,
  });
}

const STUDENT_FORMS = [
  'student-edit',
  'student-value',
  'family-create',
  'family-edit',
  'academics-create',
  'academics-edit',
];

/** Matches no version of a record, so that a save is compared with what is stored. */
const NO_VERSION = '"none"';

/** After a change of a student's registration number: the drafts follow it. The versions of the record start anew. */
export function moveStudentDrafts(id: string, newId: string): void {
  const prefix = storageKey('');
  const renumber = (texts: Texts) => (texts.id === id ? { ...texts, id: newId } : texts);
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  for (const form of keys.map((key) => key.slice(prefix.length))) {
    const [name = '', ownerId, ...part] = form.split(':');
    const draft = ownerId === id && STUDENT_FORMS.includes(name) ? readDraft(form) : null;
    if (draft === null) continue;
    const values = renumber(draft.values.version ? { ...draft.values, version: NO_VERSION } : draft.values);
    writeDraft([name, newId, ...part].join(':'), { ...draft, values, base: renumber(draft.base) });
    discardDraft(form);
  }
}

export function discardDraft(form: string): void {
  sessionStorage.removeItem(storageKey(form));
}

/** Discards the drafts of a user. Marks of mark sheets are in local storage, since they outlive the window. */
export function discardUserDrafts(userId: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    for (const key of Object.keys(storage)) {
      if (key.startsWith(`${PREFIX}${userId}:`)) storage.removeItem(key);
    }
  }
}

const MAX_AGE_MS = 24 * 60 * 60_000;

/**
 * Removes what was typed more than 24 hours ago, whoever's it is. What has no time, or one that is yet to come, gets the present
 * one.
 */
export function discardOldDrafts(): void {
  const now = Date.now();
  for (const storage of [sessionStorage, localStorage]) {
    for (const key of Object.keys(storage).filter((key) => key.startsWith(PREFIX))) {
      const stored = parseDraft(storage.getItem(key));
      const age = now - Number(stored.at);
      if (age > MAX_AGE_MS) storage.removeItem(key);
      if (age >= 0) continue;
      try {
        storage.setItem(key, JSON.stringify({ ...stored, at: now }));
      } catch {
        // The storage is full: the next start tries again.
      }
    }
  }
}

function parseDraft(text: string | null): { at?: unknown } {
  try {
    return Object(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

/** What is typed into mark sheets and kept in this browser until it is stored. */
export type UnsentKind = 'sheet' | 'attendance';
const UNSENT_KINDS = ['sheet', 'attendance'] as const satisfies readonly UnsentKind[];

/** Marks and attendance that the signed-in user has typed in this browser and that are not saved: one entry each. */
export function countUnsentMarks(): number {
  const prefix = storageKey('');
  return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).length;
}

/** The same by the number of the mark sheet. */
export function countUnsentBySheet(): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const prefix of UNSENT_KINDS.map((kind) => storageKey(`${kind}:`))) {
    for (const key of Object.keys(localStorage)) {
      const id = key.startsWith(prefix) ? Number.parseInt(key.slice(prefix.length), 10) : Number.NaN;
      if (!Number.isNaN(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

/** Whether the signed-in user has a draft with any text; forms with only passwords store empty drafts. */
export function hasDrafts(): boolean {
  if (countUnsentMarks() > 0) return true;
  const prefix = storageKey('');
  return Object.keys(sessionStorage).some((key) => {
    const draft = key.startsWith(prefix) ? readDraft(key.slice(prefix.length)) : null;
    return draft !== null && Object.values(draft.values).some((text) => text !== '');
  });
}
