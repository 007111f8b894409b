import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { presentSheet } from '../present-sheet.ts';
import { bumpVersion, lockSheet, requireSheet } from '../sheet.ts';
import { lockStudents, requireFingerprint, requireSecondPerson, setLeft, storeLetters } from './confirm.ts';
import { planRemaining } from './preview.ts';

/**
 * Records those results that the confirmation left and that have their place by now, all or none. They are final where the
 * class has been notified.
 *
 * @throws AppError conflict for a sheet that is not confirmed or has nothing to record, and for the submitter where a second
 * person has to confirm; stale with a new preview when the fingerprint no longer holds
 */
export async function recordRemaining(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  fingerprint: string,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  if (sheet.state !== 'confirmed') {
    throw new AppError('conflict', 'This mark sheet is not confirmed yet.');
  }
  await lockStudents(tx, sheetId);
  const plan = await planRemaining(tx, sheet);
  const { preview, planned, due } = plan;
  if (due.length === 0) throw new AppError('conflict', 'All results of this mark sheet are recorded.');
  await requireSecondPerson(tx, author, sheet, plan);
  await requireFingerprint(tx, sheet, plan, fingerprint);
  if (planned.length === 0) {
    const reasons = preview.blocked.slice(0, 5).map(({ student_id, reason }) => `${student_id}: ${reason}`);
    throw new AppError('conflict', `No result can be recorded yet. ${reasons.join(' ')}`);
  }
  await storeLetters(tx, author, sheet, planned, sheet.notification === null);
  const written = planned.map(({ row }) => row.student_id);
  await setLeft(tx, sheetId, written, 0);
  await bumpVersion(tx, sheet, 'setup');
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: { not_recorded: due.map(({ student_id }) => student_id).join(', ') },
    after: {
      results: planned.length,
      not_recorded: preview.blocked.map(({ student_id }) => student_id).join(', ') || null,
    },
  });
  return presentSheet(tx, await requireSheet(tx, sheetId));
}
