import { z } from 'zod';
import { ownCopyReply } from '../../../contract/documents/own-copy.ts';
import type { App } from '../../app-types.ts';
import type { Database } from '../../db/database.ts';
import { recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import { type Actor, requireAdmin } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import type { Printer } from '../pdf/printer.ts';
import { copyEntry, readOwnCopy } from './own-copy.ts';

const params = z.object({ id: z.string() });
const description =
  'For administrators, to hand it to the student: record, standing, documents, history and to whom it was handed over. Names nobody of the staff. The history has an entry for each copy.';

/** All that is held about a student. */
export function ownCopyRoutes(app: App, db: Database, printer: Printer): void {
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

  app.get(
    '/api/students/:id/own-copy',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['Documents'],
        summary: 'All that is held about a student, as JSON',
        description,
        params,
        response: { 200: ownCopyReply, ...refusals(403, 404) },
      },
    },
    (request) => copy(requireAdmin(request), request.params.id, 'json'),
  );

  app.get(
    '/api/students/:id/own-copy.pdf',
    {
      config: { heavy: 'print' },
      exposeHeadRoute: false,
      schema: {
        tags: ['Documents'],
        summary: 'All that is held about a student, as a PDF to read',
        description,
        params,
        response: { 200: z.unknown().meta({ type: 'string', format: 'binary' }), ...refusals(403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const pdf = await printer.printOwnCopy(await copy(requireAdmin(request), id, 'pdf'));
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="copy-of-${id}.pdf"`,
        })
        .send(Buffer.from(pdf));
    },
  );
}
