import { institutionCalls } from '../../contract/installation/institution.ts';
import type { App, Deps } from '../app-types.ts';
import { etag, versionPart } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import { MAX_PICTURE_BYTES, readPicture } from '../pictures/store-picture.ts';
import { getInstitution, updateInstitution } from './institution.ts';
import { defaultAddress, findOwnAddress } from './site.ts';

const WITH_LOGO = {
  config: { form: { files: ['logo'], fileBytes: MAX_PICTURE_BYTES } },
  consumes: ['application/json', 'multipart/form-data'],
};

export function institutionRoutes(app: App, { db, settings }: Deps): void {
  const handle = bindCalls(app, institutionCalls);

  handle('GET /api/institution', async ({ reply }) => {
    const institution = await getInstitution(db.read);
    reply.header('etag', etag(versionPart.institution(institution.version)));
    return institution;
  });

  handle('GET /api/institution/address', () => defaultAddress(findOwnAddress(app, settings)));

  handle('PUT /api/institution', WITH_LOGO, async ({ body, ifMatch, actor, request, reply }) => {
    const upload = request.uploads.get('logo');
    const picture = upload === undefined ? undefined : await readPicture('logo', upload);
    const institution = await transactAs(db.write, actor, (tx, author) =>
      updateInstitution(tx, author, { ...body, picture }, ifMatch),
    );
    reply.header('etag', etag(versionPart.institution(institution.version)));
    return { message: 'Institution updated successfully', institution };
  });
}
