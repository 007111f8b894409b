import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  askedWords,
  folded,
  foldedKey,
  foldedWords,
  naturalKey,
  searchTerms,
  searchText,
} from './search-text.ts';

const student = {
  id: '2021-EE-045',
  first_name: 'Noor-ul-Huda',
  last_name: 'O’Neil',
  phone_number: '0300 555-0123',
  father_name: null,
  father_phone: '0300 5550199',
};

describe('folding', () => {
  test('takes off case, accents and the strokes of letters', () => {
    expect(folded('ZOË Łódź Straße İstanbul Şerif')).toBe('zoe lodz strasse istanbul serif');
  });

  test('of a folded text changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(folded(folded(text))).toBe(folded(text));
      }),
    );
  });

  test('cuts words at whatever is no letter and no digit, but not at an apostrophe', () => {
    expect(foldedWords("Noor-ul-Huda O'Neil/2 (x)")).toEqual(['noor', 'ul', 'huda', 'oneil', '2', 'x']);
    expect(foldedWords(' %_* ')).toEqual([]);
  });
});

describe('what a student is found by', () => {
  test('is a line each of ID, name, father’s name and phone numbers, in groups and as one', () => {
    expect(searchText(student)).toBe(
      ' 2021 ee 045\n noor ul huda oneil\n\n 0300 555 0123 03005550123\n 0300 5550199 03005550199',
    );
  });

  test('begins with each of its words, followed by the others going round', () => {
    expect(searchTerms(' ali raza khan\n 42')).toEqual([
      'ali raza khan',
      'raza khan ali',
      'khan ali raza',
      '42',
    ]);
    expect(searchTerms('')).toEqual([]);
  });

  test('is found by the beginning of any of its words', () => {
    const terms = searchTerms(searchText(student));
    for (const word of ['no', 'huda', 'one', '2021', '045', '5550199', '03005550']) {
      expect(terms.some((term) => term.startsWith(word))).toBe(true);
    }
  });

  test('any name is found by the beginning of any of its words, however many', () => {
    const name = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(name, fc.nat(), fc.nat(), (words, which, length) => {
        const text = searchText({ ...student, first_name: words.join(' '), last_name: '' });
        const word = words[which % words.length] ?? '';
        const asked = askedWords(word.slice(0, 1 + (length % word.length)));
        expect(asked).toHaveLength(1);
        expect(searchTerms(text).some((term) => term.startsWith(asked[0] ?? '?'))).toBe(true);
        expect(text).toContain(` ${asked[0]}`);
      }),
    );
  });
});

test('no letter is cut in two where a text is too long', () => {
  const name = `a${'𠮷'.repeat(200)}`;
  const texts = [
    ...searchTerms(searchText({ ...student, first_name: name })),
    ...askedWords(name),
    foldedKey(name),
  ];
  for (const text of texts) expect(text.isWellFormed(), text).toBe(true);
});

test('a query’s words are folded, each once, at most eight', () => {
  expect(askedWords('  Khan ALI khan ')).toEqual(['khan', 'ali']);
  expect(askedWords('a b c d e f g h i j')).toHaveLength(8);
  expect(askedWords('%')).toEqual([]);
});

describe('the natural order', () => {
  test('has 99 before 100, and numbers before letters', () => {
    const ids = ['100', '99', 'B-2', 'B-10', '0100', 'a'];
    expect(ids.toSorted((x, y) => (naturalKey(x) < naturalKey(y) ? -1 : 1))).toEqual([
      '99',
      '100',
      '0100',
      'a',
      'B-2',
      'B-10',
    ]);
  });

  test('of whole numbers is that of their values', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        (a, b) => {
          expect(naturalKey(String(a)) < naturalKey(String(b))).toBe(a < b);
        },
      ),
    );
  });
});
