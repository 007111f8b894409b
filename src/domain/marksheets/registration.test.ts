import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../grading/policy.ts';
import { loadLimit, openWarnings, type RegistrationCheck } from './registration.ts';

describe('the load of a term', () => {
  test.for([
    ['without a final semester', { cgpa: null, isOnProbation: false, isSummer: false }, 19],
    ['with a CGPA of 3.49', { cgpa: 3.49, isOnProbation: false, isSummer: false }, 19],
    ['with a CGPA of 3.50', { cgpa: 3.5, isOnProbation: false, isSummer: false }, 21],
    ['on probation', { cgpa: 3.6, isOnProbation: true, isSummer: false }, 13],
    ['in a summer term', { cgpa: 3.6, isOnProbation: true, isSummer: true }, 9],
  ] as const)('has its limit %s', ([, standing, limit]) => {
    expect(loadLimit(DEFAULT_RULES, standing)).toBe(limit);
  });
});

describe('a warning', () => {
  const load = (text: string): RegistrationCheck => ({ rule: 'load', state: 'warn', text });

  test('is open until a reason covers it, and again with another text', () => {
    expect(openWarnings([load('22')], [])).toEqual([{ rule: 'load', text: '22' }]);
    expect(openWarnings([load('22')], [{ rule: 'load', text: '22' }])).toEqual([]);
    expect(openWarnings([load('25')], [{ rule: 'load', text: '22' }])).toHaveLength(1);
  });

  test('is none where a need is met or waits for a result', () => {
    const checks = (['met', 'if-passed', 'refused'] as const).map((state) => ({
      ...{ rule: 'needs' as const, state, text: 'x' },
    }));
    expect(openWarnings(checks, [])).toEqual([]);
  });
});
