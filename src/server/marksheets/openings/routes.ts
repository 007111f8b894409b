import { openingCalls } from '../../../contract/marksheets/openings.ts';
import { plural } from '../../../domain/format-count.ts';
import type { App, Deps } from '../../app-types.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { listClasses } from './list-classes.ts';
import { listOpenings, openTerm, presentOpening, previewOpening } from './open-term.ts';
import { planBefore } from './plan-before.ts';
import { previewUndo, undoOpening } from './undo-opening.ts';

const openingTag = ({ version }: { version: number }) => etag(versionPart.opening(version));

/** The mark sheets of classes in a term, made and taken back in one go. */
export function openingRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, openingCalls);

  handle('POST /api/terms/:term_id/openings/preview', { config: { heavy: 'preview' } }, ({ params, body }) =>
    previewOpening(db.read, params.term_id, body),
  );

  handle('POST /api/terms/:term_id/openings', async ({ params, body, create }) => {
    const { fingerprint: _, ...input } = body;
    const before = await planBefore(db.read, params.term_id, input);
    return create(db.write, async (tx, author) => {
      const row = await openTerm(tx, author, params.term_id, body, before);
      const opening = presentOpening(row);
      const message = `${plural(opening.sheets, 'mark sheet is', 'mark sheets are')} open.`;
      return { etag: openingTag(row), reply: { message, opening } };
    });
  });

  handle('GET /api/terms/:term_id/openings/classes', ({ params }) => listClasses(db.read, params.term_id));

  handle('GET /api/terms/:term_id/openings', ({ params }) => listOpenings(db.read, params.term_id));

  handle('GET /api/openings/:opening_id/undo', ({ params }) => previewUndo(db.read, params.opening_id));

  handle('POST /api/openings/:opening_id/undo', async ({ params, body, ifMatch, actor, reply }) => {
    const row = await transactAs(db.write, actor, (tx, author) =>
      undoOpening(tx, author, params.opening_id, { ...body, ifMatch }),
    );
    reply.header('etag', openingTag(row));
    const message = `${plural(row.undone ?? 0, 'mark sheet is', 'mark sheets are')} deleted.`;
    return { message, opening: presentOpening(row) };
  });
}
