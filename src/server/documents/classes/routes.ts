import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { semesterReportQuery } from '../../../contract/grading/reports.ts';
import type { App } from '../../app-types.ts';
import type { Database } from '../../db/database.ts';
import { recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import { requireStaff } from '../../http/actor.ts';
import { refusals } from '../../http/refusals.ts';
import type { Printer } from '../papers/printer.ts';
import { readResultSheet } from './result-sheet.ts';

/** Papers on a class. */
export function classPaperRoutes(app: App, db: Database, printer: Printer): void {
  app.get(
    '/api/reports/result-sheet.pdf',
    {
      // A HEAD request would build the whole file and discard it.
      exposeHeadRoute: false,
      schema: {
        tags: ['Documents'],
        summary: 'The result sheet of a class as a PDF in landscape',
        description:
          'Students in rows, courses in columns; final results only. Without `semester` of the latest one that any of them has recorded. The history has an entry for each file.',
        querystring: semesterReportQuery,
        response: { 200: z.any().meta({ type: 'string', format: 'binary' }), ...refusals(403, 409, 422) },
      },
    },
    async (request, reply) => {
      const { id, name } = requireStaff(request);
      const sheet = await readResultSheet(db.read, request.query);
      const pdf = await printer.printResultSheet(sheet);
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
}
