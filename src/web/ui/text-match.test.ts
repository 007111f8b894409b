import { describe, expect, it } from 'vitest';
import { askedWords, folded } from '../../domain/search-text.ts';
import { matchedParts, searchTerms } from './text-match.ts';

const marked = (text: string, query: string) =>
  matchedParts(text, searchTerms(query))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

describe('matching', () => {
  it('knows neither case nor accents', () => {
    expect(folded('ZOË')).toBe('zoe');
    expect(marked('Zoë Çelik', 'zoe ce')).toBe('[Zoë] [Çe]lik');
  });

  it('marks every place', () => {
    expect(marked('Parveen Karim', 'ar')).toBe('P[ar]veen K[ar]im');
  });

  it('joins matches that overlap', () => {
    expect(marked('Banana', 'ana')).toBe('B[anana]');
  });

  it('keeps its place in texts whose length changes by folding', () => {
    expect(marked('İlker 😀 Aydın', 'ay')).toBe('İlker 😀 [Ay]dın');
  });

  it('marks nothing without a query', () => {
    expect(marked('Hareem', '  ')).toBe('Hareem');
  });

  it('can keep to the beginnings of words, as students are searched', () => {
    const found = (text: string, query: string) =>
      matchedParts(text, askedWords(query), 'words')
        .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
        .join('');
    expect(found('Parveen Karim', 'ar kar')).toBe('Parveen [Kar]im');
    expect(found("Noor-ul-Huda O'Neil", 'onei hud')).toBe("Noor-ul-[Hud]a [O'Nei]l");
    expect(found('0300-5550123', '03005550')).toBe('[0300-5550]123');
    expect(found('0300-5550123', '555')).toBe('0300-[555]0123');
    expect(found('Sana 55', '5')).toBe('Sana [5]5');
    expect(found('Zoë Çelik', 'zoe')).toBe('[Zoë] Çelik');
  });
});
