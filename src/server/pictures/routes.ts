import { z } from 'zod';
import { userPictureReply } from '../../contract/accounts.ts';
import { errorReply, invalidReply } from '../../contract/errors.ts';
import { numberedPath } from '../../contract/fields.ts';
import { requireMayEdit } from '../accounts/update-user.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../db/transact.ts';
import { AppError, invalid } from '../errors.ts';
import { recordChange } from '../history/record-change.ts';
import { actorOf } from '../http/authentication.ts';
import { findPicture, PICTURE_BYTES, readPicture, storePicture } from './store-picture.ts';

const tags = ['Pictures'];
/** Bytes go past the serializer. */
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
        response: { 200: pictureBytes, 401: errorReply, 404: errorReply },
      },
    },
    async (request, reply) => {
      const data = await findPicture(db.read, request.params.picture_id);
      if (data === undefined) throw new AppError('not-found', 'There is no such picture.');
      return reply
        .headers({
          'content-type': 'image/jpeg',
          'content-disposition': 'inline; filename="picture.jpg"',
          'content-security-policy': "default-src 'none'; sandbox",
          // Its name is its content; only the browser that was signed in may keep it.
          'cache-control': 'private, max-age=31536000, immutable',
        })
        .send(data);
    },
  );

  app.get(
    '/api/users/:id/picture',
    {
      schema: {
        tags,
        summary: "Address of a user's profile picture",
        params: userPath,
        response: { 200: userPictureReply, 401: errorReply, 404: errorReply },
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
      config: { ownAccount: true, form: { files: ['picture'], fileBytes: PICTURE_BYTES } },
      schema: {
        tags,
        summary: "Change a user's profile picture",
        consumes: ['multipart/form-data'],
        params: userPath,
        response: {
          200: userPictureReply,
          401: errorReply,
          403: errorReply,
          404: errorReply,
          422: invalidReply,
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const userId = request.params.id;
      requireMayEdit(actor, userId);
      const upload = request.uploads.get('picture');
      if (upload === undefined) throw invalid('picture', 'The picture field is required.');
      const ready = await readPicture('picture', upload);
      return transact(db.write, async (tx) => {
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
        await recordChange(tx, actor, {
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
