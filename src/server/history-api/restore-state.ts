import type { MessageReply } from '../../contract/errors.ts';
import type { HistoryState, RestorePreview } from '../../contract/history.ts';
import { findCourse } from '../courses/queries.ts';
import type { Db, Tx } from '../db/schema.ts';
import { AppError, ValidationError } from '../errors.ts';
import type { Entry } from '../history/chain.ts';
import { fieldChanges, parseState } from '../history/fields.ts';
import { firstEntryId } from '../history/list-history.ts';
import { COURSE_ENTITIES, STUDENT_ENTITIES } from '../history/record-change.ts';
import type { Actor } from '../http/actor.ts';
import type { Created } from '../http/idempotency.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { anotherStudents, findOwnerAtEntry } from '../students/former-ids.ts';
import { findStudent } from '../students/queries.ts';
import {
  planCourse,
  planFamily,
  planInstitution,
  planMarks,
  planSemester,
  planStudent,
  planTerm,
  type RestoreConditions,
  type RestorePlan,
  restoreConflict,
} from './restore-plans.ts';
import { cannotBeRestored, planException, planOutsideCredit, planScheme } from './scheme-plans.ts';
import { planSheet } from './sheet-plans.ts';

const PLANS = {
  student: planStudent,
  family: planFamily,
  semester: planSemester,
  course: planCourse,
  marks: planMarks,
  term: planTerm,
  institution: planInstitution,
  sheet: planSheet,
  scheme: planScheme,
  exception: planException,
  'outside-credit': planOutsideCredit,
} as const;

/** The outcome of restoring a state, and whether it is possible. */
export async function previewRestore(
  db: Db,
  number: number,
  which: HistoryState,
): Promise<{ preview: RestorePreview; version: string | undefined }> {
  const entry = await findEntry(db, number);
  try {
    const plan = await makePlan(db, entry, which);
    const { needsReason = null, version } = plan;
    const changes = listChanges(entry, plan);
    return { preview: { obstacle: null, changes, needs_reason: needsReason }, version };
  } catch (error) {
    if (!(error instanceof AppError) || error.refusal !== 'conflict') throw error;
    return { preview: { obstacle: error.message, changes: [], needs_reason: null }, version: undefined };
  }
}

/**
 * Restores the state of a record before or after an entry's change. The new history entry refers to that entry.
 *
 * @throws AppError conflict, with the reason, when that is not possible; stale when the record has another version now
 */
export async function restoreState(
  tx: Tx,
  author: AuthorWithRole,
  { number, which, ...conditions }: { number: number; which: HistoryState } & RestoreConditions,
): Promise<Created<MessageReply>> {
  const entry = await findEntry(tx, number);
  const plan = await makePlan(tx, entry, which);
  try {
    const restored = await plan.apply(tx, { ...author, restores: number }, conditions);
    const { etag, message } =
      typeof restored === 'string'
        ? { etag: restored, message: 'The earlier state has been restored.' }
        : restored;
    return { etag, reply: { message } };
  } catch (error) {
    if (!(error instanceof ValidationError) || 'reason' in error.errors) throw error;
    throw restoreConflict(
      `This state can't be restored as it was. ${Object.values(error.errors).flat().join(' ')}`,
    );
  }
}

/**
 * A state is restored by administrators; the latest deletion of a student or course also by whoever made it.
 *
 * @throws AppError forbidden
 */
export async function requireRestoreRight(
  db: Db,
  { id, role }: Pick<Actor, 'id' | 'role'>,
  { number, which }: { number: number; which: HistoryState },
): Promise<void> {
  if (role === 'admin') return;
  const entry = await findEntry(db, number);
  const { action, entity, entity_id } = entry;
  const isDeletion =
    action === 'delete' && which === 'before' && (entity === 'student' || entity === 'course');
  if (isDeletion && role === 'staff' && entry.user_id === id) {
    const latest = await db
      .selectFrom('history')
      .select((eb) => eb.fn.max('id').as('id'))
      .where('entity', '=', entity)
      .where('entity_id', '=', entity_id)
      .where('action', '=', 'delete')
      .executeTakeFirst();
    if (Number(latest?.id) === number) return;
  }
  throw new AppError('forbidden', 'Only an administrator or whoever deleted it can do this.');
}

async function makePlan(db: Db, entry: Entry, which: HistoryState): Promise<RestorePlan> {
  const { entity } = entry;
  if (entity === 'equivalent' || entity === 'opening' || entity === 'hold') throw cannotBeRestored();
  if (
    entity === 'user' ||
    entity === 'view' ||
    entity === 'export' ||
    entity === 'list' ||
    entity === 'policy' ||
    entity === 'result-notification' ||
    entity === 'document'
  ) {
    throw restoreConflict(
      'Only students, their families and results, courses, terms, mark sheets and the institution can be restored.',
    );
  }
  // A deletion may have a reason beside the state, which is empty.
  if (entry[which] === null || (which === 'after' && entry.action === 'delete')) {
    throw restoreConflict(
      which === 'before' ? 'There was nothing before this entry.' : 'There was nothing after this entry.',
    );
  }
  const plan = await PLANS[entity](db, await underPresentId(db, entry), parseState(entry[which]), which);
  if (listChanges(entry, plan).length === 0) throw restoreConflict('The record is already in this state.');
  return plan;
}

/**
 * The entry as if the present ID of its record had been used for it.
 *
 * @throws AppError conflict when another record has the ID now
 */
async function underPresentId(db: Db, entry: Entry): Promise<Entry> {
  const { id, entity, entity_id, action } = entry;
  // Creates the record again.
  if (action === 'delete' && (entity === 'student' || entity === 'course')) return entry;
  if (COURSE_ENTITIES.some((one) => one === entity)) {
    const isInUse = (await findCourse(db, Number(entity_id))) !== undefined;
    if (isInUse && id < (await firstEntryId(db, 'course', entity_id))) {
      throw restoreConflict('This entry is about another course, which had this ID before.');
    }
    return entry;
  }
  if (!STUDENT_ENTITIES.some((one) => one === entity)) return entry;
  const isInUse = (await findStudent(db, entity_id)) !== undefined;
  if (isInUse && id >= (await firstEntryId(db, 'student', entity_id))) return entry;
  const owner = await findOwnerAtEntry(db, entity_id, id);
  if (isInUse && owner === undefined) throw anotherStudents();
  return owner === undefined ? entry : { ...entry, entity_id: owner };
}

const listChanges = ({ entity }: Entry, { current, target }: RestorePlan) =>
  fieldChanges(entity, current, target);

async function findEntry(db: Db, number: number): Promise<Entry> {
  const entry = await db.selectFrom('history').selectAll().where('id', '=', number).executeTakeFirst();
  if (entry === undefined) throw new AppError('not-found', 'There is no such entry in the history.');
  return entry;
}
