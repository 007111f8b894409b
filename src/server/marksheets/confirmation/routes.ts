import { confirmationCalls } from '../../../contract/marksheets/confirmation.ts';
import type { App, Deps } from '../../app-types.ts';
import type { Actor } from '../../http/actor.ts';
import { etag } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { sheetEtag } from '../routes.ts';
import { requireSheet } from '../sheet.ts';
import { confirmSheet, findObstacle } from './confirm.ts';
import { listDepending } from './depending.ts';
import { readDifference } from './difference.ts';
import { listNotifications, notifyClass } from './notifications.ts';
import { planConfirmation, planRemaining } from './preview.ts';
import { rectifySheet } from './rectify.ts';
import { recordRemaining } from './remaining.ts';

/** Confirmation of mark sheets, their rectification, and the notification of results. */
export function confirmationRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, confirmationCalls);
  const preview = async (sheetId: number, actor: Actor, planFor: typeof planConfirmation) => {
    const sheet = await requireSheet(db.read, sheetId);
    const plan = await planFor(db.read, sheet);
    return {
      ...plan.preview,
      depending: await listDepending(db.read, sheet, plan),
      refused: await findObstacle(db.read, actor, sheet, plan),
    };
  };

  handle('GET /api/sheets/:sheet_id/confirm', ({ params, actor }) =>
    preview(params.sheet_id, actor, planConfirmation),
  );

  handle('POST /api/sheets/:sheet_id/confirm', async ({ params, body, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      confirmSheet(tx, author, params.sheet_id, body),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Mark sheet confirmed successfully', sheet };
  });

  handle('GET /api/sheets/:sheet_id/remaining', ({ params, actor }) =>
    preview(params.sheet_id, actor, planRemaining),
  );

  handle('POST /api/sheets/:sheet_id/remaining', async ({ params, body, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      recordRemaining(tx, author, params.sheet_id, body.fingerprint),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Results recorded successfully', sheet };
  });

  handle('POST /api/sheets/:sheet_id/rectify', ({ params, body, create }) =>
    create(db.write, async (tx, author) => {
      const sheet = await rectifySheet(tx, author, params.sheet_id, body);
      return { etag: sheetEtag(sheet), reply: { message: 'Rectification added successfully', sheet } };
    }),
  );

  handle('GET /api/sheets/:sheet_id/difference', ({ params }) => readDifference(db.read, params.sheet_id));

  handle('GET /api/result-notifications', () => listNotifications(db.read));

  handle('POST /api/result-notifications', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const saved = await notifyClass(tx, author, body);
      return {
        etag: etag(`n${saved.number}`),
        reply: { message: 'Results notified successfully', ...saved },
      };
    }),
  );
}
