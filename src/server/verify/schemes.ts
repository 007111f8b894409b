import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { exceptionInput, outsideCreditInput } from '../../contract/schemes/audit.ts';
import { schemeUpdate } from '../../contract/schemes/schemes.ts';
import { foldKey, SCHEME_LIMITS } from '../../domain/schemes/scheme.ts';
import type { Db } from '../db/schema.ts';
import { checkInput } from '../http/validation.ts';
import { parseDegrees } from '../schemes/present-scheme.ts';
import { parseRows, toStoredRows } from '../students/audit/schemes.ts';

/** Finds schemes, exceptions and credits from elsewhere that no call would have stored. */
export async function* incorrectSchemes(db: Db): AsyncGenerator<string> {
  const schemes = await db.selectFrom('schemes').selectAll().orderBy('scheme_id').execute();
  for (const { scheme_id, number, published_at, ...row } of schemes) {
    const rows = parseRows(row);
    const texts = findTexts(schemeUpdate, { ...row, degrees: parseDegrees(row), rows });
    if (new Set(rows.map(({ key }) => foldKey(key))).size !== rows.length)
      texts.push('Two rows have one key.');
    if (!isDeepStrictEqual(JSON.parse(toStoredRows(rows)), rows))
      texts.push('The rows are not in the order of the semesters.');
    if ((number === null) !== (published_at === null)) texts.push('Its number is not that of a publication.');
    for (const text of texts) yield `Scheme ${scheme_id}: ${text}`;
  }
  const exceptions = await db.selectFrom('scheme_exceptions').selectAll().orderBy('exception_id').execute();
  yield* faultsOf(exceptions, {
    most: SCHEME_LIMITS.exceptions,
    name: ({ exception_id }) => `exception ${exception_id}`,
    check: ({ row_key, course_id, reason }) => findTexts(exceptionInput, { row: row_key, course_id, reason }),
  });
  const outside = await db.selectFrom('outside_credits').selectAll().orderBy('outside_id').execute();
  yield* faultsOf(outside, {
    most: SCHEME_LIMITS.outsideCredits,
    name: ({ outside_id }) => `credits from elsewhere ${outside_id}`,
    check: ({ row_key, ...row }) => findTexts(outsideCreditInput, { ...row, row: row_key }),
  });
}

/** What the check of a call says about a stored thing. */
function findTexts(schema: z.ZodType, stored: object): string[] {
  const checked = checkInput(schema, stored);
  return 'errors' in checked
    ? Object.entries(checked.errors).map(([field, [text]]) => `${field}: ${text}`)
    : [];
}

/** The faults of what students have, of which none has more than the most. */
function* faultsOf<Row extends { student_id: string; row_key: string | null }>(
  rows: readonly Row[],
  { most, name, check }: { most: number; name: (row: Row) => string; check: (row: Row) => string[] },
): Generator<string> {
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  for (const row of rows) {
    const { student_id, row_key } = row;
    const count = (counts.get(student_id) ?? 0) + 1;
    counts.set(student_id, count);
    const key = row_key === null ? undefined : `${foldKey(row_key)} ${student_id}`;
    const texts = check(row);
    if (count > most) texts.push(`It is one of more than ${most}.`);
    if (key !== undefined && taken.has(key)) texts.push(`The row ${row_key} has another one.`);
    if (key !== undefined) taken.add(key);
    for (const text of texts) yield `Student ${student_id}, ${name(row)}: ${text}`;
  }
}
