import { z } from 'zod';
import { messageReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import { PAGE_SIZE, studentListQuery, studentPageReply } from '../../contract/students/student-list.ts';
import {
  familyCreatedReply,
  familyInput,
  familyStepReply,
  familyUpdate,
  namesakesQuery,
  namesakesReply,
  recordReply,
  statusInput,
  studentBaseReply,
  studentCreatedReply,
  studentInput,
  studentListReply,
  studentUpdate,
} from '../../contract/students/students.ts';
import { STATUSES } from '../../domain/student.ts';
import type { App, Deps } from '../app-types.ts';
import { invalidField } from '../errors.ts';
import { requireActor, requireStaff } from '../http/actor.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { etag, versionPart } from '../http/etags.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { sendJsonPages, sendJsonText } from '../http/send-json.ts';
import { transactAs } from '../http/transact-as.ts';
import { MAX_PICTURE_BYTES, readPicture } from '../pictures/store-picture.ts';
import { checkFamilyStep } from './entry-steps.ts';
import { studentNotFound } from './former-ids.ts';
import { studentPageJson } from './list/list-page.ts';
import {
  findEntryState,
  findIdsInOtherCase,
  findNamesakes,
  findStudent,
  LIST_PAGES,
  listStudentsAfter,
  presentStudent,
  readRecord,
} from './queries.ts';
import { ReadLog } from './read-log.ts';
import { requireOwnDeletion, restoreStudent } from './restore-student.ts';
import { createFamily, updateFamily } from './write-family.ts';
import {
  changeStatus,
  createStudent,
  deleteStudent,
  toStatusColumns,
  updateStudent,
} from './write-student.ts';

const tags = ['Students'];
const path = z.object({ id: z.string() });
const changed = refusals(403, 404, 412, 422);

const PORTRAIT = { files: ['img'], fileBytes: MAX_PICTURE_BYTES };

async function readPortrait(uploads: ReadonlyMap<string, Buffer>) {
  const upload = uploads.get('img');
  return upload === undefined ? undefined : readPicture('img', upload);
}

/** IDs that differ only in case are allowed but usually a mistake. */
const toWarnings = (others: readonly string[]) =>
  others.length === 0
    ? {}
    : {
        warnings: {
          id: [`The id differs from ${others.join(', ')} only in upper and lower case. Both are kept.`],
        },
      };

export function studentRoutes(app: App, { db }: Deps): void {
  const readLog = new ReadLog(db.write, backgroundTasks(app), 'GET /api');
  app.get(
    '/api',
    { schema: { tags, summary: 'All students', response: { 200: studentListReply, ...refusals() } } },
    async (request, reply) => {
      const from = await readDatabaseFor(db, request);
      readLog.note(requireActor(request), 'whole');
      return sendJsonPages(reply, async (after: string | undefined) => {
        const limit = after === undefined ? LIST_PAGES.first : LIST_PAGES.next;
        const page = await listStudentsAfter(from, after ?? '', limit);
        const isLast = page === undefined || Number(page.count) < limit;
        return { json: page?.students ?? '[]', next: isLast ? undefined : (page.last_id ?? undefined) };
      });
    },
  );

  app.get(
    '/api/students/:id',
    {
      schema: {
        tags,
        summary: 'A whole record',
        description: 'null while the family step has not been done.',
        params: path,
        response: { 200: recordReply, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const record = await readRecord(db.read, request.params.id);
      if (record === undefined) throw await studentNotFound(db.read, request.params.id);
      return sendJsonText(reply.header('etag', record.etag), record.json);
    },
  );

  app.get(
    '/api/students/:id/base',
    {
      schema: {
        tags,
        summary: 'The base record, whether the family is there or not',
        params: path,
        response: { 200: studentBaseReply, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const row = await findStudent(db.read, request.params.id);
      if (row === undefined) throw await studentNotFound(db.read, request.params.id);
      reply.header('etag', etag(versionPart.student(row.version)));
      return { student: presentStudent(row) };
    },
  );

  app.get(
    '/api/students/:id/family/create',
    {
      schema: {
        tags,
        summary: 'May the family step be entered?',
        params: path,
        response: { 200: familyStepReply, ...refusals() },
      },
    },
    async (request) => checkFamilyStep(await findEntryState(db.read, request.params.id)),
  );

  app.post(
    '/api/students',
    {
      config: { form: PORTRAIT },
      schema: {
        tags,
        summary: 'Enter the base record of a student',
        consumes: ['application/json', 'multipart/form-data'],
        body: studentInput,
        response: { 201: studentCreatedReply, ...refusals(403, 422) },
      },
    },
    async (request, reply) => {
      const portrait = await readPortrait(request.uploads);
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { record: student, version } = await createStudent(tx, author, request.body, portrait);
        return {
          etag: etag(versionPart.student(version)),
          reply: {
            message: 'Student entry created successfully',
            student,
            ...toWarnings(await findIdsInOtherCase(tx, student.id)),
          },
        };
      });
    },
  );

  app.get(
    // Not below /api/students, where it would hide a student with that ID.
    '/api/namesakes',
    {
      schema: {
        tags,
        summary: 'Students with the same name and date of birth',
        description: 'For staff and administrators: before a student is entered who may be there already.',
        querystring: namesakesQuery,
        response: { 200: namesakesReply, ...refusals(403, 422) },
      },
    },
    async (request) => {
      requireStaff(request);
      return { students: await findNamesakes(db.read, request.query) };
    },
  );

  app.put(
    '/api/students/:id',
    {
      config: { form: PORTRAIT },
      schema: {
        tags,
        summary: 'Replace a base record',
        consumes: ['application/json', 'multipart/form-data'],
        params: path,
        body: studentUpdate,
        response: { 200: studentCreatedReply, ...changed },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const ifMatch = request.headers['if-match'];
      const portrait = await readPortrait(request.uploads);
      const { record: student, version } = await transactAs(db.write, requireActor(request), (tx, author) =>
        updateStudent(tx, author, id, { ...request.body, portrait }, ifMatch),
      );
      reply.header('etag', etag(versionPart.student(version)));
      return { message: 'Student entry updated successfully', student };
    },
  );

  app.put(
    '/api/students/:id/status',
    {
      schema: {
        tags,
        summary: 'Change the status of a student',
        description:
          'Whether the student is active, on leave, or has withdrawn, graduated or been transferred.',
        params: path,
        body: statusInput,
        response: { 200: studentCreatedReply, ...changed },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const ifMatch = request.headers['if-match'];
      const columns = toStatusColumns(request.body);
      const { record: student, version } = await transactAs(db.write, requireActor(request), (tx, author) =>
        changeStatus(tx, author, id, columns, ifMatch),
      );
      reply.header('etag', etag(versionPart.student(version)));
      return { message: `The status is now: ${STATUSES[student.status]}.`, student };
    },
  );

  app.delete(
    '/api/students/:id',
    {
      schema: {
        tags,
        summary: 'Delete a student with family and results',
        params: path,
        response: { 200: messageReply, ...refusals(403, 404, 412) },
      },
    },
    async (request) => {
      const ifMatch = request.headers['if-match'];
      await transactAs(db.write, requireActor(request), (tx, author) =>
        deleteStudent(tx, author, request.params.id, ifMatch),
      );
      return { message: 'The student entry has been deleted from the database.' };
    },
  );

  app.post(
    '/api/students/:id/restore',
    {
      schema: {
        tags,
        summary: 'Bring back a deleted student',
        description:
          'For administrators, and for whoever deleted the student as long as nothing has changed since. Of several deletions under the id it is the last one, unless an administrator names another in `entry` by its number in the history.',
        params: path,
        querystring: z.object({ entry: numberedPath.optional() }),
        response: { 201: studentCreatedReply, ...refusals(403, 404, 409) },
      },
    },
    async (request, reply) =>
      createIdempotently(db.write, request, reply, async (tx, author) => {
        const { id } = request.params;
        const { entry } = request.query;
        if (author.role !== 'admin') await requireOwnDeletion(tx, author, id, entry);
        const { record: student, version } = await restoreStudent(tx, author, id, entry);
        return {
          etag: etag(versionPart.student(version)),
          reply: { message: 'The student entry has been restored.', student },
        };
      }),
  );

  app.post(
    '/api/students/family',
    {
      schema: {
        tags,
        summary: 'Enter the family details of a student',
        body: familyInput,
        response: { 201: familyCreatedReply, ...refusals(403, 422) },
      },
    },
    async (request, reply) => {
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { record: family, version } = await createFamily(tx, author, request.body);
        return {
          etag: etag(versionPart.family(version)),
          reply: { message: 'Family entry created successfully', family },
        };
      });
    },
  );

  app.put(
    '/api/students/:id/family',
    {
      schema: {
        tags,
        summary: 'Replace the family details of a student',
        params: path,
        body: familyUpdate,
        response: { 200: familyCreatedReply, ...changed },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const ifMatch = request.headers['if-match'];
      const { record: family, version } = await transactAs(db.write, requireActor(request), (tx, author) =>
        updateFamily(tx, author, id, request.body, ifMatch),
      );
      reply.header('etag', etag(versionPart.family(version)));
      return { message: 'Family entry updated successfully', family };
    },
  );
}

export function studentListRoutes(app: App, { db }: Deps): void {
  const readLog = new ReadLog(db.write, backgroundTasks(app), 'GET /api/students');
  app.get(
    '/api/students',
    {
      schema: {
        tags: ['Students'],
        summary: 'A page of the students that a search and filters leave',
        description:
          'In a chosen order, else the highest ID first, and active students before the others; a search without an order: the best matches first. Every filter that is given has to hold.',
        querystring: studentListQuery,
        response: { 200: studentPageReply, ...refusals(422) },
      },
    },
    async (request, reply) => {
      const { limit = PAGE_SIZE.usual, cursor, from: end, ...view } = request.query;
      if (end !== undefined && view.q !== undefined && view.sort === undefined)
        throw invalidField('from', 'The from must be left out where the best matches come first.');
      const from = await readDatabaseFor(db, request);
      const { json, rows } = await studentPageJson(from, view, {
        limit,
        cursor,
        isBackwards: end !== undefined,
      });
      readLog.note(requireActor(request), { rows });
      return sendJsonText(reply, json);
    },
  );
}
