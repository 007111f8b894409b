import { EXPORT_FORMATS, exportCalls } from '../../../contract/students/export.ts';
import type { App, Deps } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { backgroundTasks } from '../../http/background-tasks.ts';
import { bindCalls } from '../../http/handle.ts';
import { ExportProgressStore } from './progress.ts';
import { sendExport } from './send-export.ts';

export function exportRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, exportCalls);
  const runInBackground = backgroundTasks(app);
  const exports = new ExportProgressStore(db, runInBackground);
  const sending = { db, exports, runInBackground };

  for (const format of EXPORT_FORMATS) {
    handle(
      `GET /api/exports/students.${format}`,
      // A HEAD request would build the whole file and discard it.
      { exposeHeadRoute: false },
      ({ query, request, reply }) => {
        const { bom, ids, except, separator, columns, results, ...view } = query;
        const file = { bom: bom === 'true', separator, columns, results };
        return sendExport(request, reply, sending, { format, view, selection: { ids, except }, ...file });
      },
    );
    handle(
      `POST /api/exports/students.${format}`,
      { config: { onlyReads: true } },
      ({ body, request, reply }) => sendExport(request, reply, sending, { format, ...body }),
    );
  }

  handle('GET /api/exports/:id/progress', async ({ params, actor }) => {
    const running = await exports.find(params.id, actor.id);
    if (running === undefined) throw new AppError('not-found', 'There is no such export.');
    return running;
  });
}
