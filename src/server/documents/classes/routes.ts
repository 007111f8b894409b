import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { numberedPath } from '../../../contract/fields.ts';
import { semesterReportQuery } from '../../../contract/grading/reports.ts';
import type { App } from '../../app-types.ts';
import type { Database } from '../../db/database.ts';
import { recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import { requireStaff } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import type { Printer } from '../pdf/printer.ts';
import { readAwardList } from './award-list.ts';
import { readResultSheet } from './result-sheet.ts';

/** Documents on a class. */
export function classDocumentRoutes(app: App, db: Database, printer: Printer): void {
  app.get(
    '/api/reports/result-sheet.pdf',
    {
      config: { heavy: 'print' },
      // A HEAD request would build the whole file and discard it.
      exposeHeadRoute: false,
      schema: {
        tags: ['Documents'],
        summary: 'The result sheet of a class as a PDF in landscape',
        description:
          'Students in rows, courses in columns; final results only. Without `semester` of the latest one that any of them has recorded. The history has an entry for each file.',
        querystring: semesterReportQuery,
        response: { 200: z.unknown().meta({ type: 'string', format: 'binary' }), ...refusals(403, 409, 422) },
      },
    },
    async (request, reply) => {
      const { id, name } = requireStaff(request);
      const sheet = await readResultSheet(db.read, request.query);
      const pdf = await printer.printResultSheet(sheet, request.left);
      await transact(db.write, (tx) =>
        recordChange(
          tx,
          { id, name },
          {
            ...{ action: 'create', entity: 'export', entityId: randomUUID() },
            after: {
              ...{ report: 'result-sheet', format: 'pdf', rows: sheet.students.length },
              view: { ...request.query, semester: sheet.semester },
            },
          },
        ),
      );
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="result-sheet-semester-${sheet.semester}.pdf"`,
        })
        .send(Buffer.from(pdf));
    },
  );

  app.get(
    '/api/sheets/:sheet_id/award-list.pdf',
    {
      config: { heavy: 'print' },
      exposeHeadRoute: false,
      schema: {
        tags: ['Documents'],
        summary: 'The award list of a mark sheet as a PDF in landscape',
        description:
          'Students in rows, components in columns, with total and grade, boundaries and counts. Each page says whether the sheet is confirmed. The history has an entry for each file.',
        params: z.object({ sheet_id: numberedPath }),
        response: { 200: z.unknown().meta({ type: 'string', format: 'binary' }), ...refusals(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { id, name } = requireStaff(request);
      const { sheet_id } = request.params;
      const list = await readAwardList(db.read, sheet_id);
      const pdf = await printer.printAwardList(list, request.left);
      await transact(db.write, (tx) =>
        recordChange(
          tx,
          { id, name },
          {
            ...{ action: 'create', entity: 'export', entityId: randomUUID() },
            after: {
              ...{ report: 'award-list', format: 'pdf', rows: list.students.length },
              view: { sheet_id },
            },
          },
        ),
      );
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="award-list-${sheet_id}.pdf"`,
        })
        .send(Buffer.from(pdf));
    },
  );
}
