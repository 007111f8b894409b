import { SETTING_NAMES } from './environment.ts';

const PREFIX = 'SIMS_';

/** One line for each variable with the prefix of our settings that is none of them: it is probably misspelt. */
export function findUnknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !SETTING_NAMES.includes(name))
    .sort()
    .map((name) => `${name} is not a setting; did you mean ${findNearestSetting(name)}?`);
}

/** Some settings have no prefix, so the name is compared without the prefix too. */
function findNearestSetting(name: string): string {
  const bare = name.slice(PREFIX.length);
  const distance = (known: string) => Math.min(getEditDistance(name, known), getEditDistance(bare, known));
  return SETTING_NAMES.reduce((nearest, known) => (distance(known) < distance(nearest) ? known : nearest));
}

/** Levenshtein distance. */
function getEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, char] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const [replace = 0, remove = 0, insert = 0] = [row[j], row[j + 1], next[j]];
      next.push(Math.min(replace + (char === other ? 0 : 1), remove + 1, insert + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
