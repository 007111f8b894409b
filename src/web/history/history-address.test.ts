import { describe, expect, test } from 'vitest';
import { historyParameters, readHistoryAddress } from './history-address.ts';

describe('the address of the history', () => {
  test('keeps what means something', () => {
    const address = { kind: 'deleted-students', user: '7', from: '2026-03-14', to: '2026-03-15' };
    expect(readHistoryAddress(address)).toEqual(address);
    expect(
      readHistoryAddress({ kind: 'toString', user: '0', from: '2026-13-01', to: 'today', colour: 'red' }),
    ).toEqual({});
  });

  test('asks for whole days as the person counts them', () => {
    const { from, to, ...rest } = historyParameters({
      ...{ kind: 'deleted-students', user: '7', from: '2026-03-14', to: '2026-03-14' },
    });
    expect(rest).toEqual({ entity: 'student', action: 'delete', user: '7' });
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 60 * 60_000 - 1);
    expect(new Date(from ?? '').getHours()).toBe(0);
  });
});
