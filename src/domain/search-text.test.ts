import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  foldText,
  foldWords,
  nameSortKey,
  naturalSortKey,
  queryWords,
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

describe('text folding', () => {
  test('removes case, accents and letter strokes', () => {
    expect(foldText('ZOË Łódź Straße İstanbul Şerif')).toBe('zoe lodz strasse istanbul serif');
  });

  test('leaves folded text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  test('splits words at every character but letters, digits and apostrophes', () => {
    expect(foldWords("Noor-ul-Huda O'Neil/2 (x)")).toEqual(['noor', 'ul', 'huda', 'oneil', '2', 'x']);
    expect(foldWords(' %_* ')).toEqual([]);
  });
});

describe('the search text of a student', () => {
  test('has a line each for ID, name, father’s name and phone numbers, these in groups and joined', () => {
    expect(searchText(student)).toBe(
      ' 2021 ee 045\n noor ul huda oneil\n\n 0300 555 0123 03005550123\n 0300 5550199 03005550199',
    );
  });

  test('is indexed by every rotation of the words of a line', () => {
    expect(searchTerms(' ali raza khan\n 42')).toEqual([
      'ali raza khan',
      'raza khan ali',
      'khan ali raza',
      '42',
    ]);
    expect(searchTerms('')).toEqual([]);
  });

  test('is matched by the beginning of any of its words', () => {
    const terms = searchTerms(searchText(student));
    for (const word of ['no', 'huda', 'one', '2021', '045', '5550199', '03005550']) {
      expect(terms.some((term) => term.startsWith(word))).toBe(true);
    }
  });

  test('is matched by the beginning of any word of a name of any length', () => {
    const name = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(name, fc.nat(), fc.nat(), (words, which, length) => {
        const text = searchText({ ...student, first_name: words.join(' '), last_name: '' });
        const word = words[which % words.length] ?? '';
        const query = queryWords(word.slice(0, 1 + (length % word.length)));
        expect(query).toHaveLength(1);
        expect(searchTerms(text).some((term) => term.startsWith(query[0] ?? '?'))).toBe(true);
        expect(text).toContain(` ${query[0]}`);
      }),
    );
  });
});

test('texts over the maximum length are cut between characters', () => {
  const name = `a${'𠮷'.repeat(200)}`;
  const texts = [
    ...searchTerms(searchText({ ...student, first_name: name })),
    ...queryWords(name),
    nameSortKey(name),
  ];
  for (const text of texts) expect(text.isWellFormed(), text).toBe(true);
});

test('queryWords returns at most eight folded words without duplicates', () => {
  expect(queryWords('  Khan ALI khan ')).toEqual(['khan', 'ali']);
  expect(queryWords('a b c d e f g h i j')).toHaveLength(8);
  expect(queryWords('%')).toEqual([]);
});

describe('the natural sort order', () => {
  test('sorts 99 before 100, and numbers before letters', () => {
    const ids = ['100', '99', 'B-2', 'B-10', '0100', 'a'];
    expect(ids.toSorted((x, y) => (naturalSortKey(x) < naturalSortKey(y) ? -1 : 1))).toEqual([
      '99',
      '100',
      '0100',
      'a',
      'B-2',
      'B-10',
    ]);
  });

  test('sorts whole numbers by value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
        (a, b) => {
          expect(naturalSortKey(String(a)) < naturalSortKey(String(b))).toBe(a < b);
        },
      ),
    );
  });
});
