import { z } from 'zod';
import { numberedPath } from '../../../contract/fields.ts';
import {
  academicCreatedReply,
  academicDeletedReply,
  academicsStepReply,
  classSubjectsQuery,
  classSubjectsReply,
  entrySemesterInput,
  entrySemesterReply,
  resultRightsReply,
  resultsReason,
  semesterInput,
  semesterUpdate,
} from '../../../contract/students/academics.ts';
import type { App, Deps } from '../../app-types.ts';
import { requireActor } from '../../http/actor.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { createIdempotently } from '../../http/idempotency.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAs } from '../../http/transact-as.ts';
import { checkAcademicsStep } from '../entry-steps.ts';
import { noSuchStudent } from '../former-ids.ts';
import { findEntryState, findStudent } from '../queries.ts';
import { findClassSubjects } from './class-subjects.ts';
import { deleteSemester, undoDeletion } from './delete-semester.ts';
import { enterLate } from './entry-semester.ts';
import { readStudentResults } from './load-results.ts';
import { createSemester, updateSemester } from './write-semester.ts';

const tags = ['Academics'];

const RESERVED =
  'A semester that a confirmed mark sheet wrote to, and grades of a batch that come from mark sheets, are changed by an administrator, with a `reason`.';

export function academicRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/students/:id/academics/create',
    {
      schema: {
        tags,
        summary: 'May results be entered, and of which semester?',
        params: z.object({ id: z.string() }),
        response: { 200: academicsStepReply, ...refusals() },
      },
    },
    async (request) => checkAcademicsStep(await findEntryState(db.read, request.params.id)),
  );

  app.get(
    '/api/students/:id/class-subjects',
    {
      schema: {
        tags,
        summary: "The subjects of the student's class in a semester",
        description:
          'What others of the same department, degree and syndicate have in that semester, the most frequent first.',
        params: z.object({ id: z.string() }),
        querystring: classSubjectsQuery,
        response: { 200: classSubjectsReply, ...refusals(404, 422) },
      },
    },
    async (request) => {
      const student = await findStudent(db.read, request.params.id);
      if (student === undefined) throw noSuchStudent();
      return findClassSubjects(db.read, student, request.query.semester);
    },
  );

  app.get(
    '/api/students/:id/result-rights',
    {
      schema: {
        tags,
        summary: 'Which results of a student come from mark sheets',
        description: RESERVED,
        params: z.object({ id: z.string() }),
        response: { 200: resultRightsReply, ...refusals(404) },
      },
    },
    async (request) => {
      const student = await findStudent(db.read, request.params.id);
      const results = student && (await readStudentResults(db.read, student));
      if (results === undefined) throw noSuchStudent();
      const { degree } = results.student;
      const { sheets_only } = results.policies.of(degree).rules;
      return { degree, sheets_only, slots: [...results.protectedSlots], unrecorded: [...results.unrecorded] };
    },
  );

  app.post(
    '/api/students/:id/entry-semester',
    {
      schema: {
        tags,
        summary: 'Say in which semester a student enters who studied elsewhere before',
        description:
          'While no semester is recorded. The semesters before it are stored without subjects and count in nothing. Taken back by deleting the last recorded semester.',
        params: z.object({ id: z.string() }),
        body: entrySemesterInput,
        response: { 201: entrySemesterReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { semester } = request.body;
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { academics, version } = await enterLate(tx, author, id, semester);
        return {
          etag: etag(versionPart.semester(semester - 1, version)),
          reply: { message: `The student enters in semester ${semester}.`, academics },
        };
      });
    },
  );

  app.post(
    '/api/students/academics',
    {
      schema: {
        tags,
        summary: 'Record the next semester of a student',
        description: RESERVED,
        body: semesterInput,
        response: { 201: academicCreatedReply, ...refusals(403, 409, 422) },
      },
    },
    async (request, reply) => {
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { academic, version } = await createSemester(tx, author, request.body, {
          role: author.role,
          reason: request.body.reason,
        });
        return {
          etag: etag(versionPart.semester(academic.semester, version)),
          reply: { message: 'Semester entry created successfully', academic },
        };
      });
    },
  );

  app.put(
    // Digits only: other paths belong to the student whose id is "academics".
    '/api/students/academics/:academic_id(^\\d+$)',
    {
      schema: {
        tags,
        summary: 'Replace the results of a semester',
        description: RESERVED,
        params: z.object({
          academic_id: numberedPath,
        }),
        body: semesterUpdate,
        response: { 200: academicCreatedReply, ...refusals(403, 404, 412, 422) },
      },
    },
    async (request, reply) => {
      const { academic, version } = await transactAs(db.write, requireActor(request), (tx, author) =>
        updateSemester(tx, author, request.params.academic_id, request.body, {
          right: { role: author.role, reason: request.body.reason },
          ifMatch: request.headers['if-match'],
        }),
      );
      reply.header('etag', etag(versionPart.semester(academic.semester, version)));
      return { message: 'Semester entry updated successfully', academic };
    },
  );

  app.delete(
    '/api/students/academics/:academic_id(^\\d+$)',
    {
      schema: {
        tags,
        summary: 'Delete the last recorded semester of a student',
        params: z.object({ academic_id: numberedPath }),
        body: resultsReason,
        response: { 200: academicDeletedReply, ...refusals(403, 404, 409, 412, 422) },
      },
    },
    async (request) => {
      const { semester, entry } = await transactAs(db.write, requireActor(request), (tx, author) =>
        deleteSemester(tx, author, request.params.academic_id, {
          right: { role: author.role, reason: request.body.reason },
          ifMatch: request.headers['if-match'],
        }),
      );
      return { message: `Semester ${semester} has been deleted.`, entry };
    },
  );

  app.post(
    '/api/students/:id/academics/restore',
    {
      schema: {
        tags,
        summary: 'Bring back a deleted semester',
        description: 'For administrators, and for the person who deleted it.',
        params: z.object({ id: z.string() }),
        querystring: z.object({ entry: numberedPath }),
        body: resultsReason,
        response: { 201: academicCreatedReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { params, query, body } = request;
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { academic, version } = await undoDeletion(tx, author, params.id, {
          number: query.entry,
          reason: body.reason,
        });
        return {
          etag: etag(versionPart.semester(academic.semester, version)),
          reply: { message: `Semester ${academic.semester} has been restored.`, academic },
        };
      });
    },
  );
}
