import { holdCalls } from '../../../contract/students/holds.ts';
import type { App, Deps } from '../../app-types.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { listHolds, listStudentHolds } from './list-holds.ts';
import { presentHold } from './stored-holds.ts';
import { placeHold, releaseHold } from './write-holds.ts';

const holdTag = ({ version }: { version: number }) => etag(versionPart.hold(version));

/** Holds: what keeps students from papers or registration until it is released. */
export function holdRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, holdCalls);

  handle('GET /api/holds', ({ query }) => listHolds(db.read, query));

  handle('GET /api/students/:id/holds', ({ params }) => listStudentHolds(db.read, params.id));

  handle('POST /api/students/:id/holds', ({ params, body, create }) =>
    create(db.write, async (tx, author) => {
      const hold = presentHold(await placeHold(tx, author, params.id, body));
      return { etag: holdTag(hold), reply: { message: 'The hold is placed.', hold } };
    }),
  );

  handle('POST /api/holds/:hold_id/release', async ({ params, body, ifMatch, actor, reply }) => {
    const row = await transactAs(db.write, actor, (tx, author) =>
      releaseHold(tx, author, { holdId: params.hold_id, ...body }, ifMatch),
    );
    const hold = presentHold(row);
    reply.header('etag', holdTag(hold));
    return { message: 'The hold is released.', hold };
  });
}
