/** Tops of an axis whose four steps are whole numbers. */
const TOPS = [4, 8, 12, 16, 20, 24, 32, 40, 48, 60, 80, 100];

/** The end of a count axis: the next of 4, 8, 12, 16, 20, 24, 32, 40, 48, 60, 80, 100, 120, 160, 200 … */
export function axisTop(greatest: number): number {
  for (let scale = 1; ; scale *= 10) {
    const top = TOPS.find((value) => value * scale >= greatest && (scale === 1 || value > 8));
    if (top !== undefined) return top * scale;
  }
}

/** The five labels of an axis, from its top down to 0. */
export function axisSteps(top: number): number[] {
  return [4, 3, 2, 1, 0].map((quarter) => (top * quarter) / 4);
}

export interface Count {
  bin: number;
  count: number;
}

export function total(bins: readonly Count[]): number {
  return bins.reduce((sum, { count }) => sum + count, 0);
}

/** Whole per cent of all; 0 of nothing is 0. */
export function share(count: number, all: number): number {
  return all === 0 ? 0 : Math.round((count / all) * 100);
}
