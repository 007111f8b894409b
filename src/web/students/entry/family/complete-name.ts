/**
 * The name of a parent with the last name of the student, as the rest of what is typed: `Imran` or `Imran Si` of a `Siddiqui` →
 * `Imran Siddiqui`. Undefined where nothing is left to complete.
 */
export function completeName(typed: string, lastName: string): string | undefined {
  const words = typed.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  if (last === '' || lastName === '') return undefined;
  const lower = (text: string) => text.toLocaleLowerCase();
  const isBegun = words.length > 1 && lower(lastName).startsWith(lower(last));
  const completed = [...(isBegun ? words.slice(0, -1) : words), lastName].join(' ');
  return lower(typed).trim().endsWith(lower(lastName)) ? undefined : completed;
}
