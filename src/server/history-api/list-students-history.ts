import type { HistoryPage } from '../../contract/history.ts';
import type { Db } from '../db/schema.ts';
import { type HistoryFilter, listHistory } from '../history/list-history.ts';
import { STUDENT_ENTITIES } from '../history/record-change.ts';
import { findPresentId, formerHistory } from '../students/former-ids.ts';
import { studentPage } from '../students/list/list-page.ts';
import { isStudentId } from '../students/queries.ts';

/** Students whose entries are read; of a name that more have, the best matches. */
const MOST_STUDENTS_FOUND = 20;

/**
 * The history of the students that a text finds: by an ID, which may be a former one or that of a deleted student, and by
 * the words of a name as the student list finds them. A name that many have gives the best matches.
 */
export async function listStudentsHistory(
  db: Db,
  text: string,
  filter: HistoryFilter,
  page: { limit: number | undefined; cursor: string | undefined },
): Promise<HistoryPage> {
  const { students, next_cursor } = await studentPage(
    db,
    { q: text },
    { limit: MOST_STUDENTS_FOUND, cursor: undefined },
  );
  // A former ID stands for the present one, whose history has the entries of both.
  const typedId = (await findPresentId(db, text)) ?? (isStudentId(text) ? text : undefined);
  const ids = new Set([...(typedId === undefined ? [] : [typedId]), ...students.map(({ id }) => id)]);
  const former = await formerHistory(db, [...ids]);
  const [first, ...others] = [...[...ids].map((entityId) => ({ entityId })), ...former];
  const asked = filter.entities;
  const entities = STUDENT_ENTITIES.filter((entity) => asked === undefined || asked.includes(entity));
  const has_all_students = next_cursor === null;
  if (first === undefined) return { entries: [], next_cursor: null, has_all_students };
  const history = await listHistory(db, { ...filter, ...first, others, entities }, page);
  return { ...history, has_all_students };
}
