import { ownCopyCalls } from '../../../contract/documents/own-copy.ts';
import type { App } from '../../app-types.ts';
import type { Database } from '../../db/database.ts';
import { recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import type { Actor } from '../../http/actor.ts';
import { bindCalls } from '../../http/handle.ts';
import type { Printer } from '../pdf/printer.ts';
import { copyEntry, readOwnCopy } from './own-copy.ts';

/** All that is held about a student. */
export function ownCopyRoutes(app: App, db: Database, printer: Printer): void {
  const handle = bindCalls(app, ownCopyCalls);
  const copy = async ({ id: userId, name }: Actor, id: string, format: 'json' | 'pdf') => {
    const held = await readOwnCopy(db.read, id);
    await transact(db.write, (tx) =>
      recordChange(
        tx,
        { id: userId, name },
        { action: 'create', entity: 'document', entityId: copyEntry(id), after: { student_id: id, format } },
      ),
    );
    return held;
  };

  handle('GET /api/students/:id/own-copy', { exposeHeadRoute: false }, ({ params, actor }) =>
    copy(actor, params.id, 'json'),
  );

  handle(
    'GET /api/students/:id/own-copy.pdf',
    { config: { heavy: 'print' }, exposeHeadRoute: false },
    async ({ params: { id }, actor, reply }) => {
      const pdf = await printer.printOwnCopy(await copy(actor, id, 'pdf'));
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="copy-of-${id}.pdf"`,
        })
        .send(Buffer.from(pdf));
    },
  );
}
