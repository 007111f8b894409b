import { describe, expect, it } from 'vitest';
import type { StudentListed, StudentPage } from '../../contract/student-list.ts';
import { FIRST_PAGE, type KnownPages, NOTHING_KNOWN, pagesOver, rowTotal, withPage } from './list-pages.ts';

const student = (id: number): StudentListed => ({
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
  is_complete: true,
  father_name: null,
  father_phone: null,
});

const page = (rows: number, next_cursor: string | null, total = 1000): StudentPage => ({
  students: Array.from({ length: rows }, (_, i) => student(i)),
  total,
  total_is: 'exact',
  next_cursor,
});

const THREE: KnownPages = ['a', 'b', 'c'].reduce(
  (pages, next) => withPage(pages, pages.starts.at(-1) ?? FIRST_PAGE, page(100, next)),
  NOTHING_KNOWN,
);

describe('pages of the list', () => {
  it('are remembered by where they begin', () => {
    expect(THREE.known).toBe(300);
    expect(pagesOver(THREE, 0, 50)).toEqual([FIRST_PAGE]);
    expect(pagesOver(THREE, 150, 250).map(({ cursor }) => cursor)).toEqual(['a', 'b']);
    expect(pagesOver(THREE, 280, 310).map(({ cursor }) => cursor)).toEqual(['b', 'c']);
  });

  it('are longer on a long way', () => {
    expect(pagesOver(THREE, 900, 950)).toEqual([{ cursor: 'c', first: 300, limit: 500 }]);
    const further = withPage(THREE, { cursor: 'c', first: 300, limit: 500 }, page(500, 'd'));
    expect(pagesOver(further, 500, 510)).toEqual([{ cursor: 'c', first: 300, limit: 500 }]);
  });

  it('leave room for all rows that there are said to be, until the end shows how many there are', () => {
    expect(rowTotal(THREE)).toBe(1000);
    expect(rowTotal(withPage(THREE, { cursor: 'c', first: 300, limit: 100 }, page(7, null)))).toBe(307);
  });

  it('stay as they are when one is read again, and begin anew after one that has changed', () => {
    const again = withPage(THREE, { cursor: 'a', first: 100, limit: 100 }, page(100, 'b'));
    expect(again.starts).toEqual(THREE.starts);
    const changed = withPage(THREE, { cursor: 'a', first: 100, limit: 100 }, page(100, 'x'));
    expect(changed.starts.map(({ cursor }) => cursor)).toEqual([undefined, 'a', 'x']);
    expect(changed.known).toBe(200);
  });

  it('need not be full, nor hold anything', () => {
    const thin = withPage(NOTHING_KNOWN, FIRST_PAGE, page(0, 'a'));
    expect(pagesOver(thin, 0, 50).map(({ cursor }) => cursor)).toEqual(['a']);
    expect(withPage(thin, { cursor: 'a', first: 0, limit: 100 }, page(3, null)).known).toBe(3);
  });
});
