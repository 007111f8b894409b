/** Totals that fall between two whole marks. */
export interface TotalBin {
  /** Its lower edge. */
  from: number;
  count: number;
}

/** All bars from the lowest to the highest total, empty ones too. A total of 100 falls in the last bar below it. */
export function binTotals(totals: readonly number[], width: number): TotalBin[] {
  const lowestEdge = (total: number) => Math.floor(Math.min(total, 100 - width) / width) * width;
  const counts = new Map<number, number>();
  for (const total of totals) counts.set(lowestEdge(total), (counts.get(lowestEdge(total)) ?? 0) + 1);
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  if (totals.length === 0) return [];
  return Array.from({ length: (last - first) / width + 1 }, (_, i) => {
    const from = first + i * width;
    return { from, count: counts.get(from) ?? 0 };
  });
}

/** The marks that a plot shows: multiples of 5 around totals and boundaries, at least 20 apart, within 0 to 100. */
export function plotRange(totals: readonly number[], boundaries: readonly number[]): [number, number] {
  const shown = [...totals, ...boundaries].filter((mark) => mark >= 0 && mark <= 100);
  if (shown.length === 0) return [0, 100];
  const from = Math.max(0, Math.floor((Math.min(...shown) - 4) / 5) * 5);
  const to = Math.min(100, Math.ceil((Math.max(...shown) + 4) / 5) * 5);
  return to - from >= 20
    ? [from, to]
    : [Math.max(0, Math.min(from, 80)), Math.min(100, Math.max(to, from + 20))];
}

/**
 * The rows of handles that hang below their boundaries side by side: each in the first row where it has room.
 *
 * @param places in pixels, falling
 */
export function handleRows(places: readonly number[], room: number): number[] {
  const ends: number[] = [];
  return places.map((place) => {
    const free = ends.findIndex((end) => end - place >= room);
    const row = free === -1 ? ends.length : free;
    ends[row] = place;
    return row;
  });
}
