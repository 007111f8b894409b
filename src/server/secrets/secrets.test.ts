import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aKeyLine } from '../../../tests/support/secret-keys.ts';
import { getSealingKey, type Place, Secrets } from './secrets.ts';

const PLACE: Place = { column: 'second_factors.secret', row: 7 };
const [first, second] = [aKeyLine(), aKeyLine()];

describe('a sealed value', () => {
  test('is opened by the key that its id names, whatever the text', () => {
    const secrets = new Secrets([first]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, row) => {
        const stored = secrets.seal(text, { ...PLACE, row });
        expect(stored).toMatch(new RegExp(`^sealed:1:${first.id}:[A-Za-z0-9_-]+$`));
        expect(getSealingKey(stored)).toBe(first.id);
        expect(secrets.open(stored, { ...PLACE, row })).toBe(text);
      }),
    );
  });

  test('is another one each time', () => {
    const secrets = new Secrets([first]);
    expect(secrets.seal('JBSWY3DP', PLACE)).not.toBe(secrets.seal('JBSWY3DP', PLACE));
  });

  test('is sealed by the first key and opened by any', () => {
    const old = new Secrets([second]).seal('JBSWY3DP', PLACE);
    const both = new Secrets([first, second]);
    expect(both.open(old, PLACE)).toBe('JBSWY3DP');
    expect(both.isToBeSealed(old)).toBe(true);
    const sealed = both.seal('JBSWY3DP', PLACE);
    expect(both.isToBeSealed(sealed)).toBe(false);
    expect(new Secrets([first]).open(sealed, PLACE)).toBe('JBSWY3DP');
  });

  test.each<[string, Secrets, Place]>([
    ['another key', new Secrets([second]), PLACE],
    ['no key', new Secrets([]), PLACE],
    [
      'another key with the same id',
      new Secrets([{ id: first.id, key: createSecretKey(randomBytes(32)) }]),
      PLACE,
    ],
    ['another row', new Secrets([first]), { ...PLACE, row: 8 }],
    ['another column', new Secrets([first]), { ...PLACE, column: 'signing_keys.private_key' }],
  ])('is not opened with %s', (_, secrets, place) => {
    const stored = new Secrets([first]).seal('JBSWY3DP', PLACE);
    expect(secrets.tryToOpen(stored, place)).toBeUndefined();
    expect(() => secrets.open(stored, place)).toThrow(
      /^\S+ of row \d is encrypted with the key \w{8}, and no/,
    );
  });

  test('is not opened once any character of it is another', () => {
    const secrets = new Secrets([first]);
    const stored = secrets.seal('JBSWY3DPEHPK3PXP', PLACE);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
    fc.assert(
      fc.property(
        fc.integer({ min: 'sealed:'.length, max: stored.length - 1 }),
        fc.constantFrom(...alphabet),
        (place, character) => {
          const changed = stored.slice(0, place) + character + stored.slice(place + 1);
          // The last character has bits that no byte needs.
          fc.pre(!Buffer.from(changed, 'base64url').equals(Buffer.from(stored, 'base64url')));
          expect(secrets.tryToOpen(changed, PLACE)).toBeUndefined();
        },
      ),
      { numRuns: 1_000 },
    );
    for (const text of ['sealed:', 'sealed:1:', `sealed:1:${first.id}:`, `sealed:2${stored.slice(8)}`])
      expect(secrets.tryToOpen(text, PLACE), text).toBeUndefined();
  });

  test('is plain without a key, and a plain one is read with a key', () => {
    expect(new Secrets([]).seal('JBSWY3DP', PLACE)).toBe('JBSWY3DP');
    expect(new Secrets([first]).open('JBSWY3DP', PLACE)).toBe('JBSWY3DP');
    expect(new Secrets([first]).isToBeSealed('JBSWY3DP')).toBe(true);
    expect(new Secrets([]).isToBeSealed('JBSWY3DP')).toBe(false);
  });
});
