/** Reproducible random numbers: the same seed gives the same sequence. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(min: number, max: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** One of these values, most often the first ones (Zipf's law). */
  pickSkewed<T>(values: readonly [T, ...T[]]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** Normally distributed. */
  normal(mean: number, sd: number): number;
}

/** Flattens the distribution over the first values. Without it, the first of 300 names would be picked for one in eight. */
const FLATTENED_VALUES = 4;

/** Mulberry32: 32 bits of state, plenty for sample data. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
    pickSkewed: (values) =>
      values[Math.floor(FLATTENED_VALUES * ((values.length / FLATTENED_VALUES + 1) ** next() - 1))] ??
      values[0],
    chance: (probability) => next() < probability,
    // Box–Muller; 1 − next() keeps the logarithm finite.
    normal: (mean, sd) => mean + sd * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** A seed from a text, such as a student's ID: random numbers of its own leave those of all other records as they are (FNV-1a). */
export function seedFrom(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
