import { describe, expect, test } from 'vitest';
import { documentBlock, holdState, holdText } from './holds.ts';

describe('a hold', () => {
  const days = { from: '2026-11-02', until: '2026-11-30', isReleased: false };

  test.for([
    ['2026-11-01', 'future'],
    ['2026-11-02', 'active'],
    ['2026-11-30', 'active'],
    ['2026-12-01', 'ended'],
  ] as const)('is, on %s, %s', ([today, state]) => {
    expect(holdState(days, today)).toBe(state);
  });

  test('without an end stays active, and is over once it is released', () => {
    expect(holdState({ ...days, until: null }, '2036-01-01')).toBe('active');
    expect(holdState({ ...days, isReleased: true }, '2026-11-02')).toBe('released');
    expect(holdState({ ...days, isReleased: true }, '2026-12-24')).toBe('released');
  });

  test('is told by its kind, its first day and who placed it', () => {
    expect(holdText({ kind: 'fees', from: '2026-11-02', by: 'Accounts' })).toBe(
      'fees, since 2026-11-02, Accounts',
    );
  });

  test('of official documents leaves unofficial transcripts alone', () => {
    expect(documentBlock('transcript', true)).toBe('official-documents');
    expect(documentBlock('transcript', false)).toBeUndefined();
    expect(documentBlock('result-card', true)).toBe('result-card');
    expect(documentBlock('result-card', false)).toBe('result-card');
  });
});
