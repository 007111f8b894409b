import { type ExpressionBuilder, sql } from 'kysely';
import { HOME_ITEMS, type Home } from '../../../contract/home.ts';
import { HOLDS_PAGE, type Hold, type HoldsPage, type HoldsQuery } from '../../../contract/students/holds.ts';
import { calendarDate } from '../../../domain/age.ts';
import { HOLD_ENDS_SOON_DAYS } from '../../../domain/holds.ts';
import { contains } from '../../db/dialect/sql.ts';
import type { Db, Schema } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { noSuchStudent, studentNotFound } from '../former-ids.ts';
import { findStudent, isStudentId } from '../queries.ts';
import { findHolds, presentHold } from './stored-holds.ts';

/** The latest hold first. @throws AppError not-found */
export async function listStudentHolds(db: Db, id: string): Promise<Hold[]> {
  if (!isStudentId(id)) throw noSuchStudent();
  if ((await findStudent(db, id)) === undefined) throw await studentNotFound(db, id);
  const today = calendarDate(new Date());
  return (await findHolds(db, [id])).map((row) => presentHold(row, today));
}

const DAY_MS = 24 * 60 * 60_000;
const endsSoon = () => calendarDate(new Date(Date.now() + HOLD_ENDS_SOON_DAYS * DAY_MS));

/** The condition for a state of today. */
function inState(
  eb: ExpressionBuilder<Schema & { h: Schema['holds'] }, 'h'>,
  state: Hold['state'],
  today: string,
) {
  if (state === 'released') return eb('h.released_at', 'is not', null);
  const open = eb('h.released_at', 'is', null);
  const hasEnded = eb.and([eb('h.ends_on', 'is not', null), eb('h.ends_on', '<', today)]);
  if (state === 'ended') return eb.and([open, hasEnded]);
  return eb.and([open, eb.not(hasEnded), eb('h.starts_on', state === 'future' ? '>' : '<=', today)]);
}

/** Holds of all students, the latest first. @throws ValidationError on a `cursor` that is none */
export async function listHolds(
  db: Db,
  { kind, state, blocks, ending, q, limit = HOLDS_PAGE.usual, cursor }: HoldsQuery,
): Promise<HoldsPage> {
  if (cursor !== undefined && !/^[1-9]\d{0,9}$/.test(cursor))
    throw invalidField('cursor', 'The cursor must be the next_cursor of a page with the same filters.');
  const today = calendarDate(new Date());
  const asked = q?.toLowerCase() ?? '';
  const matching = db
    .selectFrom('holds as h')
    .innerJoin('students as s', 's.id', 'h.student_id')
    .$if(kind !== undefined, (query) => query.where('h.kind', '=', kind ?? 'other'))
    .$if(state !== undefined, (query) => query.where((eb) => inState(eb, state ?? 'active', today)))
    .$if(blocks !== undefined, (query) =>
      query.where(contains(db, sql.ref('h.blocks'), sql.val(JSON.stringify(blocks)))),
    )
    .$if(ending !== undefined, (query) =>
      query.where((eb) => eb.and([inState(eb, 'active', today), eb('h.ends_on', '<=', endsSoon())])),
    )
    .$if(q !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb(sql`lower(substr(s.id, 1, ${asked.length}))`, '=', asked),
          contains(db, sql`lower(s.first_name || ' ' || s.last_name)`, sql.val(asked)),
        ]),
      ),
    );
  const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .selectAll('h')
    .select(['s.first_name', 's.last_name', 's.department', 's.degree', 's.syn'])
    .$if(cursor !== undefined, (query) => query.where('h.hold_id', '<', Number(cursor)))
    .orderBy('h.hold_id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  return {
    holds: shown.map(({ first_name, last_name, department, degree, syn, ...row }) => ({
      ...presentHold(row, today),
      ...{ first_name, last_name, department, degree, syn },
    })),
    total: Number(total),
    next_cursor: rows.length > limit ? String(shown.at(-1)?.hold_id) : null,
  };
}

/** Active holds of all students that end soon, the next end first. */
export async function listEndingHolds(db: Db): Promise<NonNullable<Home['holds_ending']>> {
  const today = calendarDate(new Date());
  const rows = await db
    .selectFrom('holds as h')
    .innerJoin('students as s', 's.id', 'h.student_id')
    .select((eb) => [
      'h.hold_id',
      'h.student_id',
      's.first_name',
      's.last_name',
      'h.kind',
      eb.ref('h.ends_on').$notNull().as('until'),
    ])
    .where((eb) => eb.and([inState(eb, 'active', today), eb('h.ends_on', '<=', endsSoon())]))
    .orderBy('h.ends_on')
    .orderBy('h.hold_id')
    .execute();
  return { count: rows.length, items: rows.slice(0, HOME_ITEMS) };
}
