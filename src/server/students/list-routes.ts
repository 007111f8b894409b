import { errorReply, invalidReply } from '../../contract/errors.ts';
import { PAGE_ROWS, studentListQuery, studentPageReply } from '../../contract/student-list.ts';
import type { App, Deps } from '../app-types.ts';
import { sendJsonText } from '../http/json-text.ts';
import { readingFor } from '../http/read-your-writes.ts';
import { studentPageJson } from './list-page.ts';

export function studentListRoutes(app: App, { db }: Deps): void {
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
      return sendJsonText(
        reply,
        await studentPageJson(await readingFor(db, request), view, { limit, cursor }),
      );
    },
  );
}
