/** Axis ends that divide into four whole steps. */
const TOPS = [4, 8, 12, 16, 20, 24, 32, 40, 48, 60, 80, 100];

/** The end of a count axis: the smallest sufficient one of 4, 8, 12, 16, 20, 24, 32, 40, 48, 60, 80, 100, 120, 160, 200 … */
export function axisMax(greatest: number): number {
  for (let scale = 1; ; scale *= 10) {
    const top = TOPS.find((value) => value * scale >= greatest && (scale === 1 || value > 8));
    if (top !== undefined) return top * scale;
  }
}

/** The five labels of an axis, from its top down to 0. */
export function axisTicks(top: number): number[] {
  return [4, 3, 2, 1, 0].map((quarter) => (top * quarter) / 4);
}

export interface BinCount {
  bin: number;
  count: number;
}

export function totalCount(bins: readonly BinCount[]): number {
  return bins.reduce((sum, { count }) => sum + count, 0);
}

/** A share in whole per cent; 0 if the total is 0. */
export function toPercent(count: number, all: number): number {
  return all === 0 ? 0 : Math.round((count / all) * 100);
}
