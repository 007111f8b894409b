import { idChangeCalls } from '../../../contract/students/former-ids.ts';
import type { App, Deps } from '../../app-types.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { changeId, previewIdChange } from './change-id.ts';

export function formerIdRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, idChangeCalls);

  handle('POST /api/students/:id/change-id/preview', async ({ params, body, reply }) => {
    const { preview, version } = await previewIdChange(db.read, params.id, body.id);
    reply.header('etag', etag(versionPart.student(version)));
    return preview;
  });

  handle('PUT /api/students/:id/id', async ({ params, body, ifMatch, actor, reply }) => {
    const { student, version } = await transactAs(db.write, actor, (tx, author) =>
      changeId(tx, author, { id: params.id, newId: body.id }, ifMatch),
    );
    reply.header('etag', etag(versionPart.student(version)));
    return { message: `The registration number was changed from ${params.id} to ${student.id}.`, student };
  });
}
