import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeStorage } from '../../../../../tests/support/fake-storage.ts';
import { discardOldDrafts } from '../../../lib/drafts.ts';
import { eachUnsent } from './unsent-cells.ts';
import { unsentMarks } from './unsent-storage.ts';

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new FakeStorage());
  vi.stubGlobal('localStorage', new FakeStorage());
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ADDRESS = { studentId: 'CE:1', componentId: 2 };
const passHours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);
const readTexts = () => [...eachUnsent(unsentMarks.read('7', 1))].map(([, unsent]) => unsent?.text);

describe('unsent marks', () => {
  test('are kept for 24 hours from when they were typed, also when they are written again', () => {
    unsentMarks.store('7', 1, [[ADDRESS, { text: '899', was: null }]]);
    passHours(23);
    discardOldDrafts();
    unsentMarks.store('7', 1, eachUnsent(unsentMarks.read('7', 1)));
    expect(readTexts()).toEqual(['899']);
    passHours(1.1);
    discardOldDrafts();
    expect(readTexts()).toEqual([]);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test('of an earlier version, all under one key, are kept for 24 hours from when they were first seen', () => {
    localStorage.setItem('DRAFT:7:sheet:1', JSON.stringify([['CE:1', 2, { text: '7', was: 6 }], ['x']]));
    discardOldDrafts();
    passHours(23);
    discardOldDrafts();
    expect([...eachUnsent(unsentMarks.read('7', 1))]).toEqual([
      [ADDRESS, expect.objectContaining({ text: '7', was: 6 })],
    ]);
    expect(Object.keys(localStorage)).toEqual(['DRAFT:7:sheet:1:2:CE:1']);
    passHours(1.1);
    discardOldDrafts();
    expect(Object.keys(localStorage)).toEqual([]);
  });
});
