import type { CgpaGroup, CgpaSplit } from '../../contract/insights.ts';
import { tenthRange } from '../../domain/cgpa-bins.ts';
import type { Bar } from './bar-plot.tsx';
import { countText, departmentName, pointsText } from './figure-texts.ts';
import { studentsWith } from './students-link.tsx';

export const total = (bins: readonly number[]) => bins.reduce((sum, students) => sum + students, 0);

export function groupName(split: CgpaSplit, value: string): string {
  if (split === 'department') return departmentName(value);
  return split === 'degree' ? `Degree ${value}` : `Syndicate ${value}`;
}

/** Bins of 0.2 grade points as bars, `merged` of them in one; the last one includes 4.00. */
export function cgpaBars(split: CgpaSplit, { value, bins }: CgpaGroup, merged: 1 | 2): Bar[] {
  return bins.flatMap((_, bin) => {
    if (bin % merged !== 0) return [];
    const from = bin / 5;
    const below = (bin + merged) / 5;
    const isLast = bin + merged >= bins.length;
    return {
      label: from.toFixed(1),
      title: `CGPA ${pointsText(from)} to ${pointsText(isLast ? 4 : below - 0.01)}`,
      count: total(bins.slice(bin, bin + merged)),
      of: total(bins),
      filters: studentsWith({
        [split]: value,
        cgpa_from: from.toFixed(2),
        ...(!isLast && { cgpa_below: below.toFixed(2) }),
      }),
    };
  });
}

export function medianText(tenth: number): string {
  const { from, to } = tenthRange(tenth);
  return from === to ? pointsText(from) : `${pointsText(from)} to ${pointsText(to)}`;
}

/** How many groups there are more of, e.g. 'Show all 48 degrees'. */
export const showAllText = (count: number) => `Show all ${countText(count)} degrees`;
