import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { studentPageQuery } from './list-query.ts';
import { FIRST_PAGE } from './page-index.ts';
import {
  EMPTY_SELECTION,
  isSelected,
  loadedStudentIds,
  SELECT_ALL,
  selectedCount,
  updateSelection,
} from './selection.ts';
import type { ListView } from './sort.ts';

describe('the selection of the students list', () => {
  it('adds and removes single students', () => {
    const two = updateSelection(EMPTY_SELECTION, ['1', '2'], true);
    expect(selectedCount(two, 1000)).toBe(2);
    expect(isSelected(two, '1')).toBe(true);
    expect(isSelected(updateSelection(two, ['1'], false), '1')).toBe(false);
  });

  it('selects all that match, with exceptions', () => {
    const but = updateSelection(SELECT_ALL, ['7'], false);
    expect(selectedCount(but, 1000)).toBe(999);
    expect(isSelected(but, '7')).toBe(false);
    expect(isSelected(but, '8')).toBe(true);
    expect(selectedCount(updateSelection(but, ['7'], true), 1000)).toBe(1000);
  });
});

describe('the loaded students of a view', () => {
  const queries = new QueryClient();
  const load = (view: ListView, id: string) =>
    queries.setQueryData([...studentPageQuery(view, FIRST_PAGE).queryKey], { students: [{ id }] });
  load({}, '1');
  load({ from: 'end' }, '2');
  load({ q: 'karim' }, '3');
  load({ standing: ['warning'] }, '4');
  load({ standing: ['warning', 'probation'] }, '5');

  it('are those read from either end', () => {
    expect(loadedStudentIds(queries, {})).toEqual(new Set(['1', '2']));
  });

  it('are not those of narrower or wider views', () => {
    expect(loadedStudentIds(queries, { q: 'karim' })).toEqual(new Set(['3']));
    expect(loadedStudentIds(queries, { standing: ['warning'] })).toEqual(new Set(['4']));
  });
});
