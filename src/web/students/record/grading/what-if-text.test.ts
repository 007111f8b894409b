import { describe, expect, it } from 'vitest';
import { planCgpa } from '../../../../domain/grading/degree.ts';
import { planText, readNumber } from './what-if-text.ts';

const plan = (credits: number, halfPoints: number, target: number, credits_left: number) =>
  planText({ target, credits_left, ...planCgpa({ credits, halfPoints }, target, credits_left) });

describe('the text of a plan', () => {
  it('says what is needed, from the exact points', () => {
    expect(plan(88, 502, 3, 48)).toBe('3.00 needs an average of 3.27 over 48 credit hours.');
    expect(plan(1, 0, 2, 1)).toBe('2.00 needs an average of 4.00 over 1 credit hour.');
  });

  it('says when the target is out of reach or reached', () => {
    expect(plan(120, 660, 3.4, 16)).toBe(
      '3.40 is not reachable: 8.28 would be needed over 16 credit hours; the best possible CGPA is 2.90.',
    );
    expect(plan(100, 600, 2, 10)).toBe('2.00 is reached in any case.');
    expect(plan(100, 600, 3.5, 0)).toBe('3.50 is not reachable: no credit hours are left.');
  });
});

describe('readNumber', () => {
  it.each([
    ['3.25', 3.25],
    [' 3,5 ', 3.5],
    ['4', 4],
    ['4.01', undefined],
    ['3.333', undefined],
    ['-1', undefined],
    ['1e1', undefined],
    ['', undefined],
  ])('reads “%s” as grade points', (text, points) => {
    expect(readNumber(text, { max: 4, decimals: 2 })).toBe(points);
  });

  it('reads whole credit hours', () => {
    expect(readNumber('48', { max: 480, decimals: 0 })).toBe(48);
    expect(readNumber('481', { max: 480, decimals: 0 })).toBeUndefined();
    expect(readNumber('3.5', { max: 480, decimals: 0 })).toBeUndefined();
  });
});
