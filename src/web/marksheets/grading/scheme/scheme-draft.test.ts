import { beforeEach, expect, test, vi } from 'vitest';
import type { Scheme } from './scheme.ts';
import { readSchemeDraft, writeSchemeDraft } from './scheme-draft.ts';

const BASE: Scheme = { method: 'absolute', params: {}, step: 0.01, boundaries: [85, 80, 75, 70, 65, 60, 50] };

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

test('a scheme is read as it was kept, with its own numbers and without boundaries', () => {
  const scheme: Scheme = {
    method: 'gap',
    params: { k: [1, 0.5, 0, -0.5, -1, -1.5, -2] },
    step: 0.25,
    boundaries: null,
  };
  writeSchemeDraft(7, { scheme, base: BASE });
  expect(readSchemeDraft(7)).toEqual({ scheme, base: BASE });
  expect(readSchemeDraft(8)).toBeNull();
});

test('nothing is kept of a scheme that equals its base', () => {
  writeSchemeDraft(7, { scheme: { ...BASE, step: 0.5 }, base: BASE });
  writeSchemeDraft(7, { scheme: BASE, base: BASE });
  expect(stored.size).toBe(0);
});

test.each([
  ['boundaries that rise', { boundaries: '50 60 65 70 75 80 85' }],
  ['boundaries that are no numbers', { boundaries: 'a b c d e f g' }],
  ['an unknown method', { method: 'lottery' }],
  ['a step of nothing', { step: '' }],
])('a draft with %s is dropped', (_, texts) => {
  writeSchemeDraft(7, { scheme: { ...BASE, step: 0.5 }, base: BASE });
  const [[key, text] = ['', '']] = stored;
  const draft = JSON.parse(text);
  stored.set(key, JSON.stringify({ ...draft, values: { ...draft.values, ...texts } }));
  expect(readSchemeDraft(7)).toBeNull();
});
