import { historyCalls } from '../../contract/history.ts';
import type { App, Deps } from '../app-types.ts';
import { findCourse } from '../courses/queries.ts';
import { noSuchCourse } from '../courses/write-course.ts';
import type { Db } from '../db/schema.ts';
import { firstEntryId, type HistoryFilter, listHistory, toHistoryFilter } from '../history/list-history.ts';
import { COURSE_ENTITIES, STUDENT_ENTITIES } from '../history/record-change.ts';
import type { Actor } from '../http/actor.ts';
import { bindCalls } from '../http/handle.ts';
import { noSuchSheet } from '../http/sheet-teachers.ts';
import { findPresentId, formerHistory, noSuchStudent } from '../students/former-ids.ts';
import { findStudent, isStudentId } from '../students/queries.ts';
import { listDeletions } from './list-deletions.ts';
import { listStudentsHistory } from './list-students-history.ts';
import { previewRestore, requireRestoreRight, restoreState } from './restore-state.ts';

/**
 * Reading the history and restoring from it. These routes have a folder above the features: they read and change students and
 * courses, which record their changes in `history`. Viewers may read records, but not their earlier values.
 */
export function historyRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, historyCalls);

  handle('GET /api/history', ({ query }) => {
    const { limit, cursor, student, ...asked } = query;
    const page = { limit, cursor };
    if (student === undefined) return listHistory(db.read, toHistoryFilter(asked), page);
    return listStudentsHistory(db.read, student, toHistoryFilter(asked), page);
  });

  handle('GET /api/students/:id/history', async ({ params, query, actor }) => {
    const isThere = (await findStudent(db.read, params.id)) !== undefined;
    const present = isThere ? params.id : await findPresentId(db.read, params.id);
    const id = present ?? params.id;
    const filter = { entities: STUDENT_ENTITIES, entityId: id };
    if (present === undefined && !(isStudentId(id) && (await mayReadDeleted(db.read, actor, filter))))
      throw noSuchStudent();
    const { limit, cursor, ...asked } = query;
    const bounds = await readBounds(db.read, actor, 'student', id);
    const former = await formerHistory(db.read, [id]);
    return listHistory(
      db.read,
      { ...filter, ...bounds, others: former, ...toHistoryFilter(asked) },
      { limit, cursor },
    );
  });

  handle('GET /api/courses/:course_id/history', async ({ params: { course_id }, query, actor }) => {
    const isThere = (await findCourse(db.read, course_id)) !== undefined;
    const filter = { entities: COURSE_ENTITIES, entityId: String(course_id) };
    if (!isThere && !(await mayReadDeleted(db.read, actor, filter))) throw noSuchCourse();
    const { limit, cursor, ...asked } = query;
    const bounds = await readBounds(db.read, actor, 'course', filter.entityId);
    return listHistory(db.read, { ...filter, ...bounds, ...toHistoryFilter(asked) }, { limit, cursor });
  });

  handle('GET /api/sheets/:sheet_id/history', async ({ params: { sheet_id }, query, actor }) => {
    const filter = { entities: ['sheet'], entityId: String(sheet_id) } as const;
    const isThere = await hasSheet(db.read, sheet_id);
    if (!isThere && !(await mayReadDeleted(db.read, actor, filter))) throw noSuchSheet();
    const { limit, cursor, ...asked } = query;
    const bounds = await readBounds(db.read, actor, 'sheet', filter.entityId);
    return listHistory(db.read, { ...filter, ...bounds, ...toHistoryFilter(asked) }, { limit, cursor });
  });

  handle('GET /api/deletions', ({ actor }) => listDeletions(db.read, actor));

  handle('GET /api/history/:entry/restore', async ({ params: { entry }, query: { state }, actor, reply }) => {
    await requireRestoreRight(db.read, actor, { number: entry, which: state });
    const { preview, version } = await previewRestore(db.read, entry, state);
    if (version !== undefined) reply.header('etag', version);
    return preview;
  });

  handle('POST /api/history/:entry/restore', ({ params, query, body: { reason }, ifMatch, create }) =>
    create(db.write, async (tx, author) => {
      const state = { number: params.entry, which: query.state };
      await requireRestoreRight(tx, author, state);
      return restoreState(tx, author, { ...state, ifMatch, reason });
    }),
  );
}

/** Whether there is such a sheet. */
async function hasSheet(db: Db, sheetId: number): Promise<boolean> {
  const sheet = await db
    .selectFrom('sheets')
    .select('sheet_id')
    .where('sheet_id', '=', sheetId)
    .executeTakeFirst();
  return sheet !== undefined;
}

/** If an ID was used before, staff see the history of the current record only. */
async function readBounds(db: Db, actor: Actor, entity: 'student' | 'course' | 'sheet', id: string) {
  return actor.role === 'admin' ? {} : { since: await firstEntryId(db, entity, id) };
}

/** Only administrators can read the history of a deleted record. */
async function mayReadDeleted(db: Db, actor: Actor, filter: HistoryFilter): Promise<boolean> {
  if (actor.role !== 'admin') return false;
  return (await listHistory(db, filter, { limit: 1 })).entries.length > 0;
}
