import { z } from 'zod';
import { academicReply } from '../../contract/students/academics.ts';
import { familyReply, studentReply } from '../../contract/students/students.ts';
import type { Tx } from '../db/schema.ts';
import type { StudentRow } from './derived/derived-columns.ts';
import { findFormerIds } from './former-ids.ts';
import { assembleRecord, findRecords, presentStudent } from './queries.ts';

/** A whole record as the history keeps it. Without a family there is only the base record. */
export const wholeRecord = z.object({
  student: studentReply,
  family: familyReply.optional(),
  academics: z.array(academicReply).optional(),
  former_ids: z.array(z.object({ id: z.string(), entry: z.int() })).optional(),
});
export type WholeRecord = z.infer<typeof wholeRecord>;

/** The whole records of students by id, for the history. */
export async function readWholeRecords(
  tx: Tx,
  rows: readonly StudentRow[],
): Promise<ReadonlyMap<string, object>> {
  const ids = rows.map(({ id }) => id);
  const formerIds = await findFormerIds(tx, ids);
  const records = new Map(
    (await findRecords(tx, ids)).map((parts) => [parts.id, assembleRecord(parts.id, parts).json]),
  );
  return new Map(
    rows.map((row) => {
      const former_ids = formerIds.get(row.id);
      const record: object | null = JSON.parse(records.get(row.id) ?? 'null');
      return [row.id, { ...(record ?? { student: presentStudent(row) }), ...(former_ids && { former_ids }) }];
    }),
  );
}
