import { z } from 'zod';
import { exceptionReply, outsideCreditReply } from '../../contract/schemes/audit.ts';
import { academicReply } from '../../contract/students/academics.ts';
import { familyReply, studentReply } from '../../contract/students/students.ts';
import { STANDINGS } from '../../domain/student.ts';
import type { Tx } from '../db/schema.ts';
import { groupBy } from '../group-by.ts';
import { findExceptions, toExceptionState } from './audit/exceptions.ts';
import { findOutsideCredits, presentOutsideCredit } from './audit/outside-credits.ts';
import type { StudentRow } from './derived/derived-columns.ts';
import { findFormerIds } from './former-ids.ts';
import { toStandingFacts } from './grading/notified-standing.ts';
import { findHolds, storedHold, toHoldState } from './holds/stored-holds.ts';
import { academicsJson, assembleRecord, findRecords, presentStudent, type ResultParts } from './queries.ts';

const exceptionState = exceptionReply
  .omit({ by: true, at: true })
  .extend({ made_at: z.iso.datetime(), made_by: z.int().nullable(), made_name: z.string() });

/** A whole record as the history keeps it. Without a family there may still be results, which mark sheets wrote. */
export const wholeRecord = z.object({
  student: studentReply,
  family: familyReply.optional(),
  academics: z.array(academicReply).optional(),
  former_ids: z.array(z.object({ id: z.string(), entry: z.int() })).optional(),
  /** Decisions about rows of the scheme, and courses from elsewhere; absent without any. */
  exceptions: z.array(exceptionState).optional(),
  outside_credits: z.array(outsideCreditReply).optional(),
  /** Absent without any. */
  holds: z.array(storedHold).optional(),
  /** The standings that were notified; absent without any. */
  notified_standings: z
    .array(
      z.object({
        semester: z.int(),
        /** Null when nothing was graded. */
        standing: z.enum(STANDINGS).nullable(),
        clause: z.string().nullable(),
        policy_id: z.int(),
      }),
    )
    .optional(),
});
export type WholeRecord = z.infer<typeof wholeRecord>;

/** The whole records of students by id, for the history. */
export async function readWholeRecords(
  tx: Tx,
  rows: readonly StudentRow[],
): Promise<ReadonlyMap<string, object>> {
  const ids = rows.map(({ id }) => id);
  const formerIds = await findFormerIds(tx, ids);
  const exceptions = groupBy(await findExceptions(tx, ids), ({ student_id }) => student_id);
  const outside = groupBy(await findOutsideCredits(tx, ids), ({ student_id }) => student_id);
  const holds = groupBy(await findHolds(tx, ids), ({ student_id }) => student_id);
  const records = new Map((await findRecords(tx, ids)).map((parts) => [parts.id, parts]));
  return new Map(
    rows.map((row) => {
      const former_ids = formerIds.get(row.id);
      const parts = records.get(row.id);
      const record: object | null =
        parts === undefined ? null : JSON.parse(assembleRecord(row.id, parts).json);
      // Mark sheets record results without a family, too.
      const academics: unknown[] =
        record !== null || parts === undefined ? [] : JSON.parse(academicsJson(row.id, parts));
      const notified_standings = parts && readNotified(parts);
      return [
        row.id,
        {
          ...(record ?? { student: presentStudent(row), ...(academics.length > 0 && { academics }) }),
          ...(former_ids && { former_ids }),
          ...(exceptions.has(row.id) && { exceptions: exceptions.get(row.id)?.map(toExceptionState) }),
          ...(outside.has(row.id) && { outside_credits: outside.get(row.id)?.map(presentOutsideCredit) }),
          ...(holds.has(row.id) && { holds: holds.get(row.id)?.map(toHoldState) }),
          ...(notified_standings?.length && { notified_standings }),
        },
      ];
    }),
  );
}

const readNotified = (parts: ResultParts): NonNullable<WholeRecord['notified_standings']> =>
  toStandingFacts(parts).flatMap(({ semester, notified_policy, notified_standing, notified_clause }) =>
    notified_policy === null
      ? []
      : {
          semester,
          standing: notified_standing || null,
          clause: notified_clause,
          policy_id: notified_policy,
        },
  );
