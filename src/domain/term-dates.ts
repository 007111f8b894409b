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

/** Days after the start, for terms that are opened without last days. */
const DAYS_AFTER_START = { add_until: 13, drop_until: 20, withdraw_until: 41 } as const;

/** The last days of a term with those that are missing: 2, 3 and 6 weeks, in their order and no later than the end. */
export function withLastDays(
  term: LastDays & { starts_on: string; ends_on: string },
): Record<keyof LastDays, string> {
  const start = Date.parse(`${term.starts_on}T00:00:00Z`);
  const filled = { add_until: '', drop_until: '', withdraw_until: '' };
  let earliest = term.starts_on;
  for (const [i, field] of LAST_DAYS.entries()) {
    const later = LAST_DAYS.slice(i + 1).flatMap((next) => term[next] ?? []);
    const latest = [term.ends_on, ...later].toSorted()[0] ?? term.ends_on;
    const usual = new Date(start + DAYS_AFTER_START[field] * 86_400_000).toISOString().slice(0, 10);
    const proposed = usual < earliest ? earliest : usual;
    filled[field] = term[field] ?? (proposed > latest ? latest : proposed);
    earliest = filled[field];
  }
  return filled;
}
