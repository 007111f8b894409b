import type { CellField } from './draft-rows.ts';

export interface CellPlace {
  id: number;
  field: CellField;
}

/** The cells have these in their attributes. */
export const cellPlace = ({ id, field }: CellPlace) => ({ 'data-row': id, 'data-cell': field });

/** Moves the focus into a cell, and opens its semester if that is folded. */
export function focusCell({ id, field }: CellPlace): void {
  const cell = () => document.querySelector<HTMLInputElement>(`[data-row="${id}"][data-cell="${field}"]`);
  if (cell() === null)
    document.querySelector<HTMLElement>(`[data-rows~="${id}"] [aria-expanded="false"]`)?.click();
  // The rows are drawn with the click.
  const found = cell();
  found?.focus();
  found?.select();
}

/** The cell or button to which a key moves from a cell: of the same column, or the button below the semester. */
export function findBelow(from: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const grid = from.closest('[data-grid]');
  const field = from.dataset.cell ?? 'code';
  const stops = [...(grid?.querySelectorAll<HTMLElement>(`[data-cell="${field}"], [data-adds]`) ?? [])];
  return stops[stops.indexOf(from) + step];
}

/** The cell before or after one. */
export function findBeside(from: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const cells = [...(from.closest('[data-grid]')?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])];
  return cells[cells.indexOf(from) + step];
}
