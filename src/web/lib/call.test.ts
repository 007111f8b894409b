import { expect, test } from 'vitest';
import { callAddress } from './call.ts';

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
