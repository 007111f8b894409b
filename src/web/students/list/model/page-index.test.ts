import { describe, expect, it } from 'vitest';
import type { StudentListItem, StudentPage } from '../../../../contract/students/student-list.ts';
import {
  addPage,
  EMPTY_PAGE_INDEX,
  FIRST_PAGE,
  type PageIndex,
  pagesInRange,
  rowCount,
} from './page-index.ts';

const student = (id: number): StudentListItem => ({
  id: String(id),
  first_name: 'Sana',
  last_name: 'Malik',
  dob: '2005-01-01',
  department: 'CE',
  degree: '45',
  syn: 'A',
  gender: null,
  current_sem: 1,
  fsc_marks: 0.9,
  matric_marks: 0.9,
  phone_number: null,
  cgpa: null,
  cgpa_semester: null,
  final_cgpa: null,
  status: 'active',
  status_date: null,
  standing: null,
  is_complete: true,
  former_ids: [],
  father_name: null,
  father_phone: null,
});

const page = (rows: number, next_cursor: string | null, total = 1000): StudentPage => ({
  students: Array.from({ length: rows }, (_, i) => student(i)),
  total,
  total_is: 'exact',
  next_cursor,
});

const THREE: PageIndex = ['a', 'b', 'c'].reduce(
  (pages, next) => addPage(pages, pages.starts.at(-1) ?? FIRST_PAGE, page(100, next)),
  EMPTY_PAGE_INDEX,
);

describe('the page index of the students list', () => {
  it('finds the pages of a range of rows', () => {
    expect(THREE.known).toBe(300);
    expect(pagesInRange(THREE, 0, 50)).toEqual([FIRST_PAGE]);
    expect(pagesInRange(THREE, 150, 250).map(({ cursor }) => cursor)).toEqual(['a', 'b']);
    expect(pagesInRange(THREE, 280, 310).map(({ cursor }) => cursor)).toEqual(['b', 'c']);
  });

  it('asks for longer pages on the way to distant rows', () => {
    expect(pagesInRange(THREE, 900, 950)).toEqual([{ cursor: 'c', first: 300, limit: 500 }]);
    const further = addPage(THREE, { cursor: 'c', first: 300, limit: 500 }, page(500, 'd'));
    expect(pagesInRange(further, 500, 510)).toEqual([{ cursor: 'c', first: 300, limit: 500 }]);
  });

  it('counts the rows of the estimate until the end is reached', () => {
    expect(rowCount(THREE)).toBe(1000);
    expect(rowCount(addPage(THREE, { cursor: 'c', first: 300, limit: 100 }, page(7, null)))).toBe(307);
  });

  it('keeps later pages when one is loaded again, and drops them when it has changed', () => {
    const reloaded = addPage(THREE, { cursor: 'a', first: 100, limit: 100 }, page(100, 'b'));
    expect(reloaded.starts).toEqual(THREE.starts);
    const changed = addPage(THREE, { cursor: 'a', first: 100, limit: 100 }, page(100, 'x'));
    expect(changed.starts.map(({ cursor }) => cursor)).toEqual([undefined, 'a', 'x']);
    expect(changed.known).toBe(200);
  });

  it('accepts pages that are not full or empty', () => {
    const thin = addPage(EMPTY_PAGE_INDEX, FIRST_PAGE, page(0, 'a'));
    expect(pagesInRange(thin, 0, 50).map(({ cursor }) => cursor)).toEqual(['a']);
    expect(addPage(thin, { cursor: 'a', first: 0, limit: 100 }, page(3, null)).known).toBe(3);
  });
});
