import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call, callAddress, findRefusal } from './call.ts';

test('the address of a call has its parameters, encoded', () => {
  expect(callAddress('GET /api/terms')).toBe('/api/terms');
  expect(callAddress('GET /api/terms/:term_id', { params: { term_id: 7 } })).toBe('/api/terms/7');
  expect(callAddress('GET /api/terms/:term_id', { params: { term_id: 'a/b?c' } })).toBe(
    '/api/terms/a%2Fb%3Fc',
  );
});

test('a list in the query is sent with commas', () => {
  expect(callAddress('GET /api/insights/cgpas', { query: { split: ['a', 'b'] } })).toBe(
    '/api/insights/cgpas?split=a%2Cb',
  );
});

describe('a refused call', () => {
  const current = { fingerprint: 'new' };
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', { getItem: () => null });
    vi.stubGlobal('fetch', async () => Response.json({ message: 'Outdated.', current }, { status: 412 }));
  });
  afterEach(() => vi.unstubAllGlobals());

  test('has the body that its entry gives for the status', async () => {
    const key = 'POST /api/imports/:import_id/undo';
    const options = { params: { import_id: 1 }, body: { fingerprint: 'old' }, hasOverlay: false };
    const error = await call(key, options).catch((error: unknown) => error);
    expect(findRefusal(error, key, 412)?.current).toEqual(current);
    expect(findRefusal(error, 'POST /api/imports/:import_id/apply', 412)).toBeUndefined();
    // @ts-expect-error: no schema of its own
    expect(findRefusal(error, key, 404)).toBeUndefined();
    expect(findRefusal(new Error('other'), key, 412)).toBeUndefined();
  });
});
