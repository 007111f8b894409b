import { z } from 'zod';
import { messageReply } from '../../contract/errors.ts';
import { courseIdPath, numberedPath } from '../../contract/fields.ts';
import {
  deletionsReply,
  historyQuery,
  historyReply,
  recordHistoryQuery,
  restoreInput,
  restorePreview,
  restoreQuery,
} from '../../contract/history.ts';
import type { App, Deps } from '../app-types.ts';
import { findCourse } from '../courses/queries.ts';
import { noSuchCourse } from '../courses/write-course.ts';
import type { Db } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { firstEntryId, type HistoryFilter, listHistory, toHistoryFilter } from '../history/list-history.ts';
import { COURSE_ENTITIES, STUDENT_ENTITIES } from '../history/record-change.ts';
import { type Actor, requireActor, requireAdmin, requireStaff } from '../http/actor.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { noSuchSheet } from '../marksheets/sheet.ts';
import { findPresentId, formerHistory, noSuchStudent } from '../students/former-ids.ts';
import { findStudent, isStudentId } from '../students/queries.ts';
import { listDeletions } from './list-deletions.ts';
import { listStudentsHistory } from './list-students-history.ts';
import { previewRestore, requireRestoreRight, restoreState } from './restore-state.ts';

const tags = ['History'];
const sheetPath = z.object({ sheet_id: numberedPath });
const entryPath = z.object({ entry: numberedPath });

const WHO_RESTORES =
  'For administrators; the latest deletion of a student or course also for whoever made it.';

/**
 * Reading the history and restoring from it. These routes have a folder above the features: they read and change students and
 * courses, which record their changes in `history`. Viewers may read records, but not their earlier values.
 */
export function historyRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/history',
    {
      schema: {
        tags,
        summary: 'The history of everything, the latest first',
        description:
          'For administrators. Every filter that is given has to hold. `student` is an ID, a former ID or a name.',
        querystring: historyQuery,
        response: { 200: historyReply, ...refusals(403, 422) },
      },
    },
    async (request) => {
      requireAdmin(request);
      const { limit, cursor, student, ...asked } = request.query;
      const page = { limit, cursor };
      if (student === undefined) return listHistory(db.read, toHistoryFilter(asked), page);
      return listStudentsHistory(db.read, student, toHistoryFilter(asked), page);
    },
  );

  app.get(
    '/api/students/:id/history',
    {
      schema: {
        tags,
        summary: 'Everything that was changed in a record: base, family and results',
        description:
          'For staff and administrators, by the present ID or a former one; of a student who has been deleted, under this ID or before, for administrators.',
        params: z.object({ id: z.string() }),
        querystring: recordHistoryQuery,
        response: { 200: historyReply, ...refusals(403, 404, 422) },
      },
    },
    async (request) => {
      const actor = requireWriter(requireActor(request));
      const askedId = request.params.id;
      const isThere = (await findStudent(db.read, askedId)) !== undefined;
      const present = isThere ? askedId : await findPresentId(db.read, askedId);
      const id = present ?? askedId;
      const filter = { entities: STUDENT_ENTITIES, entityId: id };
      if (present === undefined && !(isStudentId(id) && (await mayReadDeleted(db.read, actor, filter))))
        throw noSuchStudent();
      const { limit, cursor, ...asked } = request.query;
      const bounds = await readBounds(db.read, actor, 'student', id);
      const former = await formerHistory(db.read, [id]);
      return listHistory(
        db.read,
        { ...filter, ...bounds, others: former, ...toHistoryFilter(asked) },
        { limit, cursor },
      );
    },
  );

  app.get(
    '/api/courses/:course_id/history',
    {
      schema: {
        tags,
        summary: 'Everything that was changed in a course; of its marks their number and statistics',
        description:
          'For staff and administrators; of a course that has been deleted, under this ID or before, for administrators.',
        params: z.object({ course_id: courseIdPath }),
        querystring: recordHistoryQuery,
        response: { 200: historyReply, ...refusals(403, 404, 422) },
      },
    },
    async (request) => {
      const { course_id } = request.params;
      const actor = requireWriter(requireActor(request));
      const isThere = (await findCourse(db.read, course_id)) !== undefined;
      const filter = { entities: COURSE_ENTITIES, entityId: String(course_id) };
      if (!isThere && !(await mayReadDeleted(db.read, actor, filter))) throw noSuchCourse();
      const { limit, cursor, ...asked } = request.query;
      const bounds = await readBounds(db.read, actor, 'course', filter.entityId);
      return listHistory(db.read, { ...filter, ...bounds, ...toHistoryFilter(asked) }, { limit, cursor });
    },
  );

  app.get(
    '/api/sheets/:sheet_id/history',
    {
      schema: {
        tags,
        summary: 'Everything that was changed in a mark sheet',
        description: 'For staff and administrators; of a sheet that has been deleted, for administrators.',
        params: sheetPath,
        querystring: recordHistoryQuery,
        response: { 200: historyReply, ...refusals(403, 404, 422) },
      },
    },
    async (request) => {
      const { sheet_id } = request.params;
      const actor = requireWriter(requireActor(request));
      const filter = { entities: ['sheet'], entityId: String(sheet_id) } as const;
      const isThere = await hasSheet(db.read, sheet_id);
      if (!isThere && !(await mayReadDeleted(db.read, actor, filter))) throw noSuchSheet();
      const { limit, cursor, ...asked } = request.query;
      const bounds = await readBounds(db.read, actor, 'sheet', filter.entityId);
      return listHistory(db.read, { ...filter, ...bounds, ...toHistoryFilter(asked) }, { limit, cursor });
    },
  );

  app.get(
    '/api/deletions',
    {
      schema: {
        tags,
        summary: 'The latest deletions of single students and courses',
        description: 'For administrators those of everybody, for staff their own.',
        response: { 200: deletionsReply, ...refusals(403) },
      },
    },
    (request) => listDeletions(db.read, requireStaff(request)),
  );

  app.get(
    '/api/history/:entry/restore',
    {
      schema: {
        tags,
        summary: 'What restoring the state before or after an entry would do',
        description: `${WHO_RESTORES} The version answered is for the If-Match of the restore.`,
        params: entryPath,
        querystring: restoreQuery,
        response: { 200: restorePreview, ...refusals(403, 404, 422) },
      },
    },
    async (request, reply) => {
      const { entry } = request.params;
      const { state } = request.query;
      await requireRestoreRight(db.read, requireStaff(request), { number: entry, which: state });
      const { preview, version } = await previewRestore(db.read, entry, state);
      if (version !== undefined) reply.header('etag', version);
      return preview;
    },
  );

  app.post(
    '/api/history/:entry/restore',
    {
      schema: {
        tags,
        summary: 'Make the state before or after an entry the current one',
        description: `${WHO_RESTORES} It is checked, versioned and entered in the history as any other change.`,
        params: entryPath,
        querystring: restoreQuery,
        body: restoreInput,
        response: { 201: messageReply, ...refusals(403, 404, 409, 412, 422) },
      },
    },
    async (request, reply) => {
      requireStaff(request);
      const ifMatch = request.headers['if-match'];
      const state = { number: request.params.entry, which: request.query.state };
      const { reason } = request.body;
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        await requireRestoreRight(tx, author, state);
        return restoreState(tx, author, { ...state, ifMatch, reason });
      });
    },
  );
}

function requireWriter(actor: Actor): Actor {
  if (actor.role === 'viewer')
    throw new AppError('forbidden', 'Your role lets you read records, not their history.');
  return actor;
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
