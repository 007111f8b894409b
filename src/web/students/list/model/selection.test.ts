import { describe, expect, it } from 'vitest';
import { EMPTY_SELECTION, isSelected, SELECT_ALL, selectedCount, updateSelection } from './selection.ts';

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
