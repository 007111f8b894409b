import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../db/schema.ts';
import { parseState } from '../history/fields.ts';
import { parseCovered } from '../marksheets/registration/store-registrations.ts';

const recordedRow = z.looseObject({ registration_id: z.int(), student_id: z.string() });
const recordedRows = z.array(recordedRow);
type RecordedRow = z.infer<typeof recordedRow>;

/** Finds rows of sheets that were added otherwise than the history says. */
export async function* wronglyRegistered(db: Db, sheetIds: readonly number[]): AsyncGenerator<string> {
  const entries = await db
    .selectFrom('history')
    .select(['entity_id', 'before', 'after'])
    .where('entity', '=', 'sheet')
    .where('entity_id', 'in', sheetIds.map(String))
    .where((or) =>
      or.or([or('before', 'like', '%"registrations":%'), or('after', 'like', '%"registrations":%')]),
    )
    .orderBy('id')
    .execute();
  const recorded = new Map<number, RecordedRow & { sheet_id: number }>();
  for (const { entity_id, before, after } of entries) {
    for (const { registration_id } of readRows(before)) recorded.delete(registration_id);
    for (const row of readRows(after))
      recorded.set(row.registration_id, { ...row, sheet_id: Number(entity_id) });
  }
  const stored = await db
    .selectFrom('sheet_registrations')
    .selectAll()
    .where('sheet_id', 'in', sheetIds)
    .orderBy('registration_id')
    .execute();
  for (const { student_id, ...row } of stored) {
    const { student_id: _, ...expected } = recorded.get(row.registration_id) ?? {};
    recorded.delete(row.registration_id);
    if (!isDeepStrictEqual({ ...row, covered: parseCovered(row) }, expected))
      yield `Mark sheet ${row.sheet_id}, student ${student_id}: the registration differs from the history.`;
  }
  for (const { sheet_id, student_id } of recorded.values())
    yield `Mark sheet ${sheet_id}, student ${student_id}: the registration is missing.`;
}

const readRows = (json: string | null) => recordedRows.safeParse(parseState(json).registrations).data ?? [];

/** Finds students who stand on two sheets of a course in a dated term. */
export async function* registeredTwice(db: Db): AsyncGenerator<string> {
  const { rows } = await sql<{ student_id: string; course_id: number; name: string }>`
    select r.student_id, h.course_id, t.name
    from terms t join sheets h on h.term_id = t.term_id join sheet_rows r on r.sheet_id = h.sheet_id
    where t.add_until is not null and h.rectifies is null
    group by r.student_id, h.course_id, t.term_id, t.name having count(*) > 1
    order by r.student_id, h.course_id`.execute(db);
  for (const { student_id, course_id, name } of rows)
    yield `Student ${student_id}: is on two mark sheets of course ${course_id} in ${name}.`;
}
