import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CGPA_BINS, cgpaBins, medianTenth, tenthRange } from './cgpa-bins.ts';

/** Counts per tenth, as stored, of CGPAs in hundredths. */
function toTenths(cgpas: readonly number[]): Map<number, number> {
  const tenths = new Map<number, number>();
  for (const cgpa of cgpas) {
    const tenth = Math.floor(cgpa / 10);
    tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
  }
  return tenths;
}

const cgpas = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 50 });

describe('cgpaBins', () => {
  it('has bins of two tenths, with 4.00 in the last', () => {
    const bins = cgpaBins(toTenths([0, 19, 20, 279, 280, 379, 380, 399, 400]));
    expect(bins).toHaveLength(CGPA_BINS);
    expect(Object.entries(bins).filter(([, students]) => students > 0)).toEqual([
      ...[['0', 2] as const, ['1', 1] as const, ['13', 1] as const, ['14', 1] as const],
      ...[['18', 1] as const, ['19', 3] as const],
    ]);
  });

  it('puts every student in one bin', () => {
    fc.assert(
      fc.property(cgpas, (all) => {
        expect(cgpaBins(toTenths(all)).reduce((sum, students) => sum + students, 0)).toBe(all.length);
      }),
    );
  });
});

describe('medianTenth', () => {
  it('returns the tenth of the middle student, the lower of two', () => {
    expect(medianTenth(toTenths([100, 250, 251, 260, 390]))).toBe(25);
    expect(medianTenth(toTenths([100, 300]))).toBe(10);
    expect(medianTenth(new Map([[12, 0]]))).toBeNull();
    expect(medianTenth(new Map())).toBeNull();
  });

  it('contains the lower median of any CGPAs', () => {
    fc.assert(
      fc.property(cgpas, (all) => {
        const inOrder = all.toSorted((a, b) => a - b);
        const median = inOrder[Math.ceil(all.length / 2) - 1] ?? 0;
        expect(medianTenth(toTenths(all))).toBe(Math.floor(median / 10));
      }),
    );
  });
});

describe('tenthRange', () => {
  it('returns the first and last hundredth of a tenth, and only 4.00 for the last', () => {
    expect(tenthRange(27)).toEqual({ from: 2.7, to: 2.79 });
    expect(tenthRange(40)).toEqual({ from: 4, to: 4 });
  });
});
