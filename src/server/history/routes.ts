import { z } from 'zod';
import { courseIdPath } from '../../contract/course-id.ts';
import { errorReply, invalidReply, messageReply, staleReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import {
  historyQuery,
  historyReply,
  recordHistoryQuery,
  restorePreview,
  restoreQuery,
} from '../../contract/history.ts';
import type { Actor } from '../accounts/actor.ts';
import type { App, Deps } from '../app-types.ts';
import { findCourse } from '../courses/queries.ts';
import { noSuchCourse } from '../courses/write-course.ts';
import type { Db } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { actorOf, requireAdmin } from '../http/authentication.ts';
import { createOnce } from '../http/idempotency.ts';
import { findStudent, isStudentId } from '../students/queries.ts';
import { noSuchStudent } from '../students/write-student.ts';
import { beginningOf } from './beginning-of.ts';
import { filterOf } from './filter-of.ts';
import { OF_COURSE, OF_STUDENT } from './first-version.ts';
import { type HistoryFilter, listHistory } from './list-history.ts';
import { previewRestore, restoreState } from './restore/restore-state.ts';

const tags = ['History'];
const entryPath = z.object({ entry: numberedPath });
const refusals = { 401: errorReply, 403: errorReply, 422: invalidReply };

/** Who changed what. Earlier values of a record are more than its present ones, so a viewer does not get them. */
export function historyRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/history',
    {
      schema: {
        tags,
        summary: 'The history of everything, the latest first',
        description: 'For administrators. Every filter that is given has to hold.',
        querystring: historyQuery,
        response: { 200: historyReply, ...refusals },
      },
    },
    async (request) => {
      requireAdmin(request);
      const { limit, cursor, ...asked } = request.query;
      return listHistory(db.read, filterOf(asked), { limit, cursor });
    },
  );

  app.get(
    '/api/students/:id/history',
    {
      schema: {
        tags,
        summary: 'Everything that was changed in a record: base, family and results',
        description:
          'For staff and administrators; of a student who has been deleted, under this ID or before, for administrators.',
        params: z.object({ id: z.string() }),
        querystring: recordHistoryQuery,
        response: { 200: historyReply, ...refusals, 404: errorReply },
      },
    },
    async (request) => {
      const { id } = request.params;
      const actor = requireWriter(actorOf(request));
      const isThere = (await findStudent(db.read, id)) !== undefined;
      const filter = { entities: OF_STUDENT, entityId: id };
      if (!isThere && !(isStudentId(id) && (await mayReadDeleted(db.read, actor, filter))))
        throw noSuchStudent();
      const { limit, cursor, ...asked } = request.query;
      const bounds = await boundsOf(db.read, actor, 'student', id);
      return listHistory(db.read, { ...filter, ...bounds, ...filterOf(asked) }, { limit, cursor });
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
        response: { 200: historyReply, ...refusals, 404: errorReply },
      },
    },
    async (request) => {
      const { course_id } = request.params;
      const actor = requireWriter(actorOf(request));
      const isThere = (await findCourse(db.read, course_id)) !== undefined;
      const filter = { entities: OF_COURSE, entityId: String(course_id) };
      if (!isThere && !(await mayReadDeleted(db.read, actor, filter))) throw noSuchCourse();
      const { limit, cursor, ...asked } = request.query;
      const bounds = await boundsOf(db.read, actor, 'course', filter.entityId);
      return listHistory(db.read, { ...filter, ...bounds, ...filterOf(asked) }, { limit, cursor });
    },
  );

  app.get(
    '/api/history/:entry/restore',
    {
      schema: {
        tags,
        summary: 'What restoring the state before or after an entry would do',
        description: 'For administrators. The version answered is for the If-Match of the restore.',
        params: entryPath,
        querystring: restoreQuery,
        response: { 200: restorePreview, ...refusals, 404: errorReply },
      },
    },
    async (request, reply) => {
      requireAdmin(request);
      const { preview, version } = await previewRestore(db.read, request.params.entry, request.query.state);
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
        description:
          'For administrators. It is checked, versioned and entered in the history as any other change.',
        params: entryPath,
        querystring: restoreQuery,
        response: { 201: messageReply, ...refusals, 404: errorReply, 409: errorReply, 412: staleReply },
      },
    },
    async (request, reply) => {
      const actor = requireAdmin(request);
      const ifMatch = request.headers['if-match'];
      const { entry } = request.params;
      return createOnce(db.write, request, reply, (tx) =>
        restoreState(tx, actor, { number: entry, which: request.query.state, ifMatch }),
      );
    },
  );
}

function requireWriter(actor: Actor): Actor {
  if (actor.role === 'viewer')
    throw new AppError('forbidden', 'Your role lets you read records, not their history.');
  return actor;
}

/** Of a record whose ID another one had before it, that one's past is not for staff. */
async function boundsOf(db: Db, actor: Actor, entity: 'student' | 'course', id: string) {
  return actor.role === 'admin' ? {} : { since: await beginningOf(db, entity, id) };
}

/** A deleted record is within an administrator's reach alone. */
async function mayReadDeleted(db: Db, actor: Actor, filter: HistoryFilter): Promise<boolean> {
  if (actor.role !== 'admin') return false;
  return (await listHistory(db, filter, { limit: 1 })).entries.length > 0;
}
