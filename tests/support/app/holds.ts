import { expect } from 'vitest';
import { type Hold, holdReply } from '../../../src/contract/students/holds.ts';
import type { Person } from './test-app.ts';

export const HOLD_REASON = 'Dues of Fall 2026 are open.';

/** A hold of the day on which it is placed. */
export const aHold = (changes: object = {}) => ({
  kind: 'fees',
  reason: HOLD_REASON,
  blocks: ['official-documents'],
  ...changes,
});

export const readHold = (body: unknown): Hold => holdReply.parse(Object(body).hold);

export async function placeHold(by: Person, id: string, changes: object = {}): Promise<Hold> {
  const placed = await by.post(`/api/students/${id}/holds`, aHold(changes));
  expect(placed.status, placed.text).toBe(201);
  return readHold(placed.body);
}

export const holdsOf = async (by: Person, id: string): Promise<Hold[]> =>
  holdReply.array().parse((await by.get(`/api/students/${id}/holds`)).body);

export const releaseHold = (by: Person, { hold_id }: Pick<Hold, 'hold_id'>, reason = 'The dues are paid.') =>
  by.post(`/api/holds/${hold_id}/release`, { reason });
