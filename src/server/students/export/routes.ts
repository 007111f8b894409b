import { z } from 'zod';
import {
  EXPORT_FORMATS,
  exportBody,
  exportProgress,
  exportQuery,
} from '../../../contract/students/export.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { requireActor } from '../../http/actor.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import { refusals } from '../../http/refusals.ts';
import { ExportProgressStore } from './progress.ts';
import { sendExport } from './send-export.ts';

const tags = ['Exports'];
/** Bytes bypass the serializer. */
const file = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' });
const answers = { 200: file, ...refusals(422, 429) };

const KIND = { csv: 'CSV', xlsx: 'an Excel workbook' } as const;

export function exportRoutes(app: App, { db }: Deps): void {
  const runInBackground = backgroundTasks(app);
  const exports = new ExportProgressStore(db, runInBackground);
  const sending = { db, exports, runInBackground };

  for (const format of EXPORT_FORMATS) {
    const url = `/api/exports/students.${format}`;
    app.get(
      url,
      {
        // A HEAD request would build the whole file and discard it.
        exposeHeadRoute: false,
        schema: {
          tags,
          summary: `The students of a view as ${KIND[format]}`,
          description:
            'Those named by `ids`, or all but `except`, separated by commas. `separator` is what stands between the cells of a CSV: `comma` (without it) or `semicolon`. `columns` names those wanted, separated by commas; `results` adds a row for each subject (`subjects`) or a column for each course (`courses`, at most 5,000 students). `X-Export-Id` is what to ask for its progress by, `X-Total-Rows` says how many rows are to come and `X-Total-Is` how sure that is.',
          querystring: exportQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        const { bom, ids, except, separator, columns, results, ...view } = request.query;
        const file = { bom: bom === 'true', separator, columns, results };
        const asked = { format, view, selection: { ids, except }, ...file };
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
        response: { 200: exportProgress, ...refusals(404) },
      },
    },
    async (request) => {
      const running = await exports.find(request.params.id, requireActor(request).id);
      if (running === undefined) throw new AppError('not-found', 'There is no such export.');
      return running;
    },
  );
}
