import { pictureCalls } from '../../contract/accounts/pictures.ts';
import { requireMayEdit } from '../accounts/users/update-user.ts';
import type { App, Deps } from '../app-types.ts';
import { AppError, invalidField } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import { etag } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { sendUnlessKnown } from '../http/replies/fixed-document.ts';
import { transactAccountsAs } from '../http/transact-as.ts';
import { findPicture, MAX_PICTURE_BYTES, readPicture, storePicture } from './store-picture.ts';

const AS_FORM = {
  config: { form: { files: ['picture'], fileBytes: MAX_PICTURE_BYTES } },
  consumes: ['multipart/form-data'],
};

export function pictureRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, pictureCalls);

  handle('GET /api/pictures/:picture_id', async ({ params: { picture_id }, request, reply }) => {
    const data = await findPicture(db.read, picture_id);
    if (data === undefined) throw new AppError('not-found', 'There is no such picture.');
    reply.headers({
      'content-disposition': 'inline; filename="picture.jpg"',
      'content-security-policy': "default-src 'none'; sandbox",
      // Pictures need a session: a browser may keep them, but asks each time before it shows them.
      'cache-control': 'private, no-cache',
    });
    // The id is a hash of the content.
    return sendUnlessKnown(request, reply, { etag: etag(picture_id), type: 'image/jpeg', body: data });
  });

  handle('GET /api/users/:id/picture', async ({ params }) => {
    const user = await db.read
      .selectFrom('users')
      .select('picture')
      .where('id', '=', params.id)
      .executeTakeFirst();
    if (user === undefined) throw new AppError('not-found', 'There is no such user.');
    return { picture: user.picture };
  });

  handle('PUT /api/users/:id/picture', AS_FORM, async ({ params: { id }, actor, request }) => {
    requireMayEdit(actor, id);
    const upload = request.uploads.get('picture');
    if (upload === undefined) throw invalidField('picture', 'The picture field is required.');
    const ready = await readPicture('picture', upload);
    return transactAccountsAs(db.write, actor, async (tx, author) => {
      const before = await tx.selectFrom('users').select('picture').where('id', '=', id).executeTakeFirst();
      if (before === undefined) throw new AppError('not-found', 'There is no such user.');
      const picture = await storePicture(tx, ready);
      await tx
        .updateTable('users')
        .set((eb) => ({ picture, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute();
      await recordChange(tx, author, {
        action: 'update',
        entity: 'user',
        entityId: id,
        before,
        after: { picture },
      });
      return { picture };
    });
  });
}
