import { z } from 'zod';
import { errorReply, invalidReply, messageReply, staleReply } from '../../contract/errors.ts';
import { familyCreatedReply, familyGateReply, familyInput, familyUpdate } from '../../contract/family.ts';
import { numberedPath } from '../../contract/fields.ts';
import {
  recordReply,
  studentBaseReply,
  studentCreatedReply,
  studentInput,
  studentListReply,
  studentUpdate,
} from '../../contract/students.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../db/transact.ts';
import { Disclosures } from '../history/disclosures.ts';
import { actorOf, requireAdmin } from '../http/authentication.ts';
import { besideAnswers } from '../http/beside-answers.ts';
import { createOnce } from '../http/idempotency.ts';
import { sendJsonPages, sendJsonText } from '../http/json-text.ts';
import { readingFor } from '../http/read-your-writes.ts';
import { etag, versionPart } from '../http/versions.ts';
import { PICTURE_BYTES, readPicture } from '../pictures/store-picture.ts';
import { familyGate } from './gates.ts';
import { presentStudent } from './present.ts';
import { findEntryState, findStudent, LIST_PAGES, listStudentsAfter } from './queries.ts';
import { readRecord } from './record.ts';
import { restoreStudent } from './restore-student.ts';
import { createFamily, updateFamily } from './write-family.ts';
import { createStudent, deleteStudent, noSuchStudent, updateStudent } from './write-student.ts';

const tags = ['Students'];
const path = z.object({ id: z.string() });
const refusals = { 401: errorReply, 403: errorReply, 422: invalidReply };
const changed = { ...refusals, 404: errorReply, 412: staleReply };

const PORTRAIT = { files: ['img'], fileBytes: PICTURE_BYTES };

async function readPortrait(uploads: ReadonlyMap<string, Buffer>) {
  const upload = uploads.get('img');
  return upload === undefined ? undefined : readPicture('img', upload);
}

export function studentRoutes(app: App, { db }: Deps): void {
  const disclosures = new Disclosures(db.write, besideAnswers(app), 'GET /api');
  app.get(
    '/api',
    { schema: { tags, summary: 'All students', response: { 200: studentListReply, 401: errorReply } } },
    async (request, reply) => {
      const from = await readingFor(db, request);
      disclosures.note(actorOf(request), 'whole');
      return sendJsonPages(reply, async (after: string | undefined) => {
        const most = after === undefined ? LIST_PAGES.first : LIST_PAGES.next;
        const page = await listStudentsAfter(from, after ?? '', most);
        const isLast = page === undefined || Number(page.count) < most;
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
        response: { 200: recordReply, 401: errorReply, 404: errorReply },
      },
    },
    async (request, reply) => {
      const record = await readRecord(db.read, request.params.id);
      if (record === undefined) throw noSuchStudent();
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
        response: { 200: studentBaseReply, 401: errorReply, 404: errorReply },
      },
    },
    async (request, reply) => {
      const row = await findStudent(db.read, request.params.id);
      if (row === undefined) throw noSuchStudent();
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
        response: { 200: familyGateReply, 401: errorReply },
      },
    },
    async (request) => familyGate(await findEntryState(db.read, request.params.id)),
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
        response: { 201: studentCreatedReply, ...refusals },
      },
    },
    async (request, reply) => {
      const portrait = await readPortrait(request.uploads);
      return createOnce(db.write, request, reply, async (tx) => {
        const { thing: student, version } = await createStudent(tx, actorOf(request), request.body, portrait);
        return {
          etag: etag(versionPart.student(version)),
          reply: { message: 'Student entry created successfully', student },
        };
      });
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
      const { thing: student, version } = await transact(db.write, (tx) =>
        updateStudent(tx, actorOf(request), id, { ...request.body, portrait }, ifMatch),
      );
      reply.header('etag', etag(versionPart.student(version)));
      return { message: 'Student entry updated successfully', student };
    },
  );

  app.delete(
    '/api/students/:id',
    {
      schema: {
        tags,
        summary: 'Delete a student with family and results',
        params: path,
        response: { 200: messageReply, 401: errorReply, 403: errorReply, 404: errorReply, 412: staleReply },
      },
    },
    async (request) => {
      const ifMatch = request.headers['if-match'];
      await transact(db.write, (tx) => deleteStudent(tx, actorOf(request), request.params.id, ifMatch));
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
          'For administrators. Of several deletions under the id it is the last one, unless `entry` names another by its number in the history.',
        params: path,
        querystring: z.object({ entry: numberedPath.optional() }),
        response: {
          201: studentCreatedReply,
          401: errorReply,
          403: errorReply,
          404: errorReply,
          409: errorReply,
        },
      },
    },
    async (request, reply) => {
      const actor = requireAdmin(request);
      return createOnce(db.write, request, reply, async (tx) => {
        const { thing: student, version } = await restoreStudent(
          tx,
          actor,
          request.params.id,
          request.query.entry,
        );
        return {
          etag: etag(versionPart.student(version)),
          reply: { message: 'The student entry has been restored.', student },
        };
      });
    },
  );

  app.post(
    '/api/students/family',
    {
      schema: {
        tags,
        summary: 'Enter the family details of a student',
        body: familyInput,
        response: { 201: familyCreatedReply, ...refusals },
      },
    },
    async (request, reply) => {
      return createOnce(db.write, request, reply, async (tx) => {
        const { thing: family, version } = await createFamily(tx, actorOf(request), request.body);
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
      const { thing: family, version } = await transact(db.write, (tx) =>
        updateFamily(tx, actorOf(request), id, request.body, ifMatch),
      );
      reply.header('etag', etag(versionPart.family(version)));
      return { message: 'Family entry updated successfully', family };
    },
  );
}
