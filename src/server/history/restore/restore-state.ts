import type { HistoryState, RestorePreview } from '../../../contract/history.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { AppError, InvalidFields } from '../../errors.ts';
import type { Created } from '../../http/idempotency.ts';
import type { Entry } from '../chain.ts';
import { fieldChanges, readState } from '../fields.ts';
import type { Author } from '../record-change.ts';
import { planCourse, planMarks } from './courses.ts';
import { obstacle, type Plan } from './plan.ts';
import { planFamily, planSemester, planStudent } from './students.ts';

const PLANS = {
  student: planStudent,
  family: planFamily,
  semester: planSemester,
  course: planCourse,
  marks: planMarks,
} as const;

/** Says what restoring a state would do, and whether it can be done. */
export async function previewRestore(
  db: Db,
  number: number,
  which: HistoryState,
): Promise<{ preview: RestorePreview; version: string | undefined }> {
  const entry = await findEntry(db, number);
  try {
    const plan = await planOf(db, entry, which);
    return { preview: { obstacle: null, changes: changesOf(entry, plan) }, version: plan.version };
  } catch (error) {
    if (!(error instanceof AppError) || error.refusal !== 'conflict') throw error;
    return { preview: { obstacle: error.message, changes: [] }, version: undefined };
  }
}

/**
 * Makes the state of a thing before or after an entry's change the current one, with an entry of its own that names it.
 *
 * @throws AppError conflict, with the reason, when that can't be; stale when the thing is another version by now
 */
export async function restoreState(
  tx: Tx,
  author: Author,
  { number, which, ifMatch }: { number: number; which: HistoryState; ifMatch: string | undefined },
): Promise<Created> {
  const entry = await findEntry(tx, number);
  const plan = await planOf(tx, entry, which);
  try {
    const etag = await plan.apply(tx, { ...author, restores: number }, ifMatch);
    return { etag, reply: { message: 'The earlier state has been restored.' } };
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    throw obstacle(`This state can't be restored as it was. ${Object.values(error.errors).flat().join(' ')}`);
  }
}

async function planOf(db: Db, entry: Entry, which: HistoryState): Promise<Plan> {
  const { entity } = entry;
  if (entity === 'user' || entity === 'view' || entity === 'export' || entity === 'list') {
    throw obstacle('Only students, their families and results, and courses can be restored.');
  }
  if (entry[which] === null) {
    throw obstacle(
      which === 'before' ? 'There was nothing before this entry.' : 'There was nothing after this entry.',
    );
  }
  const plan = await PLANS[entity](db, entry, readState(entry[which]), which);
  if (changesOf(entry, plan).length === 0) throw obstacle('It is already as it was then.');
  return plan;
}

const changesOf = ({ entity }: Entry, { current, target }: Plan) => fieldChanges(entity, current, target);

async function findEntry(db: Db, number: number): Promise<Entry> {
  const entry = await db.selectFrom('history').selectAll().where('id', '=', number).executeTakeFirst();
  if (entry === undefined) throw new AppError('not-found', 'There is no such entry in the history.');
  return entry;
}
