import { isDeepStrictEqual } from 'node:util';
import { holdInput } from '../../contract/students/holds.ts';
import { MOST_HOLDS } from '../../domain/holds.ts';
import type { Db } from '../db/schema.ts';
import { parseOverride } from '../documents/register/documents.ts';
import { checkInput } from '../http/validation.ts';
import { type HoldRow, parseBlocks, parseOverrides } from '../students/holds/stored-holds.ts';

/** Finds holds that no call would have placed or released, and documents in spite of holds that do not name them. */
export async function* incorrectHolds(db: Db): AsyncGenerator<string> {
  const rows = await db.selectFrom('holds').selectAll().orderBy('hold_id').execute();
  const counts = new Map<string, number>();
  for (const row of rows) {
    const count = (counts.get(row.student_id) ?? 0) + 1;
    counts.set(row.student_id, count);
    const texts = findTexts(row);
    if (count > MOST_HOLDS) texts.push(`It is one of more than ${MOST_HOLDS}.`);
    for (const text of texts) yield `Student ${row.student_id}, hold ${row.hold_id}: ${text}`;
  }
  const overrides = new Map(rows.map((row) => [row.hold_id, parseOverrides(row)]));
  const issued = await db
    .selectFrom('documents')
    .select(['serial', 'override'])
    .where('override', 'is not', null)
    .execute();
  for (const { serial, override } of issued) {
    // Holds are gone with a deleted record.
    const named = parseOverride({ override })?.holds ?? [];
    for (const id of named)
      if (overrides.get(id)?.includes(serial) === false)
        yield `Hold ${id}: does not name document ${serial}, which was issued in spite of it.`;
  }
}

function findTexts(row: HoldRow): string[] {
  const { kind, reason, starts_on: from, ends_on: until } = row;
  const blocks = parseBlocks(row);
  const checked = checkInput(holdInput, { kind, reason, blocks, from, until });
  const texts =
    'errors' in checked
      ? Object.entries(checked.errors).map(([field, [text]]) => `${field}: ${text}`)
      : isDeepStrictEqual(checked.input.blocks, blocks)
        ? []
        : ['What it blocks is not in its order.'];
  const release = [row.released_at, row.released_name, row.release_reason];
  if (new Set(release.map((part) => part === null)).size > 1) texts.push('Its release is not whole.');
  return texts;
}
