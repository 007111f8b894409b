import { formatCount } from '../../domain/format-count.ts';
import { presentCourse } from '../courses/queries.ts';
import type { Db } from '../db/schema.ts';
import { parseState, type RecordState } from '../history/fields.ts';
import { COURSE_ENTITIES } from '../history/record-change.ts';
import type { CheckContext } from './check.ts';
import { findDifferingFields, findEntries, findIdsInHistory } from './history-entries.ts';

/** Courses compared per batch. */
const PAGE = 200;

/** Finds courses that differ from the history, including the number and the statistics of their marks. */
export async function* coursesWithoutHistory(db: Db, { onProgress }: CheckContext): AsyncGenerator<string> {
  let done = 0;
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('courses')
      .selectAll()
      .where('course_id', '>', last)
      .orderBy('course_id')
      .limit(PAGE)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.course_id;
    const recordedStates = await findRecordedStates(
      db,
      rows.map(({ course_id }) => String(course_id)),
    );
    for (const row of rows) {
      const state = recordedStates.get(String(row.course_id));
      if (state === undefined) {
        yield `Course ${row.course_id}: the history has no entry for its creation.`;
      } else if (state === 'deleted') {
        yield `Course ${row.course_id}: exists, although the history has an entry for its deletion.`;
      } else {
        const fields = findDifferingFields(state, presentCourse(row));
        if (fields.length > 0) yield `Course ${row.course_id}: ${fields.join(', ')} differ from the history.`;
      }
    }
    done += rows.length;
    onProgress(`${formatCount(done)} courses`);
  }
  yield* missingCourses(db);
}

/** Answers the state of each course according to its last history entry. */
async function findRecordedStates(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordState | 'deleted'>> {
  const recordedStates = new Map<string, RecordState | 'deleted'>();
  for await (const { action, entity_id, after } of findEntries(db, COURSE_ENTITIES, ids)) {
    recordedStates.set(entity_id, action === 'delete' ? 'deleted' : parseState(after));
  }
  return recordedStates;
}

async function* missingCourses(db: Db): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const ids = await findIdsInHistory(db, 'course', last, PAGE);
    const end = ids.at(-1);
    if (end === undefined) return;
    last = end;
    const rows = await db
      .selectFrom('courses')
      .select('course_id')
      .where('course_id', 'in', ids.map(Number))
      .execute();
    const found = new Set(rows.map(({ course_id }) => String(course_id)));
    const missing = ids.filter((id) => !found.has(id));
    const recordedStates = await findRecordedStates(db, missing);
    for (const id of missing) {
      if (recordedStates.get(id) !== 'deleted')
        yield `Course ${id}: is missing, and the history has no entry for its deletion.`;
    }
  }
}
