import { describe, expect, it } from 'vitest';
import { folded } from '../../domain/search-text.ts';
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
});
