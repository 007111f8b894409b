import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromFraction, toFraction, toHundredths } from './student.ts';

const LEAST = 100_00;
const MOST = 1100_00;

describe('school marks', () => {
  // Covers 3.21
  test('are 0.85 on the wire and 935 on screen for 935 of 1100', () => {
    expect(toHundredths(935)).toBe(93_500);
    expect(toFraction(93_500)).toBe(0.85);
    expect(fromFraction(0.85)).toBe(935);
  });

  // Covers 3.22, 9.4
  test('survive the conversion to a fraction and back, for every hundredth from 100 to 1100', () => {
    const changed: string[] = [];
    for (let hundredths = LEAST; hundredths <= MOST; hundredths += 1) {
      const typed = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
      const stored = toHundredths(Number(typed));
      const fraction = stored === undefined ? Number.NaN : toFraction(stored);
      const overTheWire: unknown = JSON.parse(JSON.stringify(fraction));
      if (stored !== hundredths || fromFraction(Number(overTheWire)).toFixed(2) !== typed)
        changed.push(typed);
    }
    expect(changed).toEqual([]);
  });

  // Covers 9.4
  test.each([99.99, 1100.01, 0, -500, 850.001, 100.005, 1099.999, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %s are refused',
    (marks) => {
      expect(toHundredths(marks)).toBeUndefined();
    },
  );

  test('with more than two decimals are refused, never rounded', () => {
    const finer = fc
      .tuple(fc.integer({ min: LEAST, max: MOST - 1 }), fc.integer({ min: 1, max: 9 }))
      .map(([hundredths, thousandth]) => Number(`${hundredths * 10 + thousandth}e-3`));
    fc.assert(
      fc.property(finer, (marks) => {
        expect(toHundredths(marks)).toBeUndefined();
      }),
    );
  });
});
