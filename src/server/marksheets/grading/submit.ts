import type { SheetChecks, SubmitInput } from '../../../contract/marksheets/grading.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { REASON_LENGTH } from '../../../domain/reason.ts';
import type { Tx } from '../../db/schema.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { recordChange } from '../../history/record-change.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { presentSheet } from '../present-sheet.ts';
import {
  bumpVersion,
  type Grading,
  lockSheet,
  requireDraft,
  requireSheet,
  type StoredGrading,
  type TakenBack,
} from '../sheet.ts';
import { describeGrading } from './boundaries.ts';
import { checkSheet } from './checks.ts';

/**
 * Submits a draft for confirmation, which fixes its policy and its boundaries.
 *
 * @throws AppError conflict with the refusals; ValidationError on `reasons.{rule}` for a warning without a reason
 */
export async function submitSheet(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  { reasons }: SubmitInput,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  const { refusals, warnings, grading } = await checkSheet(tx, sheet);
  if (refusals.length > 0) {
    const texts = refusals.map(({ text }) => text).join(' ');
    throw new AppError('conflict', `The mark sheet can’t be submitted. ${texts}`, { details: { refusals } });
  }
  const given = requireReasons(warnings, reasons ?? {});
  const stored = grading.stored ?? toStored(grading);
  await bumpVersion(tx, sheet, 'setup');
  await tx
    .updateTable('sheets')
    .set({
      state: 'submitted',
      policy_id: grading.policy_id,
      grading: JSON.stringify(stored),
      submitted_by: author.id,
      submitted_name: author.name,
      submitted_at: new Date().toISOString(),
      submit_reasons: JSON.stringify(given),
      taken_back: null,
    })
    .where('sheet_id', '=', sheetId)
    .execute();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: { state: 'draft' },
    after: {
      state: 'submitted',
      policy: grading.policy_id,
      ...describeGrading(stored),
      ...Object.fromEntries(Object.entries(given).map(([rule, text]) => [`reason_for_${rule}`, text])),
    },
  });
  return presentSheet(tx, await requireSheet(tx, sheetId));
}

/** Boundaries of the policy's method, which were not stored. */
function toStored({ method, params, step, boundaries }: Grading): StoredGrading {
  if (boundaries === null) throw new Error('A sheet without boundaries passed the checks.');
  return { method, params, step, boundaries: [...boundaries], proposed: [...boundaries], reason: null };
}

/** The reasons of the warnings that stand, by rule. */
function requireReasons(
  warnings: SheetChecks['warnings'],
  reasons: Readonly<Record<string, string>>,
): Record<string, string> {
  const errors: Record<string, string[]> = {};
  const given: Record<string, string> = {};
  for (const { rule, text } of warnings) {
    const reason = reasons[rule]?.trim() ?? '';
    if (reason.length < REASON_LENGTH.min) {
      errors[`reasons.${rule}`] = [`A reason of at least ${REASON_LENGTH.min} characters is needed. ${text}`];
    } else if (reason.length > REASON_LENGTH.max) {
      errors[`reasons.${rule}`] = [`The reason must be at most ${REASON_LENGTH.max} characters.`];
    }
    given[rule] = reason;
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return given;
}

/**
 * Makes a submitted sheet a draft again.
 *
 * @throws AppError forbidden for anybody but the submitter and administrators
 */
export async function takeBackSheet(
  tx: Tx,
  author: AuthorWithRole,
  sheetId: number,
  reason: string,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  if (sheet.state !== 'submitted') {
    throw new AppError('conflict', 'Only a submitted mark sheet can be taken back.');
  }
  if (sheet.submitted_by !== author.id && author.role !== 'admin') {
    throw new AppError('forbidden', 'Only the person who submitted it or an administrator can take it back.');
  }
  await bumpVersion(tx, sheet, 'setup');
  const takenBack: TakenBack = { by: author.id, name: author.name, at: new Date().toISOString(), reason };
  await tx
    .updateTable('sheets')
    .set({
      state: 'draft',
      // A rectification has the policy of the sheet that it rectifies.
      policy_id: sheet.rectifies === null ? null : sheet.policy_id,
      taken_back: JSON.stringify(takenBack),
    })
    .where('sheet_id', '=', sheetId)
    .execute();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    before: { state: 'submitted' },
    after: { state: 'draft', reason },
  });
  return presentSheet(tx, await requireSheet(tx, sheetId));
}
