import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  foldText,
  foldWords,
  inIdOrder,
  matchesWord,
  nameSortKey,
  nameWords,
  naturalSortKey,
  phraseForms,
  queryWords,
  readQuery,
  searchTerms,
  searchText,
  termForms,
  termsWith,
  textBits,
  wordBits,
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

  test.for([
    ['علي كريم', 'علی کریم'],
    ['مُحَمَّد', 'محمد'],
    ['فاطمة', 'فاطمہ'],
    ['أحمد إقبال آصف ٱ', 'احمد اقبال اصف ا'],
    ['شاه ھاشم', 'شاہ ہاشم'],
    ['محـــمد', 'محمد'],
    ['هُدى', 'ھدی'],
    ['٠٣٠٠ ۱۲۳', '0300 123'],
  ] as const)('reads %s as %s', ([text, alike]) => {
    expect(foldText(text)).toBe(foldText(alike));
  });

  test('keeps Arabic letters apart that are not forms of one', () => {
    for (const letters of ['بپتثٹ', 'جچحخ', 'دڈذ', 'رڑزژ', 'سشصض', 'نں', 'یے', 'کگ'])
      expect(new Set([...letters].map(foldText)).size).toBe(letters.length);
  });

  test('leaves folded text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });

  test('drops what is not seen', () => {
    expect(foldText('a\u00adl\u200bi\u2060 \ufeffkh\u200dan\u202c\ufe0f')).toBe('ali khan');
  });

  test('has one spelling of a name', () => {
    expect(nameWords('Mohd. Yousaf')).toEqual(nameWords('MUHAMMAD yusuf'));
    expect(nameWords('Syeda Fatimah Husein')).toEqual(nameWords('Sayeda Fatima Hussain'));
  });

  test('splits words at every character but letters, digits and apostrophes', () => {
    expect(foldWords("Noor-ul-Huda O'Neil/2 (x)")).toEqual(['noor', 'ul', 'huda', 'oneil', '2', 'x']);
    expect(foldWords(' %_* ')).toEqual([]);
  });
});

describe('the search text of a student', () => {
  test('has a line each for ID, name, father’s name and phone numbers, with each number whole and backwards', () => {
    expect(searchText(student).split('\n')).toEqual([
      ' 2021 ee 045| <1202',
      ' noor ul huda oneil',
      '',
      '| 0300 555 0123 03005550123 <32105550030',
      '| 0300 5550199 03005550199 <99105550030',
    ]);
  });

  test('is indexed by every rotation of the words of a line', () => {
    expect(searchTerms(' 42\n ali raza khan\n karim')).toEqual([
      '~42',
      'ali raza khan',
      'raza khan ali',
      'khan ali raza',
      '~karim',
    ]);
    expect(searchTerms('\n\n\n| 0300 12 <2100')).toEqual(['~0300', '~12', '>2100']);
    expect(searchTerms('| 4093 <3904')).toEqual(['~4093', '<3904']);
    expect(searchTerms('')).toEqual([]);
  });

  test('is indexed so that ends of IDs, names and ends of phone numbers come before the rest', () => {
    expect(termForms('0551')).toEqual(['<1550', '0551', '>1550', '~0551']);
    expect(termForms('92300')).toEqual(['<00329', '92300', '0300', '>00329', '~92300', '~0300']);
    expect(termForms('42')).toEqual(['42', '~42']);
    expect(termForms('moh')).toEqual(['moh', 'muhammad', '~moh', '~muhammad']);
    expect(phraseForms(['mohammad', 'kha'])).toEqual([
      'muhammad kha',
      'kha muhammad',
      '~muhammad kha',
      '~kha muhammad',
    ]);
    expect(phraseForms(['ali'])).toEqual([]);
  });

  test('is matched by the beginning of any of its words', () => {
    const terms = searchTerms(searchText(student));
    for (const word of ['no', 'huda', 'one', '2021', '045', '5550199', '03005550']) {
      expect(termForms(word).some((form) => terms.some((term) => term.startsWith(form)))).toBe(true);
    }
  });

  test('is matched by the beginning of any word of a name of any length', () => {
    const name = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(name, fc.nat(), fc.nat(), (words, which, length) => {
        const text = searchText({ ...student, first_name: words.join(' '), last_name: '' });
        const word = words[which % words.length] ?? '';
        const [query = '', ...more] = queryWords(word.slice(0, 1 + (length % word.length)));
        expect(more).toEqual([]);
        const forms = termForms(query);
        expect(searchTerms(text).some((term) => forms.some((form) => term.startsWith(form)))).toBe(true);
        expect(matchesWord(text, query)).toBe(true);
      }),
    );
  });

  test('has the entries of a beginning, in whichever lines they are', () => {
    const text = searchText({ ...student, former_ids: ['55', '2019-EE-0123'] });
    const terms = searchTerms(text);
    const queries = [
      'no',
      'huda noor',
      'noor ul hu',
      'oneil',
      '20',
      '2021',
      '045',
      '0123',
      '0300',
      'ali',
      '5',
    ];
    for (const form of queries
      .map(queryWords)
      .flatMap((all) => [...phraseForms(all), ...all.flatMap(termForms)]))
      expect(termsWith(text, form).toSorted(), form).toEqual(
        terms.filter((term) => term.startsWith(form)).toSorted(),
      );
  });
});

