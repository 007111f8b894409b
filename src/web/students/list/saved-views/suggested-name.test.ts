import { describe, expect, it } from 'vitest';
import { suggestViewName } from './suggested-name.ts';

describe('the name suggested for a view', () => {
  it('describes the filters', () => {
    expect(suggestViewName({ department: 'EE', current_sem: '6', cgpa_below: '2' })).toBe(
      'EE, semester 6, CGPA below 2.0',
    );
    expect(suggestViewName({ department: 'CE', degree: '44', syn: 'B', gender: 'F' })).toBe(
      'CE-44-B, female',
    );
    expect(suggestViewName({ status: 'active', standing: 'probation,review' })).toBe(
      'Active, probation or review',
    );
    expect(suggestViewName({ syn: 'B', cgpa_from: '2.25', cgpa_below: '3' })).toBe(
      'Syndicate B, CGPA 2.25 to 3.0',
    );
    expect(suggestViewName({ degree: '44', incomplete: 'true', fell_by: '0.5' })).toBe(
      'Degree 44, incomplete, fell by 0.5',
    );
  });

  it('describes the search, the failed course and the order', () => {
    expect(suggestViewName({ q: ' ali ', sort: 'fsc_marks' })).toBe('“ali”, by FSC marks');
    expect(suggestViewName({ failed: '12', sort: 'name' })).toBe('F in course 12, by name');
    expect(suggestViewName({ failed: '12' }, 'CE-251')).toBe('F in CE-251');
  });

  it('is cut to the maximum length of a name', () => {
    expect(suggestViewName({ q: 'x'.repeat(200) })).toHaveLength(60);
  });
});
