import { describe, expect, it } from 'vitest';
import { foldText, queryWords } from '../../domain/search-text.ts';
import { searchTerms, splitByMatch } from './text-match.ts';

const marked = (text: string, query: string) =>
  splitByMatch(text, searchTerms(query))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

describe('splitByMatch', () => {
  it('ignores case and accents', () => {
    expect(foldText('ZOË')).toBe('zoe');
    expect(marked('Zoë Çelik', 'zoe ce')).toBe('[Zoë] [Çe]lik');
  });

  it('marks every match', () => {
    expect(marked('Parveen Karim', 'ar')).toBe('P[ar]veen K[ar]im');
  });

  it('merges overlapping matches', () => {
    expect(marked('Banana', 'ana')).toBe('B[anana]');
  });

  it('keeps positions where folding changes the length', () => {
    expect(marked('İlker 😀 Aydın', 'ay')).toBe('İlker 😀 [Ay]dın');
  });

  it('marks nothing without a query', () => {
    expect(marked('Hareem', '  ')).toBe('Hareem');
  });

  it('matches only the start of words in mode `words`', () => {
    const found = (text: string, query: string) =>
      splitByMatch(text, queryWords(query), 'words')
        .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
        .join('');
    expect(found('Parveen Karim', 'ar kar')).toBe('Parveen [Kar]im');
    expect(found("Noor-ul-Huda O'Neil", 'onei hud')).toBe("Noor-ul-[Hud]a [O'Nei]l");
    expect(found('0300-5550123', '03005550')).toBe('[0300-5550]123');
    expect(found('0300-5550123', '555')).toBe('0300-[555]0123');
    expect(found('Sana 55', '5')).toBe('Sana [5]5');
    expect(found('0300-5550123', '0123')).toBe('0300-555[0123]');
    expect(found('0300-5550123', '+92 300 555')).toBe('[0300-555]0123');
    expect(found('+92 300 5550123', '0300')).toBe('+[92 300] 5550123');
    expect(found('409318', '318')).toBe('409[318]');
    expect(found('علي كريم', 'کریم')).toBe('علي [كريم]');
    expect(found('Zoë Çelik', 'zoe')).toBe('[Zoë] Çelik');
    expect(found('Mohammad Ali', 'muhamad')).toBe('[Mohammad] Ali');
    expect(found('Syed Hussein', 'husain sayed')).toBe('[Syed] [Hussein]');
    expect(found('Mohammad Ali', 'moha')).toBe('[Moha]mmad Ali');
  });
});
