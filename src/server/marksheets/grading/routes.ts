import {
  boundariesInput,
  checksReply,
  offeringsReply,
  proposeInput,
  proposeReply,
  submitInput,
  submitRefusedReply,
  takeBackInput,
} from '../../../contract/marksheets/grading.ts';
import { sheetSavedReply } from '../../../contract/marksheets/sheets.ts';
import type { App, Deps } from '../../app-types.ts';
import { requireStaff } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import { transactAs } from '../../http/transact-as.ts';
import { sheetPath, sheetTag } from '../routes.ts';
import { requireSheet } from '../sheet.ts';
import { listOfferings, proposeFor, storeBoundaries } from './boundaries.ts';
import { checkSheet } from './checks.ts';
import { submitSheet, takeBackSheet } from './submit.ts';

const tags = ['Mark sheets'];
const params = sheetPath;

/** Boundaries of mark sheets, their checks and their submission. */
export function sheetGradingRoutes(app: App, { db }: Deps): void {
  app.post(
    '/api/sheets/:sheet_id/boundaries/propose',
    {
      config: { onlyReads: true },
      schema: {
        tags,
        summary: 'The boundaries of a method for the class as it is now',
        description: 'Stores nothing. What is left out is that of the policy.',
        params,
        body: proposeInput,
        response: { 200: proposeReply, ...refusals(404, 422) },
      },
    },
    (request) => proposeFor(db.read, request.params.sheet_id, request.body),
  );

  app.put(
    '/api/sheets/:sheet_id/boundaries',
    {
      schema: {
        tags,
        summary: 'Store the boundaries of a draft',
        description: '`reason` where boundaries were moved by hand and a warning stands.',
        params,
        body: boundariesInput,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409, 412, 422) },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const ifMatch = request.headers['if-match'];
      const sheet = await transactAs(db.write, requireStaff(request), (tx, author) =>
        storeBoundaries(tx, author, sheet_id, request.body, ifMatch),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Boundaries stored successfully', sheet };
    },
  );

  app.get(
    '/api/sheets/:sheet_id/offerings',
    {
      schema: {
        tags,
        summary: 'The last three confirmed mark sheets of the course',
        params,
        response: { 200: offeringsReply, ...refusals(404) },
      },
    },
    (request) => listOfferings(db.read, request.params.sheet_id),
  );

  app.get(
    '/api/sheets/:sheet_id/checks',
    {
      schema: {
        tags,
        summary: 'What keeps a mark sheet from being submitted, and what needs a reason',
        params,
        response: { 200: checksReply, ...refusals(404) },
      },
    },
    async (request) => {
      const { refusals: refused, warnings } = await checkSheet(
        db.read,
        await requireSheet(db.read, request.params.sheet_id),
      );
      return { refusals: refused, warnings };
    },
  );

  app.post(
    '/api/sheets/:sheet_id/submit',
    {
      schema: {
        tags,
        summary: 'Submit a draft for confirmation',
        description: 'With a reason for each warning.',
        params,
        body: submitInput,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 422), 409: submitRefusedReply },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const sheet = await transactAs(db.write, requireStaff(request), (tx, author) =>
        submitSheet(tx, author, sheet_id, request.body),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Mark sheet submitted successfully', sheet };
    },
  );

  app.post(
    '/api/sheets/:sheet_id/take-back',
    {
      schema: {
        tags,
        summary: 'Make a submitted mark sheet a draft again',
        description: 'For the person who submitted it and administrators.',
        params,
        body: takeBackInput,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const sheet = await transactAs(db.write, requireStaff(request), (tx, author) =>
        takeBackSheet(tx, author, sheet_id, request.body.reason),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Mark sheet taken back', sheet };
    },
  );
}
