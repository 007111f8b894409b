/** The last days of a term, in their order. */
export const LAST_DAYS = ['add_until', 'drop_until', 'withdraw_until'] as const;

export type LastDays = Record<(typeof LAST_DAYS)[number], string | null>;

const LABELS = {
  add_until: 'add until',
  drop_until: 'drop until',
  withdraw_until: 'withdraw until',
} as const;

/**
 * What is wrong with the last days of a term, by field: each is on or after the one before it that is set, and all are within
 * the term. Dates are ISO.
 */
export function lastDaysFaults(
  term: LastDays & { starts_on: string; ends_on: string },
): Partial<Record<keyof LastDays, string>> {
  const faults: Partial<Record<keyof LastDays, string>> = {};
  let earliest = { day: term.starts_on, label: 'start' };
  for (const field of LAST_DAYS) {
    const day = term[field];
    if (day === null) continue;
    const label = LABELS[field];
    if (day < earliest.day) faults[field] = `The ${label} must not be before the ${earliest.label}.`;
    else if (day > term.ends_on) faults[field] = `The ${label} must not be after the end.`;
    earliest = { day, label };
  }
  return faults;
}
