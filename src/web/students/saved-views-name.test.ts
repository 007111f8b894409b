import { describe, expect, it } from 'vitest';
import { suggestedName } from './saved-views-name.ts';

describe('the name suggested for a view', () => {
  it('says its filters as one would', () => {
    expect(suggestedName({ department: 'EE', current_sem: '6', cgpa_below: '2' })).toBe(
      'EE, semester 6, CGPA below 2.0',
    );
    expect(suggestedName({ department: 'CE', degree: '44', syn: 'B', gender: 'F' })).toBe('CE-44-B, female');
    expect(suggestedName({ syn: 'B', cgpa_from: '2.25', cgpa_below: '3' })).toBe(
      'Syndicate B, CGPA 2.25 to 3.0',
    );
    expect(suggestedName({ degree: '44', incomplete: 'true', fell_by: '0.5' })).toBe(
      'Degree 44, incomplete, fell by 0.5',
    );
  });

  it('says the search, the failed course and the order', () => {
    expect(suggestedName({ q: ' ali ', sort: 'fscMarks' })).toBe('“ali”, by FSC marks');
    expect(suggestedName({ failed: '12', sort: 'name' })).toBe('F in course 12, by name');
    expect(suggestedName({ failed: '12' }, 'CE-251')).toBe('F in CE-251');
  });

  it('is no longer than a name may be', () => {
    expect(suggestedName({ q: 'x'.repeat(200) })).toHaveLength(60);
  });
});
