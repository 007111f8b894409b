import { EMPTY_STUDENT, type StudentValues } from './student-values.ts';

/** Students of one class are entered one after the other: what the next one most likely has in common with the last. */
const SHARED = [
  'joining_date',
  'department',
  'syn',
  'degree',
  'current_sem',
  'fsc_year',
  'matric_year',
] as const;

/** In session storage until the session ends. */
const KEY = 'LAST-ENTRY';

export function storeLastEntry(values: StudentValues): void {
  const shared = Object.fromEntries(SHARED.map((name) => [name, values[name].trim()]));
  sessionStorage.setItem(KEY, JSON.stringify({ ...shared, id: nextNumber(values.id.trim()) }));
}

/** The values that a new entry begins with. */
export function newEntryValues(): StudentValues {
  const values = { ...EMPTY_STUDENT };
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    for (const name of [...SHARED, 'id'] as const) {
      const text: unknown = Object(stored)[name];
      if (typeof text === 'string') values[name] = text;
    }
  } catch {
    // Not ours: the form is empty.
  }
  return values;
}

/** The registration number after this one, which numbers a class in a row: `2026-CE-009` → `2026-CE-010`. Empty without a number at the end. */
export function nextNumber(id: string): string {
  const [digits] = /\d+$/.exec(id) ?? [];
  if (digits === undefined) return '';
  const next = String(BigInt(digits) + 1n).padStart(digits.length, '0');
  return id.slice(0, -digits.length) + next;
}
