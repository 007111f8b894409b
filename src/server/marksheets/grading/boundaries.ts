import type {
  BoundariesInput,
  Offerings,
  Proposal,
  ProposeInput,
} from '../../../contract/marksheets/grading.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { PolicyRules } from '../../../domain/grading/policy.ts';
import { movedBoundaries, proposeBoundaries } from '../../../domain/marksheets/boundaries.ts';
import { classStatistics } from '../../../domain/marksheets/class-statistics.ts';
import { gradeClass } from '../../../domain/marksheets/letters.ts';
import { REASON_LENGTH } from '../../../domain/reason.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { type Author, recordChange } from '../../history/record-change.ts';
import { presentSheet } from '../present-sheet.ts';
import {
  bumpVersion,
  loadGradable,
  loadPolicy,
  lockSheet,
  parseGrading,
  requireDraft,
  requireNoRectification,
  requireSheet,
  requireSheetVersion,
  type StoredGrading,
  toGrading,
  withScheme,
} from '../sheet.ts';

/** The scheme of a call. Parts that are left out are those of the policy. */
function toScheme({ method, params, step }: ProposeInput, rules: PolicyRules) {
  const own: StoredGrading['params'] = {
    ...(params?.k && { k: params.k }),
    ...(params?.quotas && { quotas: params.quotas }),
    ...(params?.boundaries && { boundaries: params.boundaries }),
  };
  return { method: method ?? rules.grading_method, params: own, step: step ?? rules.boundary_step };
}

/** The boundaries of a method for the class as it is now, and what they bring. Stores nothing. */
export async function proposeFor(db: Db, sheetId: number, input: ProposeInput): Promise<Proposal> {
  const sheet = await requireSheet(db, sheetId);
  const policy = await loadPolicy(db, sheet);
  const rows = await loadGradable(db, sheetId);
  const rules = withScheme(policy.rules, toScheme(input, policy.rules));
  const { boundaries, refused } = proposeBoundaries(rows, rules);
  const stats = classStatistics(rows);
  // Without rows nothing is counted.
  const { letters: _, ...graded } = gradeClass(boundaries === null ? [] : rows, boundaries ?? [], rules);
  return { boundaries, ...graded, warnings: boundaries === null ? [] : graded.warnings, stats, refused };
}

/**
 * Stores the boundaries of a draft.
 *
 * @throws ValidationError on `method` when it refuses the class, on `reason` when it is missing although
 * boundaries were moved by hand and there is a warning
 */
export async function storeBoundaries(
  tx: Tx,
  author: Author,
  sheetId: number,
  { boundaries, reason, ...input }: BoundariesInput,
  ifMatch: string | undefined,
): Promise<Sheet> {
  const sheet = await lockSheet(tx, sheetId);
  requireDraft(sheet);
  requireNoRectification(sheet);
  await requireSheetVersion(tx, ifMatch, sheet, () => presentSheet(tx, sheet));
  const { rules: ofPolicy } = await loadPolicy(tx, sheet);
  const rows = await loadGradable(tx, sheetId);
  const scheme = toScheme(input, ofPolicy);
  const rules = withScheme(ofPolicy, scheme);
  const { boundaries: proposed, refused } = proposeBoundaries(rows, rules);
  if (refused !== null) throw invalidField('method', refused);
  const isMoved = movedBoundaries(proposed ?? [], boundaries).length > 0;
  const { warnings } = gradeClass(rows, boundaries, rules);
  if (isMoved && warnings.length > 0 && (reason ?? '').length < REASON_LENGTH.min) {
    const texts = warnings.map(({ text }) => text).join(' ');
    throw invalidField(
      'reason',
      `The reason must have at least ${REASON_LENGTH.min} characters, since boundaries were moved by hand. ${texts}`,
    );
  }
  const stored: StoredGrading = { ...scheme, boundaries: [...boundaries], proposed, reason };
  const before = parseGrading(sheet);
  if (JSON.stringify(before) === JSON.stringify(stored)) return presentSheet(tx, sheet);
  const version = await bumpVersion(tx, sheet, 'setup');
  const grading = JSON.stringify(stored);
  await tx.updateTable('sheets').set({ grading }).where('sheet_id', '=', sheetId).execute();
  await recordChange(tx, author, {
    action: 'update',
    entity: 'sheet',
    entityId: sheetId,
    ...(before !== null && { before: describeGrading(before) }),
    after: describeGrading(stored),
  });
  return presentSheet(tx, { ...sheet, grading, version });
}

/** The part of a sheet's grading that the history keeps. */
export const describeGrading = ({ method, params, step, boundaries, proposed, reason }: StoredGrading) => ({
  method,
  ...(params.k && { k: params.k.join(' ') }),
  ...(params.quotas && { quotas: params.quotas.join(' ') }),
  step,
  boundaries: boundaries.join(' '),
  proposed_boundaries: proposed?.join(' ') ?? null,
  reason,
});

const OFFERINGS = 3;

/** The last confirmed sheets of the same course; those that were rectified count as they are now. */
export async function listOfferings(db: Db, sheetId: number): Promise<Offerings> {
  const sheet = await requireSheet(db, sheetId);
  const earlier = await db
    .selectFrom('sheets')
    .innerJoin('terms', 'terms.term_id', 'sheets.term_id')
    .selectAll('sheets')
    .select('terms.name as term_name')
    .where('course_id', '=', sheet.course_id)
    .where('state', '=', 'confirmed')
    .where('sheet_id', '!=', sheetId)
    .where('sheet_id', '!=', sheet.rectifies ?? 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sheets as later')
            .select('later.sheet_id')
            .whereRef('later.rectifies', '=', 'sheets.sheet_id')
            .where('later.state', '=', 'confirmed'),
        ),
      ),
    )
    .orderBy('terms.starts_on', 'desc')
    .orderBy('sheet_id', 'desc')
    .limit(OFFERINGS)
    .execute();
  const offerings: Offerings = [];
  for (const one of earlier) {
    const rows = await loadGradable(db, one.sheet_id);
    const { boundaries, rules } = toGrading(await loadPolicy(db, one), parseGrading(one), rows);
    if (boundaries === null) continue;
    const { shares, mean_points } = gradeClass(rows, boundaries, rules);
    offerings.push({
      sheet_id: one.sheet_id,
      term_name: one.term_name,
      class: `${one.department}-${one.degree}`,
      ...classStatistics(rows),
      mean_points,
      shares,
    });
  }
  return offerings;
}
