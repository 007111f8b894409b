import type { CellsInput, CellsReply } from '../../contract/marksheets/sheets.ts';
import { rowField } from '../../domain/marksheets/row-field.ts';
import { type Cell, markFault } from '../../domain/marksheets/totals.ts';
import type { Tx } from '../db/schema.ts';
import { ValidationError } from '../errors.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import { loadSomeRows, presentSomeRows } from './present-rows.ts';
import { bumpVersion, getComponents, lockSheet, parseCategories, parseCells, requireDraft } from './sheet.ts';
import { storeRows } from './write-rows.ts';

/**
 * Stores cells that still hold the value which they are based on; the others are left and listed. A cell that holds the new
 * value already counts as stored, so that a call can be sent again.
 *
 * @throws ValidationError on the cell, with nothing stored
 */
export async function storeCells(
  tx: Tx,
  author: Author,
  sheetId: number,
  { cells: input }: CellsInput,
): Promise<CellsReply> {
  const ids = [...new Set(input.map(({ student_id }) => student_id))];
  const [sheet, { rows, policies }] = await Promise.all([
    lockSheet(tx, sheetId),
    loadSomeRows(tx, { sheet_id: sheetId }, ids),
  ]);
  requireDraft(sheet);
  const categories = parseCategories(sheet);
  const components = new Map(
    getComponents(categories).map((component) => [component.component_id, component]),
  );
  const stored = new Map(rows.map((row) => [row.student_id, parseCells(row)]));

  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  for (const [i, { student_id, component_id, value }] of input.entries()) {
    const component = components.get(component_id);
    const key = `${component_id} ${student_id}`;
    if (!stored.has(student_id)) {
      errors[`cells.${i}.student_id`] = [`The student ${student_id} is not on the class list.`];
    } else if (component === undefined) {
      errors[`cells.${i}.component_id`] = ['The component is not one of the sheet.'];
    } else if (seen.has(key)) {
      errors[`cells.${i}.value`] = ['The same cell is named twice.'];
    } else {
      const fault = markFault(value, component);
      if (fault !== undefined) errors[`cells.${i}.value`] = [`The value ${fault}`];
    }
    seen.add(key);
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);

  const conflicts: CellsReply['conflicts'] = [];
  const before: Record<string, Cell> = {};
  const after: Record<string, Cell> = {};
  const changed = new Set<string>();
  for (const { student_id, component_id, value, was } of input) {
    const cells = stored.get(student_id) ?? {};
    const is = cells[component_id] ?? null;
    if (is === value) continue;
    if (is !== was) {
      conflicts.push({ student_id, component_id, is });
      continue;
    }
    if (value === null) delete cells[component_id];
    else cells[component_id] = value;
    const label = rowField(student_id, components.get(component_id)?.name);
    before[label] = is;
    after[label] = value;
    changed.add(student_id);
  }
  let { version } = sheet;
  let present = rows;
  if (changed.size > 0) {
    version = await bumpVersion(tx, sheet, 'cells');
    const rewritten = [...changed].map((student_id) => ({ student_id, cells: stored.get(student_id) ?? {} }));
    const columns = await storeRows(tx, sheetId, version, rewritten, categories);
    present = rows.map((row) => ({ ...row, ...columns.get(row.student_id) }));
    await recordChange(tx, author, { action: 'update', entity: 'sheet', entityId: sheetId, before, after });
  }
  return {
    version,
    stored: input.length - conflicts.length,
    conflicts,
    rows: await presentSomeRows(tx, { ...sheet, version }, { rows: present, policies }),
  };
}
