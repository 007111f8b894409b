import { describe, expect, it } from 'vitest';
import { hasTwoDecimals, isApart } from './hundredths.ts';

describe('numbers with two decimals', () => {
  it('are apart by exactly the limit, whatever their difference is as floats', () => {
    expect(70.1 - 60.1).toBeLessThan(10);
    for (let hundredths = 0; hundredths <= 6000; hundredths += 1) {
      const [low, high] = [hundredths / 100, (hundredths + 1000) / 100];
      expect(isApart(high, low, 10)).toBe(true);
      expect(isApart(low, high, 10)).toBe(true);
      expect(isApart((hundredths + 999) / 100, low, 10)).toBe(false);
    }
  });

  it('have no third decimal', () => {
    expect([0, 4, 3.07, 1.1, 99.99].every(hasTwoDecimals)).toBe(true);
    expect([0.001, 3.075, 99.999].some(hasTwoDecimals)).toBe(false);
  });
});
