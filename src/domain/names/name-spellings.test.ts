import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldSpelling, startedSpellings } from './name-spellings.ts';

describe('the spelling of a name', () => {
  test.for([
    ['muhammad', 'mohammad muhamad mohamad muhammed mohammed mohamed mohd muhd'],
    ['hussain', 'hussein husain husein'],
    ['ahmad', 'ahmed'],
    ['syed', 'sayed saiyid sayyid'],
    ['fatima', 'fatimah fatema'],
    ['abdul', 'abdur abdus'],
    ['usman', 'osman uthman'],
    ['yusuf', 'yousaf yousuf yousef'],
    ['rahman', 'rehman'],
    ['hussaini', 'husseini husaini'],
    ['yusufzai', 'yousafzai yousufzai'],
  ] as const)('%s is also %s', ([name, others]) => {
    expect(foldSpelling(name)).toBe(name);
    for (const other of others.split(' ')) expect(foldSpelling(other), other).toBe(name);
  });

  test('keeps names apart that only look alike', () => {
    for (const [one, other] of [
      ['hassan', 'hussain'],
      ['hamid', 'hameed'],
      ['mahmood', 'muhammad'],
      ['mohdi', 'muhammad'],
      ['saad', 'saeed'],
    ] as const)
      expect(foldSpelling(one)).not.toBe(foldSpelling(other));
    for (const word of ['khan', 'bilqees', '2021', '']) expect(foldSpelling(word)).toBe(word);
  });

  test('is found while it is typed, in any of the spellings', () => {
    expect(startedSpellings('moham')).toEqual(['moham', 'muhammad']);
    expect(startedSpellings('muha')).toEqual(['muha']);
    expect(startedSpellings('mohammad')).toEqual(['muhammad']);
    const name = fc.constantFrom(
      'mohammad',
      'mohd',
      'husein',
      'saiyid',
      'yousaf',
      'abdurrahman',
      'sarah',
      'khan',
    );
    fc.assert(
      fc.property(name, fc.stringMatching(/^[a-z]{0,3}$/), fc.nat(), (word, end, length) => {
        const whole = word + end;
        const start = whole.slice(0, 1 + (length % whole.length));
        const forms = startedSpellings(start);
        expect(
          forms.some((form) => foldSpelling(whole).startsWith(form)),
          `${start} of ${whole}`,
        ).toBe(true);
        expect(new Set(forms).size).toBe(forms.length);
      }),
    );
  });
});
