import { z } from 'zod';
import {
  academicCreatedReply,
  academicsGateReply,
  semesterInput,
  semesterUpdate,
} from '../../contract/academics.ts';
import { errorReply, invalidReply, staleReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../db/transact.ts';
import { actorOf } from '../http/authentication.ts';
import { createOnce } from '../http/idempotency.ts';
import { etag, versionPart } from '../http/versions.ts';
import { academicsGate } from '../students/gates.ts';
import { findEntryState } from '../students/queries.ts';
import { recordSemester, updateSemester } from './record-semester.ts';

const tags = ['Academics'];
const refusals = { 401: errorReply, 403: errorReply, 422: invalidReply };

export function academicRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/students/:id/academics/create',
    {
      schema: {
        tags,
        summary: 'May results be entered, and of which semester?',
        params: z.object({ id: z.string() }),
        response: { 200: academicsGateReply, 401: errorReply },
      },
    },
    async (request) => academicsGate(await findEntryState(db.read, request.params.id)),
  );

  app.post(
    '/api/students/academics',
    {
      schema: {
        tags,
        summary: 'Record the next semester of a student',
        body: semesterInput,
        response: { 201: academicCreatedReply, ...refusals, 409: errorReply },
      },
    },
    async (request, reply) => {
      return createOnce(db.write, request, reply, async (tx) => {
        const { academic, version } = await recordSemester(tx, actorOf(request), request.body);
        return {
          etag: etag(versionPart.semester(academic.semester, version)),
          reply: { message: 'Semester entry created successfully', academic },
        };
      });
    },
  );

  app.put(
    // Digits alone: all else is left to the paths of a student whose id is this very word.
    '/api/students/academics/:academic_id(^\\d+$)',
    {
      schema: {
        tags,
        summary: 'Replace the results of a semester',
        params: z.object({
          academic_id: numberedPath,
        }),
        body: semesterUpdate,
        response: { 200: academicCreatedReply, ...refusals, 404: errorReply, 412: staleReply },
      },
    },
    async (request, reply) => {
      const { academic, version } = await transact(db.write, (tx) =>
        updateSemester(
          tx,
          actorOf(request),
          request.params.academic_id,
          request.body,
          request.headers['if-match'],
        ),
      );
      reply.header('etag', etag(versionPart.semester(academic.semester, version)));
      return { message: 'Semester entry updated successfully', academic };
    },
  );
}
