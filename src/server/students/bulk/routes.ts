import { bulkCalls } from '../../../contract/students/bulk.ts';
import type { App, Deps } from '../../app-types.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { requireDeletingRight } from '../semesters/protected-slots.ts';
import { applyBulk } from './apply.ts';
import { parseChange } from './change.ts';
import { previewChange } from './preview.ts';
import { listBulkChanges, undoBulk } from './undo.ts';

/** Changes of many students in one go. */
export function bulkRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, bulkCalls);

  handle('POST /api/students/bulk/preview', async ({ body, actor }) => {
    const change = parseChange(body);
    const { preview, changing } = await previewChange(db.read, body, change);
    if (change.action === 'delete') await requireDeletingRight(db.read, actor, changing);
    return preview;
  });

  handle('POST /api/students/bulk', ({ body, create }) =>
    create(db.write, (tx, author) => applyBulk(tx, author, body)),
  );

  handle('GET /api/bulk-changes', ({ actor }) => listBulkChanges(db.read, actor));

  handle('POST /api/students/bulk/:id/undo', ({ params, actor }) =>
    transactAs(db.write, actor, (tx, author) => undoBulk(tx, author, params.id)),
  );
}
