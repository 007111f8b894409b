import { classDocumentCalls } from '../../../contract/documents/class-documents.ts';
import type { App } from '../../app-types.ts';
import type { Database } from '../../db/database.ts';
import { recordExport } from '../../history/record-export.ts';
import { transact } from '../../history/transaction.ts';
import { bindCalls } from '../../http/handle.ts';
import type { Printer } from '../pdf/printer.ts';
import { readAwardList } from './award-list.ts';
import { readResultSheet } from './result-sheet.ts';

/** A HEAD request would build the whole file and discard it. */
const PRINT = { config: { heavy: 'print' }, exposeHeadRoute: false } as const;

/** Documents on a class. */
export function classDocumentRoutes(app: App, db: Database, printer: Printer): void {
  const handle = bindCalls(app, classDocumentCalls);

  handle('GET /api/reports/result-sheet.pdf', PRINT, async ({ query, actor, request, reply }) => {
    const { id, name } = actor;
    const sheet = await readResultSheet(db.read, query);
    const { semester } = sheet;
    const pdf = await printer.printResultSheet(sheet, request.left);
    const view = { ...query, semester };
    const file = { report: 'result-sheet', format: 'pdf', rows: sheet.students.length, view } as const;
    await transact(db.write, (tx) => recordExport(tx, { id, name }, file));
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="result-sheet-semester-${semester}.pdf"`,
      })
      .send(Buffer.from(pdf));
  });

  handle('GET /api/sheets/:sheet_id/award-list.pdf', PRINT, async ({ params, actor, request, reply }) => {
    const { id, name } = actor;
    const { sheet_id } = params;
    const list = await readAwardList(db.read, sheet_id);
    const pdf = await printer.printAwardList(list, request.left);
    const view = { sheet_id };
    const file = { report: 'award-list', format: 'pdf', rows: list.students.length, view } as const;
    await transact(db.write, (tx) => recordExport(tx, { id, name }, file));
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="award-list-${sheet_id}.pdf"`,
      })
      .send(Buffer.from(pdf));
  });
}
