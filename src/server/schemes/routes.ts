import { equivalentCalls } from '../../contract/schemes/equivalents.ts';
import { schemeCalls } from '../../contract/schemes/schemes.ts';
import type { App, Deps } from '../app-types.ts';
import { etag, versionPart } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import {
  createEquivalent,
  listEquivalents,
  previewEquivalent,
  previewRemoval,
  removeEquivalent,
} from './equivalents.ts';
import {
  listSchemes,
  parseDegrees,
  presentScheme,
  requireScheme,
  type SchemeTableRow,
} from './present-scheme.ts';
import { publishScheme, readPreview } from './publish.ts';
import { createScheme, deleteScheme, updateScheme } from './write-scheme.ts';

const schemeTag = ({ version }: { version: number }) => etag(versionPart.scheme(version));

/** Schemes of studies: drafts, and numbered ones which are never edited or deleted. */
export function schemeRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, schemeCalls);

  handle('GET /api/schemes', ({ query }) => listSchemes(db.read, query));

  handle('GET /api/schemes/:scheme_id', async ({ params, reply }) => {
    const row = await requireScheme(db.read, params.scheme_id);
    reply.header('etag', schemeTag(row));
    return presentScheme(db.read, row);
  });

  handle('POST /api/schemes', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const row = await createScheme(tx, author, body);
      const scheme = await presentScheme(tx, row);
      return { etag: schemeTag(row), reply: { message: 'Draft of a scheme added successfully', scheme } };
    }),
  );

  handle('PUT /api/schemes/:scheme_id', async ({ params, body, ifMatch, actor, reply }) => {
    const scheme = await transactAs(db.write, actor, async (tx, author) =>
      presentScheme(tx, await updateScheme(tx, author, params.scheme_id, body, ifMatch)),
    );
    reply.header('etag', schemeTag(scheme));
    return { message: 'Scheme updated successfully', scheme };
  });

  handle('DELETE /api/schemes/:scheme_id', async ({ params, ifMatch, actor }) => {
    const entry = await transactAs(db.write, actor, (tx, author) =>
      deleteScheme(tx, author, params.scheme_id, ifMatch),
    );
    return { message: 'Draft of a scheme deleted successfully', entry };
  });

  handle(
    'GET /api/schemes/:scheme_id/preview',
    { config: { heavy: 'preview' } },
    async ({ params }) => (await readPreview(db.read, params.scheme_id)).preview,
  );

  handle(
    'POST /api/schemes/:scheme_id/publish',

    async ({ params: { scheme_id }, body, ifMatch, actor, reply }) => {
      const found = await readPreview(db.write, scheme_id);
      const { row, scheme } = await transactAs(db.write, actor, async (tx, author) => {
        const published = await publishScheme(tx, author, scheme_id, { ...body, found, ifMatch });
        return { row: published, scheme: await presentScheme(tx, published) };
      });
      reply.header('etag', schemeTag(scheme));
      return { message: `Scheme ${scheme.number} is in force for ${forText(row)}.`, scheme };
    },
  );
}

function forText(row: SchemeTableRow): string {
  const degrees = parseDegrees(row);
  if (degrees === null) return `all batches of ${row.department}`;
  return `${degrees.length === 1 ? 'batch' : 'batches'} ${degrees.join(', ')} of ${row.department}`;
}

/** Pairs of courses that count as one. */
export function equivalentRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, equivalentCalls);

  handle('GET /api/equivalents', () => listEquivalents(db.read));

  handle('POST /api/equivalents/preview', { config: { heavy: 'preview' } }, ({ body }) =>
    previewEquivalent(db.read, body),
  );

  handle('POST /api/equivalents', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const equivalent = await createEquivalent(tx, author, body);
      return {
        etag: etag(versionPart.equivalent(equivalent.equivalent_id)),
        reply: { message: 'The two courses count as one.', equivalent },
      };
    }),
  );

  handle('GET /api/equivalents/:equivalent_id/removal', { config: { heavy: 'preview' } }, ({ params }) =>
    previewRemoval(db.read, params.equivalent_id),
  );

  handle('POST /api/equivalents/:equivalent_id/removal', async ({ params, body, ifMatch, actor }) => {
    await transactAs(db.write, actor, (tx, author) =>
      removeEquivalent(tx, author, params.equivalent_id, { ...body, ifMatch }),
    );
    return { message: 'The two courses count apart.' };
  });
}
