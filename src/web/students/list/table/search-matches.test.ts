import { describe, expect, it } from 'vitest';
import type { StudentListItem } from '../../../../contract/students/student-list.ts';
import { queryWords } from '../../../../domain/search-text.ts';
import { searchMatches } from './search-matches.ts';

const STUDENT = {
  id: '409318',
  first_name: 'Karim',
  last_name: 'Hunzai',
  dob: '2005-01-01',
  department: 'CE',
  degree: '45',
  syn: 'A',
  gender: 'M',
  current_sem: 1,
  fsc_marks: 0.9,
  matric_marks: 0.9,
  phone_number: '0300-5550123',
  cgpa: null,
  cgpa_semester: null,
  final_cgpa: null,
  status: 'active',
  status_date: null,
  standing: null,
  is_complete: true,
  father_name: 'Nadeem Hunzai',
  father_phone: '0333-1112223',
  former_ids: ['900050', '409317'],
} satisfies StudentListItem;

const found = (query: string) =>
  searchMatches(STUDENT, queryWords(query)).map(({ label, text }) => `${label} ${text}`);

describe('the matches of a search', () => {
  it('are listed only for fields that the row does not show', () => {
    expect(found('kar hunz')).toEqual([]);
    expect(found('4093')).toEqual([]);
    expect(found('nad hunz')).toEqual(['Father: Nadeem Hunzai']);
    expect(found('03005550')).toEqual(['Phone: 0300-5550123']);
    expect(found('nadeem 0333')).toEqual(['Father: Nadeem Hunzai', 'Father’s phone: 0333-1112223']);
    expect(found('900050')).toEqual(['Formerly 900050']);
    expect(found('hunzai 4093')).toEqual([]);
  });
});