describe('a number', () => {
  const isFound = (stored: Partial<typeof student>, query: string) => {
    const text = searchText({ ...student, id: 'A', phone_number: '', father_phone: '', ...stored });
    const words = queryWords(query);
    const terms = searchTerms(text);
    const isIndexed = words.every((word) =>
      termForms(word).some((form) => terms.some((term) => term.startsWith(form))),
    );
    expect(words.every((word) => matchesWord(text, word))).toBe(isIndexed);
    return isIndexed;
  };
  const SPELLINGS = [
    '0300 1234567',
    '+92 300 1234567',
    '0300-123-4567',
    '+92 (0)300 1234567',
    '00923001234567',
    '923001234567',
  ];

  test('of a phone is found in any spelling, whole, by its beginning or its end', () => {
    const parts = [
      '0300',
      '+92 300 1',
      '0300 12345',
      '(0300) 123-4',
      '1234567',
      '4567',
      '567',
      '234-567',
      '+923001234567',
    ];
    for (const phone_number of SPELLINGS)
      for (const query of [...SPELLINGS, ...parts, '92300'])
        expect(isFound({ phone_number }, query), `${phone_number} by ${query}`).toBe(true);
    for (const query of ['0301', '345', '67', '1234568', '+44 300'])
      expect(isFound({ phone_number: '0300 1234567' }, query), query).toBe(false);
    expect(isFound({ phone_number: '051-5550100' }, '+92 51 555')).toBe(true);
    expect(isFound({ phone_number: '+44 20 7946 0958' }, '+44 207')).toBe(true);
    for (const typed of ['+92', '+92 (', '+92 (0', '+92 (0)', '+92 (0)3', '+92 0'])
      expect(isFound({ phone_number: '0300 1234567' }, typed), typed).toBe(true);
  });

  test('in an ID is found by its last digits, and never loses digits to a country', () => {
    for (const query of ['318', '9318', '40931', '409318'])
      expect(isFound({ id: '409318' }, query), query).toBe(true);
    expect(isFound({ id: 'CE00318' }, '318')).toBe(true);
    expect(isFound({ id: '2021-045' }, '2021 04')).toBe(true);
    expect(isFound({ id: '9234567890' }, '92345')).toBe(true);
    expect(isFound({ id: '9234567890' }, '0345')).toBe(false);
    expect(isFound({ id: '409318' }, '931')).toBe(false);
  });

  test('stands next to other words of a query', () => {
    expect(isFound({ phone_number: '0300 1234567' }, 'huda 0300 123 noor')).toBe(true);
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

test('a text that a query matches has all bits of the query', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('Muhammad Ali', 'Noor-ul-Huda', 'محمد علی', 'Zoë', 'Ab12c'),
  );
  fc.assert(
    fc.property(name, name, fc.nat(8), (first_name, father_name, length) => {
      const student = { id: 'B-42', phone_number: '0300-1234567', father_phone: null };
      const text = searchText({ ...student, first_name, last_name: 'Khan', father_name });
      const words = queryWords(`${first_name.slice(0, length)} ${father_name}`);
      fc.pre(words.every((word) => matchesWord(text, word)));
      expect(textBits(text) & wordBits(words)).toBe(wordBits(words));
    }),
  );
  const others = ['bilal', 'hamza', 'zainab', 'iqra', 'saad', 'talha', 'harris', 'usman'];
  const bits = textBits(' muhammad khan');
  expect(others.filter((word) => (bits & wordBits([word])) === wordBits([word])).length).toBeLessThan(3);
});

test('the class in a query is told from its words, and from the end of an ID', () => {
  const ofClass = (query: string) => readQuery(query).ofClass;
  expect(ofClass('CE-45-C')).toEqual({ department: 'CE', degree: '45', syn: 'C' });
  expect(ofClass('mts\u201344')).toEqual({ department: 'MTS', degree: '44', syn: undefined });
  expect(readQuery('ali ce-45 raza')).toEqual({
    words: ['ali', 'raza'],
    ofClass: { department: 'CE', degree: '45', syn: undefined },
  });
  for (const query of ['2021-CE-45', 'CE-045', 'CE-45-D', 'CE-45-12', 'XX-45', 'CE 45', 'al-45'])
    expect(ofClass(query), query).toBeUndefined();
  expect(readQuery('2021-CE-45').words).toEqual(['2021', 'ce', '45']);
});

test('queryWords returns at most eight folded words without duplicates', () => {
  expect(queryWords('  Khan ALI khan ')).toEqual(['khan', 'ali']);
  expect(queryWords('a b c d e f g h i j')).toHaveLength(8);
  expect(queryWords('%')).toEqual([]);
});

test('the order of IDs takes numbers by value, and alike ones as texts', () => {
  const ids = ['100', 'B-10', '10', '9', '2', 'b-2', '1', '010', 'B-2'];
  expect(inIdOrder(ids, (id) => id)).toEqual(['1', '2', '9', '010', '10', '100', 'B-2', 'b-2', 'B-10']);
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
