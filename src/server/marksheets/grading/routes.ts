import { sheetGradingCalls } from '../../../contract/marksheets/grading.ts';
import type { App, Deps } from '../../app-types.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { sheetEtag } from '../routes.ts';
import { requireSheet } from '../sheet.ts';
import { listOfferings, proposeFor, storeBoundaries } from './boundaries.ts';
import { checkSheet } from './checks.ts';
import { submitSheet, takeBackSheet } from './submit.ts';

/** Boundaries of mark sheets, their checks and their submission. */
export function sheetGradingRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, sheetGradingCalls);

  handle(
    'POST /api/sheets/:sheet_id/boundaries/propose',
    { config: { onlyReads: true } },
    ({ params, body }) => proposeFor(db.read, params.sheet_id, body),
  );

  handle('PUT /api/sheets/:sheet_id/boundaries', async ({ params, body, ifMatch, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      storeBoundaries(tx, author, params.sheet_id, body, ifMatch),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Boundaries stored successfully', sheet };
  });

  handle('GET /api/sheets/:sheet_id/offerings', ({ params }) => listOfferings(db.read, params.sheet_id));

  handle('GET /api/sheets/:sheet_id/checks', async ({ params }) => {
    const { refusals, warnings } = await checkSheet(db.read, await requireSheet(db.read, params.sheet_id));
    return { refusals, warnings };
  });

  handle('POST /api/sheets/:sheet_id/submit', async ({ params, body, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      submitSheet(tx, author, params.sheet_id, body),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Mark sheet submitted successfully', sheet };
  });

  handle('POST /api/sheets/:sheet_id/take-back', async ({ params, body, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      takeBackSheet(tx, author, params.sheet_id, body.reason),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Mark sheet taken back', sheet };
  });
}
