import { z } from 'zod';
import { idChangeInput, idChangePreview } from '../../../contract/students/former-ids.ts';
import { studentCreatedReply } from '../../../contract/students/students.ts';
import type { App, Deps } from '../../app-types.ts';
import { requireAdmin } from '../../http/actor.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAs } from '../../http/transact-as.ts';
import { changeId, previewIdChange } from './change-id.ts';

const tags = ['Students'];
const path = z.object({ id: z.string() });

export function formerIdRoutes(app: App, { db }: Deps): void {
  app.post(
    '/api/students/:id/change-id/preview',
    {
      schema: {
        tags,
        summary: 'What would follow a student to a new registration number',
        description: 'For administrators. The version answered is for the If-Match of the change.',
        params: path,
        body: idChangeInput,
        response: { 200: idChangePreview, ...refusals(403, 404, 422) },
      },
    },
    async (request, reply) => {
      requireAdmin(request);
      const { preview, version } = await previewIdChange(db.read, request.params.id, request.body.id);
      reply.header('etag', etag(versionPart.student(version)));
      return preview;
    },
  );

  app.put(
    '/api/students/:id/id',
    {
      schema: {
        tags,
        summary: 'Change the registration number of a student',
        description: 'For administrators. Everything of the record follows; the old number stays findable.',
        params: path,
        body: idChangeInput,
        response: { 200: studentCreatedReply, ...refusals(403, 404, 412, 422) },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request;
      const { student, version } = await transactAs(db.write, requireAdmin(request), (tx, author) =>
        changeId(tx, author, { id: params.id, newId: body.id }, headers['if-match']),
      );
      reply.header('etag', etag(versionPart.student(version)));
      return { message: `The registration number was changed from ${params.id} to ${student.id}.`, student };
    },
  );
}
