import {
  institutionAddressReply,
  institutionReply,
  institutionSavedReply,
  institutionUpdate,
} from '../../contract/institution.ts';
import type { App, Deps } from '../app-types.ts';
import { requireAdmin } from '../http/actor.ts';
import { etag, versionPart } from '../http/etags.ts';
import { refusals } from '../http/refusals.ts';
import { transactAs } from '../http/transact-as.ts';
import { MAX_PICTURE_BYTES, readPicture } from '../pictures/store-picture.ts';
import { getInstitution, updateInstitution } from './institution.ts';
import { defaultAddress, findOwnAddress } from './site.ts';

const tags = ['Institution'];

export function institutionRoutes(app: App, { db, settings }: Deps): void {
  app.get(
    '/api/institution',
    {
      schema: {
        tags,
        summary: 'The institution as its documents show it',
        response: { 200: institutionReply, ...refusals() },
      },
    },
    async (_request, reply) => {
      const institution = await getInstitution(db.read);
      reply.header('etag', etag(versionPart.institution(institution.version)));
      return institution;
    },
  );

  app.get(
    '/api/institution/address',
    {
      schema: {
        tags,
        summary: 'Where the codes of documents lead while the institution has no `public_url`',
        response: { 200: institutionAddressReply, ...refusals() },
      },
    },
    () => defaultAddress(findOwnAddress(app, settings)),
  );

  app.put(
    '/api/institution',
    {
      config: { form: { files: ['logo'], fileBytes: MAX_PICTURE_BYTES } },
      schema: {
        tags,
        summary: 'Change the institution',
        description:
          'For administrators. Takes what the GET answers; what is left out stays as it is. A form with a new logo as a file has signatories and programmes as JSON text. Without `public_url` the codes of documents lead to the address of the installation.',
        consumes: ['application/json', 'multipart/form-data'],
        body: institutionUpdate,
        response: { 200: institutionSavedReply, ...refusals(403, 412, 422) },
      },
    },
    async (request, reply) => {
      const actor = requireAdmin(request);
      const ifMatch = request.headers['if-match'];
      const upload = request.uploads.get('logo');
      const picture = upload === undefined ? undefined : await readPicture('logo', upload);
      const institution = await transactAs(db.write, actor, (tx, author) =>
        updateInstitution(tx, author, { ...request.body, picture }, ifMatch),
      );
      reply.header('etag', etag(versionPart.institution(institution.version)));
      return { message: 'Institution updated successfully', institution };
    },
  );
}
