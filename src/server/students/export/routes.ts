import { z } from 'zod';
import { errorReply, invalidReply } from '../../../contract/errors.ts';
import { EXPORT_FORMATS, exportBody, exportProgress, exportQuery } from '../../../contract/export.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { actorOf } from '../../http/authentication.ts';
import { besideAnswers } from '../../http/beside-answers.ts';
import { RunningExports } from './running-exports.ts';
import { sendExport } from './send-export.ts';

const tags = ['Exports'];
/** Bytes go past the serializer. */
const file = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' });
const answers = { 200: file, 401: errorReply, 422: invalidReply, 429: errorReply };

const KIND = { csv: 'CSV', xlsx: 'an Excel workbook' } as const;

export function exportRoutes(app: App, { db }: Deps): void {
  const beside = besideAnswers(app);
  const exports = new RunningExports(db, beside);
  const sending = { db, exports, beside };

  for (const format of EXPORT_FORMATS) {
    const url = `/api/exports/students.${format}`;
    app.get(
      url,
      {
        // Would write the whole file in order to say nothing of it.
        exposeHeadRoute: false,
        schema: {
          tags,
          summary: `The students of a view as ${KIND[format]}`,
          description:
            'Those named by `ids`, or all but `except`, separated by commas. `X-Export-Id` is what to ask for its progress by, `X-Total-Rows` says how many rows are to come and `X-Total-Is` how sure that is.',
          querystring: exportQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        const { bom, ids, except, ...view } = request.query;
        const asked = { format, view, selection: { ids, except }, bom: bom === 'true' };
        return sendExport(request, reply, sending, asked);
      },
    );
    app.post(
      url,
      {
        config: { onlyReads: true },
        schema: {
          tags,
          summary: `The same, for a selection too long for an address: students as ${KIND[format]}`,
          body: exportBody,
          response: answers,
        },
      },
      async (request, reply) => sendExport(request, reply, sending, { format, ...request.body }),
    );
  }

  app.get(
    '/api/exports/:id/progress',
    {
      schema: {
        tags,
        summary: 'How far an export of one’s own has come',
        params: z.object({ id: z.uuid() }),
        response: { 200: exportProgress, 401: errorReply, 404: errorReply },
      },
    },
    async (request) => {
      const running = await exports.find(request.params.id, actorOf(request).id);
      if (running === undefined) throw new AppError('not-found', 'There is no such export.');
      return running;
    },
  );
}
