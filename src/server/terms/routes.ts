import { termCalls } from '../../contract/terms.ts';
import type { App, Deps } from '../app-types.ts';
import { etag, versionPart } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import { createTerm, deleteTerm, listTerms, requireTerm, updateTerm } from './terms.ts';

const termTag = ({ version }: { version: number }) => etag(versionPart.term(version));

export function termRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, termCalls);

  handle('GET /api/terms', () => listTerms(db.read));

  handle('GET /api/terms/:term_id', async ({ params, reply }) => {
    const term = await requireTerm(db.read, params.term_id);
    reply.header('etag', termTag(term));
    return term;
  });

  handle('POST /api/terms', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const term = await createTerm(tx, author, body);
      return { etag: termTag(term), reply: { message: 'Term added successfully', term } };
    }),
  );

  handle('PUT /api/terms/:term_id', async ({ params, body, ifMatch, actor, reply }) => {
    const term = await transactAs(db.write, actor, (tx, author) =>
      updateTerm(tx, author, params.term_id, body, ifMatch),
    );
    reply.header('etag', termTag(term));
    return { message: 'Term updated successfully', term };
  });

  handle('DELETE /api/terms/:term_id', async ({ params, ifMatch, actor }) => {
    const entry = await transactAs(db.write, actor, (tx, author) =>
      deleteTerm(tx, author, params.term_id, ifMatch),
    );
    return { message: 'Term deleted successfully', entry };
  });
}
