import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { Tx } from '../../db/schema.ts';
import type { Author } from '../../history/record-change.ts';
import { presentSheet } from '../present-sheet.ts';
import { bumpVersion, lockSheet, requireSheetVersion } from '../sheet.ts';
import { findTeachers, replaceTeachers, requireTeachers } from './teachers.ts';

/** Names the teachers of a sheet, in any of its states. Those who are not named any more lose it at once. */
export async function setTeachers(
  tx: Tx,
  author: Author,
  sheetId: number,
  ids: readonly number[],
  ifMatch: string | undefined,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const teachers = await requireTeachers(tx, ids);
  const before = await findTeachers(tx, sheetId);
  if (before.map(({ id }) => id).join() === ids.join()) return presentSheet(tx, sheet);
  await replaceTeachers(tx, author, sheetId, before, teachers);
  const version = await bumpVersion(tx, sheet, 'setup');
  return presentSheet(tx, { ...sheet, version });
}
