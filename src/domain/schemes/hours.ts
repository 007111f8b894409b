/** Weekly hours of a subject in the lecture room and in the laboratory; each is one credit hour. */
export interface Hours {
  theory: number;
  lab: number;
}

/** Of theory and of lab each, and of both together. */
export const MOST_HOURS = 6;
/** A credit hour in the laboratory is so many hours a week. */
const CONTACT_HOURS_PER_LAB = 3;

/** `3+1`, `3,1`, `3-1`, `3 1`, with any dash and spaces. */
const PAIR = /^(\d)\s*(?:[+,\-‐‑‒–—−]\s*|\s+)(\d)$/u;
/** `3(2+1)`, `4 (3,1)`: the sum, and its parts in brackets. */
const SUM_AND_PAIR = /^(\d)\s*\(([^()]*)\)$/u;

/** The hours as printed schemes write them; undefined for anything else, and where a sum is not that of its parts. */
export function parseHours(text: string): Hours | undefined {
  const [, sum, parts] = SUM_AND_PAIR.exec(text.trim()) ?? [];
  const [, theory, lab] = PAIR.exec((parts ?? text).trim()) ?? [];
  if (theory === undefined || lab === undefined) return undefined;
  const hours = { theory: Number(theory), lab: Number(lab) };
  const isSum = sum === undefined || Number(sum) === countCredits(hours);
  return isSum && Math.max(hours.theory, hours.lab) <= MOST_HOURS ? hours : undefined;
}

export const countCredits = ({ theory, lab }: Hours): number => theory + lab;

export const countContactHours = ({ theory, lab }: Hours): number => theory + CONTACT_HOURS_PER_LAB * lab;
