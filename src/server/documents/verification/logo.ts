import type { App, Deps } from '../../app-types.ts';
import type { Db } from '../../db/schema.ts';
import { AppError } from '../../errors.ts';
import { getInstitution } from '../../institution/institution.ts';
import { findPicture, findPictureId } from '../../pictures/store-picture.ts';

const LOGO_PATH = '/verify/logo';

/** Reads the part of the institution that the page for checking documents shows. */
export async function readVerifyHead(db: Db): Promise<{ name: string | null; logo: string | null }> {
  const { name, logo } = await getInstitution(db);
  return { name, logo: logo === null ? null : LOGO_PATH };
}

/** The logo of the institution for the page that checks documents. It needs no sign-in and is no call of the API. */
export function logoRoute(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(LOGO_PATH, { schema: { hide: true } }, async (_request, reply) => {
    const id = findPictureId((await getInstitution(db.read)).logo);
    const data = id === undefined ? undefined : await findPicture(db.read, id);
    if (data === undefined) throw new AppError('not-found', 'The institution has no logo.');
    return reply
      .headers({
        'content-type': 'image/jpeg',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'no-cache',
      })
      .send(data);
  });
}
