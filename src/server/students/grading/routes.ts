import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  cgpaQuery,
  cgpaReply,
  degreeCheckReply,
  planQuery,
  planReply,
  standingReply,
} from '../../../contract/grading/grading.ts';
import type { App, Deps } from '../../app-types.ts';
import { refusals } from '../../http/refusals.ts';
import { sendJsonText } from '../../http/send-json.ts';
import { explainCgpa, planFor, readDegreeCheck, readStanding } from './student-results.ts';

const tags = ['Students'];
/** Without the serializer, which takes longer than computing the reply; tests compare the replies with their schemas. */
const sendObject = (reply: FastifyReply, object: object) => sendJsonText(reply, JSON.stringify(object));

const params = z.object({ id: z.string() });

/** What follows from the results of a student by the policy of the batch. */
export function gradingRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/students/:id/cgpa',
    {
      schema: {
        tags,
        summary: 'How the CGPA of a student comes about, line by line',
        params,
        querystring: cgpaQuery,
        response: { 200: cgpaReply, ...refusals(404, 422) },
      },
    },
    async ({ params: { id }, query }, reply) =>
      sendObject(reply, await explainCgpa(db.read, id, query.semester)),
  );

  app.get(
    '/api/students/:id/standing',
    {
      schema: {
        tags,
        summary: 'Academic standing of a student after each semester',
        params,
        response: { 200: standingReply, ...refusals(404) },
      },
    },
    async ({ params: { id } }, reply) => sendObject(reply, await readStanding(db.read, id)),
  );

  app.get(
    '/api/students/:id/plan',
    {
      schema: {
        tags,
        summary: 'What a student needs for a target CGPA',
        params,
        querystring: planQuery,
        response: { 200: planReply, ...refusals(404, 422) },
      },
    },
    ({ params: { id }, query }) => planFor(db.read, id, query),
  );

  app.get(
    '/api/students/:id/degree-check',
    {
      schema: {
        tags,
        summary: 'Whether a record fulfils the conditions of the degree',
        params,
        response: { 200: degreeCheckReply, ...refusals(404) },
      },
    },
    ({ params: { id } }) => readDegreeCheck(db.read, id),
  );
}
