import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupHandCode, HAND_CODE_BYTES, readHandCode, toHandCode } from './hand-code.ts';

const bytes = () => fc.uint8Array({ minLength: HAND_CODE_BYTES, maxLength: HAND_CODE_BYTES });

describe('the code of a document to be typed by hand', () => {
  test('has 24 characters, and none that is mistaken for another', () => {
    fc.assert(
      fc.property(bytes(), (random) => {
        expect(toHandCode(random)).toMatch(/^[0-9A-HJKMNP-TV-Z]{24}$/);
      }),
    );
  });

  test('has all 120 bits', () => {
    expect(toHandCode(new Uint8Array(15))).toBe('0'.repeat(24));
    expect(toHandCode(new Uint8Array(15).fill(255))).toBe('Z'.repeat(24));
    const ones = [8, 66, 16, 132, 33];
    expect(toHandCode(Uint8Array.of(...ones, ...ones, ...ones))).toBe('1'.repeat(24));
    fc.assert(
      fc.property(bytes(), bytes(), (one, other) => {
        expect(toHandCode(one) === toHandCode(other)).toBe(one.join() === other.join());
      }),
    );
  });

  test('is read as it was printed, and as people type it', () => {
    fc.assert(
      fc.property(bytes(), (random) => {
        const code = toHandCode(random);
        expect(readHandCode(groupHandCode(code))).toBe(code);
        expect(readHandCode(` ${code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `)).toBe(code);
      }),
    );
  });

  test('is read with the 16 characters of the first documents, too', () => {
    expect(readHandCode('7k3m-9qxd-42tb-aoz1')).toBe('7K3M9QXD42TBA0Z1');
  });

  test.each([
    '',
    '7K3M-9QXD-42TB-7K3M-9QXD',
    '7K3M-9QXD-42TB-7K3M-9QXD-42TB-7K3M',
    '7K3M-9QXD-42TB',
    '7K3M-9QXD-42TB-7K3MA',
    '7K3M-9QXD-42TB-7K3U',
    '7K3M-9QXD-42TB-7K3ß',
  ])('is not %j', (typed) => {
    expect(readHandCode(typed)).toBeUndefined();
  });
});
