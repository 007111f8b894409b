import type { FastifyRequest } from 'fastify';
import {
  confirmInput,
  confirmPreview,
  confirmStaleReply,
  differenceReply,
  notificationInput,
  notificationListReply,
  notificationRefusedReply,
  notificationSavedReply,
  rectifyInput,
  remainingInput,
} from '../../../contract/marksheets/confirmation.ts';
import { sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import type { App, Deps } from '../../app-types.ts';
import { requireActor, requireAdmin, requireStaff } from '../../http/actor.ts';
import { etag } from '../../http/etags.ts';
import { createIdempotently } from '../../http/idempotency.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAs } from '../../http/transact-as.ts';
import { sheetPath, sheetTag } from '../routes.ts';
import { requireSheet } from '../sheet.ts';
import { confirmSheet, findObstacle } from './confirm.ts';
import { readDifference } from './difference.ts';
import { listNotifications, notifyClass } from './notifications.ts';
import { planConfirmation, planRemaining } from './preview.ts';
import { rectifySheet } from './rectify.ts';
import { recordRemaining } from './remaining.ts';

const tags = ['Mark sheets'];
const params = sheetPath;

/** Confirmation of mark sheets, their rectification, and the notification of results. */
export function confirmationRoutes(app: App, { db }: Deps): void {
  const preview = async (
    request: FastifyRequest<{ Params: { sheet_id: number } }>,
    planFor: typeof planConfirmation,
  ) => {
    const sheet = await requireSheet(db.read, request.params.sheet_id);
    const plan = await planFor(db.read, sheet);
    return { ...plan.preview, refused: await findObstacle(db.read, requireActor(request), sheet, plan) };
  };

  app.get(
    '/api/sheets/:sheet_id/confirm',
    {
      schema: {
        tags,
        summary: 'What confirming a mark sheet would write, and which rows are blocked',
        params,
        response: { 200: confirmPreview, ...refusals(404) },
      },
    },
    (request) => preview(request, planConfirmation),
  );

  app.post(
    '/api/sheets/:sheet_id/confirm',
    {
      schema: {
        tags,
        summary: 'Confirm a submitted mark sheet',
        description:
          'For administrators; where the policy asks for a second person, not for the one who submitted it. With the `fingerprint` of the preview. Blocked rows keep it from being confirmed, unless `leave` names each of them.',
        params,
        body: confirmInput,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409, 422), 412: confirmStaleReply },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const sheet = await transactAs(db.write, requireAdmin(request), (tx, author) =>
        confirmSheet(tx, author, sheet_id, request.body),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Mark sheet confirmed successfully', sheet };
    },
  );

  app.get(
    '/api/sheets/:sheet_id/remaining',
    {
      schema: {
        tags,
        summary: 'Which of the rows that a confirmation left can be recorded by now',
        params,
        response: { 200: confirmPreview, ...refusals(404) },
      },
    },
    (request) => preview(request, planRemaining),
  );

  app.post(
    '/api/sheets/:sheet_id/remaining',
    {
      schema: {
        tags,
        summary: 'Record those of the rows that a confirmation left which can be recorded by now',
        description:
          'For administrators; where the policy asks for a second person, not for the one who submitted the sheet. With the `fingerprint` of the preview.',
        params,
        body: remainingInput,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409, 422), 412: confirmStaleReply },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const sheet = await transactAs(db.write, requireAdmin(request), (tx, author) =>
        recordRemaining(tx, author, sheet_id, request.body.fingerprint),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Results recorded successfully', sheet };
    },
  );

  app.post(
    '/api/sheets/:sheet_id/rectify',
    {
      schema: {
        tags,
        summary: 'Begin the rectification of a confirmed mark sheet',
        description: 'For administrators once the days for rechecks are over.',
        params,
        body: rectifyInput,
        response: { 201: sheetSavedReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      requireStaff(request);
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const sheet = await rectifySheet(tx, author, request.params.sheet_id, request.body);
        return { etag: sheetTag(sheet), reply: { message: 'Rectification added successfully', sheet } };
      });
    },
  );

  app.get(
    '/api/sheets/:sheet_id/difference',
    {
      schema: {
        tags,
        summary: 'What a rectification changes',
        params,
        response: { 200: differenceReply, ...refusals(404) },
      },
    },
    (request) => readDifference(db.read, request.params.sheet_id),
  );

  app.get(
    '/api/result-notifications',
    {
      schema: {
        tags,
        summary: 'Notifications of results, the newest first',
        response: { 200: notificationListReply, ...refusals() },
      },
    },
    () => listNotifications(db.read),
  );

  app.post(
    '/api/result-notifications',
    {
      schema: {
        tags,
        summary: 'Make final the results of a class in a semester',
        description: 'For administrators, once all its mark sheets are confirmed.',
        body: notificationInput,
        response: { 201: notificationSavedReply, ...refusals(403, 422), 409: notificationRefusedReply },
      },
    },
    async (request, reply) => {
      requireAdmin(request);
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const saved = await notifyClass(tx, author, request.body);
        return {
          etag: etag(`n${saved.number}`),
          reply: { message: 'Results notified successfully', ...saved },
        };
      });
    },
  );
}
