import type { Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { firstEntryId } from '../history/list-history.ts';
import { firstVersions, STUDENT_ENTITIES } from '../history/record-change.ts';
import { isStudentId } from './queries.ts';

/** A registration number that a student had before, and the number of the history entry that changed it. */
export interface FormerId {
  id: string;
  entry: number;
}

/** The former IDs of each student that has some, the earliest first. A look-up by primary key each. */
export async function findFormerIds(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FormerId[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('student_former_ids')
    .selectAll()
    .where('student_id', 'in', ids)
    .orderBy('student_id')
    .orderBy('history_id')
    .execute();
  const found = new Map<string, FormerId[]>();
  for (const { student_id, former_id, history_id } of rows) {
    found.set(student_id, [...(found.get(student_id) ?? []), { id: former_id, entry: history_id }]);
  }
  return found;
}

/**
 * The ID of the student who had this ID before; undefined if nobody had, or if they have been deleted.
 *
 * @param since number of a history entry; who changed the ID before that doesn't count
 */
export async function findPresentId(db: Db, formerId: string, since = 0): Promise<string | undefined> {
  if (!isStudentId(formerId)) return undefined;
  const row = await db
    .selectFrom('student_former_ids')
    .select('student_id')
    .where('former_id', '=', formerId)
    .where('student_id', '!=', formerId)
    .where('history_id', '>', since)
    .orderBy('history_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.student_id;
}

/**
 * The students who had these IDs before, by former ID.
 *
 * @param since number of a history entry for an ID; who changed it before that doesn't count
 */
export async function findFormerOwners(
  db: Db,
  ids: readonly string[],
  since: ReadonlyMap<string, number> = new Map(),
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('student_former_ids')
    .select(['former_id', 'student_id', 'history_id'])
    .where('former_id', 'in', ids)
    .whereRef('student_id', '!=', 'former_id')
    .orderBy('history_id')
    .execute();
  return new Map(
    rows
      .filter(({ former_id, history_id }) => history_id > (since.get(former_id) ?? 0))
      .map(({ former_id, student_id }) => [former_id, student_id]),
  );
}

/** The text for an ID that a new or restored student can't have; undefined if it was never another student's. */
export async function findFormerOwner(
  db: Db,
  id: string,
  since?: number,
): Promise<{ owner: string; text: string } | undefined> {
  const owner = await findPresentId(db, id, since);
  if (owner === undefined) return undefined;
  return { owner, text: formerOwnerText(owner) };
}

/** Why an ID that this student had before can't be another's. */
export const formerOwnerText = (owner: string) =>
  `The id belonged to student ${owner} before. Enter another one.`;

/** The refusal for an ID that no student has: with the present one where it was changed. */
export async function studentNotFound(db: Db, id: string): Promise<AppError> {
  const present = await findPresentId(db, id);
  if (present === undefined) return noSuchStudent();
  return new AppError('not-found', `The registration number ${id} was changed to ${present}.`, {
    details: { present_id: present },
  });
}

export const noSuchStudent = () => new AppError('not-found', 'There is no student with this ID.');

/** Entries of a record under a former ID, within these bounds. */
interface FormerHistory {
  entityId: string;
  since: number;
  before: number;
}

/** The history of students under former IDs: each from the creation of the record to the change. */
export async function formerHistory(db: Db, ids: readonly string[]): Promise<FormerHistory[]> {
  const formers = [...(await findFormerIds(db, ids))].flatMap(([id, own]) =>
    own.filter((former) => former.id !== id),
  );
  return Promise.all(
    formers.map(async (former) => ({
      entityId: former.id,
      since: await firstEntryId(db, 'student', former.id, former.entry),
      before: former.entry,
    })),
  );
}

/** The student, by present ID, who had this ID when a history entry was made, and changed it since; undefined if nobody did. */
export async function findOwnerAtEntry(db: Db, id: string, entry: number): Promise<string | undefined> {
  const left = await db
    .selectFrom('student_former_ids')
    .select(['student_id', 'history_id'])
    .where('former_id', '=', id)
    .where('history_id', '>=', entry)
    .orderBy('history_id')
    .limit(1)
    .executeTakeFirst();
  if (left === undefined || entry < (await firstEntryId(db, 'student', id, left.history_id)))
    return undefined;
  return left.student_id;
}

/** The refusal to restore an entry of the earlier owner of an ID. */
export const anotherStudents = () =>
  new AppError('conflict', 'This entry is about another student, who had this ID before.');

/** Higher than any version of a record that had these IDs one after the other. */
export async function sumOfFirstVersions(tx: Tx, ids: readonly string[]): Promise<number> {
  const versions = await firstVersions(tx, STUDENT_ENTITIES, [...new Set(ids)]);
  return [...versions.values()].reduce((sum, version) => sum + version, 0);
}
