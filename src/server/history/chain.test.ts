import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../tests/support/any-text.ts';
import { HISTORY_ACTIONS, HISTORY_ENTITIES } from '../../contract/history.ts';
import { advanceHead, canonicalEntry, EMPTY_HEAD, type Entry, entryDigest } from './chain.ts';

const text = anyText();
const number = fc.integer({ min: 1 });
const entry: fc.Arbitrary<Entry> = fc.record({
  id: number,
  at: text,
  user_id: fc.option(number),
  user_name: fc.option(text),
  action: fc.constantFrom(...HISTORY_ACTIONS),
  entity: fc.constantFrom(...HISTORY_ENTITIES),
  entity_id: text,
  before: fc.option(text),
  after: fc.option(text),
  bulk_id: fc.option(number),
});

const AN_ENTRY: Entry = {
  id: 7,
  at: '2026-03-14T08:00:00.000Z',
  user_id: null,
  user_name: 'Sana “S” Malik',
  action: 'update',
  entity: 'student',
  entity_id: 'S1',
  before: '{"first_name":"Hina"}',
  after: '{"first_name":"Hinā"}',
  bulk_id: null,
};

describe('the canonical text of an entry', () => {
  test('equals the example in the decision', () => {
    expect(canonicalEntry(AN_ENTRY)).toBe(
      String.raw`[7,"2026-03-14T08:00:00.000Z",null,"Sana “S” Malik","update","student","S1","{\"first_name\":\"Hina\"}","{\"first_name\":\"Hinā\"}",null]`,
    );
    const digest = entryDigest(AN_ENTRY);
    expect(digest).toBe('3b8e973d95e5d777c9f01d7f50357c16ec65d9d46f3157d407298e08d2f552e4');
    expect(advanceHead(EMPTY_HEAD, digest)).toEqual({
      number: 1,
      hash: '3627c7372baa4665da19ceff8197a4ee8a5c0604e2dc1834bad041e34dd4d04a',
    });
  });

  test('contains every field', () => {
    fc.assert(
      fc.property(entry, entry, (a, b) => {
        expect(JSON.parse(canonicalEntry(a))).toEqual(Object.values(a));
        const differing = Object.keys(a).filter((key) => a[key as keyof Entry] !== b[key as keyof Entry]);
        expect(canonicalEntry(a) === canonicalEntry(b)).toBe(differing.length === 0);
      }),
    );
  });

  test('differs between entries that differ in one field', () => {
    fc.assert(
      fc.property(entry, entry, fc.nat(), (a, b, pick) => {
        const keys = Object.keys(a) as (keyof Entry)[];
        const key = keys[pick % keys.length] ?? 'id';
        const changed = { ...a, [key]: b[key] };
        expect(canonicalEntry(changed) === canonicalEntry(a)).toBe(a[key] === b[key]);
        expect(entryDigest(changed) === entryDigest(a)).toBe(a[key] === b[key]);
      }),
    );
  });

  test('differs when characters move from one field to the next', () => {
    const halves = (user_name: string, entity_id: string) =>
      canonicalEntry({ ...AN_ENTRY, user_name, entity_id });
    expect(halves('a","b', 'c')).not.toBe(halves('a', 'b","c'));
    expect(canonicalEntry({ ...AN_ENTRY, before: null })).not.toBe(
      canonicalEntry({ ...AN_ENTRY, before: 'null' }),
    );
  });
});
