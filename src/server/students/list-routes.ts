import { errorReply, invalidReply } from '../../contract/errors.ts';
import { PAGE_ROWS, studentListQuery, studentPageReply } from '../../contract/student-list.ts';
import type { App, Deps } from '../app-types.ts';
import { Disclosures } from '../history/disclosures.ts';
import { actorOf } from '../http/authentication.ts';
import { besideAnswers } from '../http/beside-answers.ts';
import { sendJsonText } from '../http/json-text.ts';
import { readingFor } from '../http/read-your-writes.ts';
import { studentPageJson } from './list-page.ts';

export function studentListRoutes(app: App, { db }: Deps): void {
  const disclosures = new Disclosures(db.write, besideAnswers(app), 'GET /api/students');
  app.get(
    '/api/students',
    {
      schema: {
        tags: ['Students'],
        summary: 'A page of the students that a search and filters leave',
        description:
          'In a chosen order; else by how well the search matches, or the highest ID first. Every filter that is given has to hold.',
        querystring: studentListQuery,
        response: { 200: studentPageReply, 401: errorReply, 422: invalidReply },
      },
    },
    async (request, reply) => {
      const { limit = PAGE_ROWS.usual, cursor, ...view } = request.query;
      const from = await readingFor(db, request);
      const { json, rows } = await studentPageJson(from, view, { limit, cursor });
      disclosures.note(actorOf(request), { rows });
      return sendJsonText(reply, json);
    },
  );
}
