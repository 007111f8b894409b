import { z } from 'zod';
import { userPictureReply } from '../../contract/accounts/accounts.ts';
import { numberedPath } from '../../contract/fields.ts';
import { requireMayEdit } from '../accounts/users/update-user.ts';
import type { App, Deps } from '../app-types.ts';
import { AppError, invalidField } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import { requireActor } from '../http/actor.ts';
import { etag } from '../http/etags.ts';
import { sendUnlessKnown } from '../http/fixed-document.ts';
import { refusals } from '../http/refusals.ts';
import { transactAccountsAs } from '../http/transact-as.ts';
import { findPicture, MAX_PICTURE_BYTES, readPicture, storePicture } from './store-picture.ts';

const tags = ['Pictures'];
/** Bytes bypass the serializer. */
const pictureBytes = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' });
const userPath = z.object({ id: numberedPath });

export function pictureRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/pictures/:picture_id',
    {
      schema: {
        tags,
        summary: 'A picture, as JPEG',
        params: z.object({ picture_id: z.string() }),
        response: { 200: pictureBytes, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const data = await findPicture(db.read, request.params.picture_id);
      if (data === undefined) throw new AppError('not-found', 'There is no such picture.');
      reply.headers({
        'content-disposition': 'inline; filename="picture.jpg"',
        'content-security-policy': "default-src 'none'; sandbox",
        // Pictures need a session: a browser may keep them, but asks each time before it shows them.
        'cache-control': 'private, no-cache',
      });
      // The id is a hash of the content.
      return sendUnlessKnown(request, reply, {
        etag: etag(request.params.picture_id),
        type: 'image/jpeg',
        body: data,
      });
    },
  );

  app.get(
    '/api/users/:id/picture',
    {
      schema: {
        tags,
        summary: "Address of a user's profile picture",
        params: userPath,
        response: { 200: userPictureReply, ...refusals(404) },
      },
    },
    async (request) => {
      const user = await db.read
        .selectFrom('users')
        .select('picture')
        .where('id', '=', request.params.id)
        .executeTakeFirst();
      if (user === undefined) throw new AppError('not-found', 'There is no such user.');
      return { picture: user.picture };
    },
  );

  app.put(
    '/api/users/:id/picture',
    {
      config: { ownAccount: true, form: { files: ['picture'], fileBytes: MAX_PICTURE_BYTES } },
      schema: {
        tags,
        summary: "Change a user's profile picture",
        consumes: ['multipart/form-data'],
        params: userPath,
        response: { 200: userPictureReply, ...refusals(403, 404, 422) },
      },
    },
    async (request) => {
      const actor = requireActor(request);
      const userId = request.params.id;
      requireMayEdit(actor, userId);
      const upload = request.uploads.get('picture');
      if (upload === undefined) throw invalidField('picture', 'The picture field is required.');
      const ready = await readPicture('picture', upload);
      return transactAccountsAs(db.write, actor, async (tx, author) => {
        const before = await tx
          .selectFrom('users')
          .select('picture')
          .where('id', '=', userId)
          .executeTakeFirst();
        if (before === undefined) throw new AppError('not-found', 'There is no such user.');
        const picture = await storePicture(tx, ready);
        await tx
          .updateTable('users')
          .set((eb) => ({ picture, version: eb('version', '+', 1) }))
          .where('id', '=', userId)
          .execute();
        await recordChange(tx, author, {
          action: 'update',
          entity: 'user',
          entityId: userId,
          before,
          after: { picture },
        });
        return { picture };
      });
    },
  );
}
