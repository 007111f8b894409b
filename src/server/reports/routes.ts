import { reportCalls } from '../../contract/grading/reports.ts';
import { shortageCalls } from '../../contract/marksheets/attendance.ts';
import { EXPORT_FORMATS } from '../../contract/students/export.ts';
import { calendarDate } from '../../domain/age.ts';
import type { App, Deps } from '../app-types.ts';
import { recordExport } from '../history/record-export.ts';
import { transact } from '../history/transaction.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { bindCalls } from '../http/handle.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import { FILE_TYPES } from '../students/export/send-export.ts';
import { ReadLog } from '../students/read-log.ts';
import { readAuditReport } from './audit.ts';
import { listClasses } from './class.ts';
import { readDeansList } from './deans-list.ts';
import { exportReport, toExportView } from './export.ts';
import { readDegreeChecks, readRanking, readResultSummary } from './reports.ts';
import { readShortage } from './shortage.ts';

export function reportRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, reportCalls);
  const readLog = new ReadLog(db.write, backgroundTasks(app), 'GET /api/reports');

  handle('GET /api/reports/classes', async ({ request }) => listClasses(await readDatabaseFor(db, request)));

  handle('GET /api/reports/ranking', async ({ query, actor, request }) => {
    const ranking = await readRanking(await readDatabaseFor(db, request), query);
    readLog.note(actor, { rows: ranking.of + ranking.unranked.length });
    return ranking;
  });

  handle('GET /api/reports/result-summary', async ({ query, actor, request }) => {
    const summary = await readResultSummary(await readDatabaseFor(db, request), query);
    readLog.note(actor, { rows: summary.students.length });
    return summary;
  });

  handle('GET /api/reports/deans-list', async ({ query, actor, request }) => {
    const list = await readDeansList(await readDatabaseFor(db, request), query);
    readLog.note(actor, { rows: list.students.length });
    return list;
  });

  handle('GET /api/reports/degree-check', async ({ query, actor, request }) => {
    const checks = await readDegreeChecks(await readDatabaseFor(db, request), query);
    readLog.note(actor, { rows: checks.students.length });
    return checks;
  });

  handle('GET /api/reports/audit', async ({ query, actor, request }) => {
    const report = await readAuditReport(await readDatabaseFor(db, request), query);
    readLog.note(actor, { rows: report.students.length });
    return report;
  });

  bindCalls(app, shortageCalls)('GET /api/reports/shortage', async ({ query, actor, request }) => {
    const shortage = await readShortage(await readDatabaseFor(db, request), query);
    readLog.note(actor, { rows: shortage.length });
    return shortage;
  });

  for (const format of EXPORT_FORMATS) {
    handle(
      `GET /api/reports/export.${format}`,
      // A HEAD request would build the whole file and discard it.
      { exposeHeadRoute: false },
      async ({ query, actor: { id, name }, request, reply }) => {
        const from = await readDatabaseFor(db, request);
        const { file, rows } = await exportReport(from, query, format);
        const exported = { report: query.report, format, rows, view: toExportView(query) };
        await transact(db.write, (tx) => recordExport(tx, { id, name }, exported));
        const day = calendarDate(new Date());
        return reply
          .headers({
            'content-type': FILE_TYPES[format],
            'content-disposition': `attachment; filename="${query.report}-${day}.${format}"`,
          })
          .send(file);
      },
    );
  }
}
