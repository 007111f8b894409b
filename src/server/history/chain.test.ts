import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HISTORY_ACTIONS, HISTORY_ENTITIES } from '../../contract/history.ts';
import { digestOf, EMPTY, type Entry, entryText, headAfter } from './chain.ts';

const text = fc.string({ unit: 'binary' });
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

describe('the text of an entry', () => {
  test('is what the decision gives as an example', () => {
    expect(entryText(AN_ENTRY)).toBe(
      String.raw`[7,"2026-03-14T08:00:00.000Z",null,"Sana “S” Malik","update","student","S1","{\"first_name\":\"Hina\"}","{\"first_name\":\"Hinā\"}",null]`,
    );
    const digest = digestOf(AN_ENTRY);
    expect(digest).toBe('3b8e973d95e5d777c9f01d7f50357c16ec65d9d46f3157d407298e08d2f552e4');
    expect(headAfter(EMPTY, digest)).toEqual({
      number: 1,
      hash: '3627c7372baa4665da19ceff8197a4ee8a5c0604e2dc1834bad041e34dd4d04a',
    });
  });

  test('holds every field, so that no two entries have the same', () => {
    fc.assert(
      fc.property(entry, entry, (a, b) => {
        expect(JSON.parse(entryText(a))).toEqual(Object.values(a));
        const differing = Object.keys(a).filter((key) => a[key as keyof Entry] !== b[key as keyof Entry]);
        expect(entryText(a) === entryText(b)).toBe(differing.length === 0);
      }),
    );
  });

  test('tells entries apart that differ in one field alone', () => {
    fc.assert(
      fc.property(entry, entry, fc.nat(), (a, b, pick) => {
        const keys = Object.keys(a) as (keyof Entry)[];
        const key = keys[pick % keys.length] ?? 'id';
        const changed = { ...a, [key]: b[key] };
        expect(entryText(changed) === entryText(a)).toBe(a[key] === b[key]);
        expect(digestOf(changed) === digestOf(a)).toBe(a[key] === b[key]);
      }),
    );
  });

  test('is not taken for another where what ends one field could begin the next', () => {
    const halves = (user_name: string, entity_id: string) => entryText({ ...AN_ENTRY, user_name, entity_id });
    expect(halves('a","b', 'c')).not.toBe(halves('a', 'b","c'));
    expect(entryText({ ...AN_ENTRY, before: null })).not.toBe(entryText({ ...AN_ENTRY, before: 'null' }));
  });
});
