import { EMPTY_STUDENT, type StudentValues } from './student-values.ts';

/** Students of one class are entered one after the other: what the next one most likely has in common with the last. */
const SHARED = ['joining_date', 'department', 'degree', 'current_sem', 'fsc_year', 'matric_year'] as const;

/** In session storage until the session ends; nothing in it is about a person. */
const KEY = 'LAST-ENTRY';

export function storeLastEntry(values: StudentValues): void {
  const shared = Object.fromEntries(SHARED.map((name) => [name, values[name].trim()]));
  sessionStorage.setItem(KEY, JSON.stringify(shared));
}

/** The values that a new entry begins with. */
export function newEntryValues(): StudentValues {
  const values = { ...EMPTY_STUDENT };
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    for (const name of SHARED) {
      const text: unknown = Object(stored)[name];
      if (typeof text === 'string') values[name] = text;
    }
  } catch {
    // Not ours: the form is empty.
  }
  return values;
}
