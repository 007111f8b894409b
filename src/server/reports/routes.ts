import { z } from 'zod';
import {
  classesReply,
  deansListReply,
  degreeChecksQuery,
  degreeChecksReply,
  rankingQuery,
  rankingReply,
  reportExportQuery,
  resultSummaryReply,
  semesterReportQuery,
} from '../../contract/grading/reports.ts';
import { EXPORT_FORMATS } from '../../contract/students/export.ts';
import { calendarDate } from '../../domain/age.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../history/transaction.ts';
import { requireActor } from '../http/actor.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import { refusals } from '../http/refusals.ts';
import { FILE_TYPES } from '../students/export/send-export.ts';
import { ReadLog } from '../students/read-log.ts';
import { listClasses } from './class.ts';
import { exportReport, recordExport } from './export.ts';
import { readDeansList, readDegreeChecks, readRanking, readResultSummary } from './reports.ts';

const tags = ['Reports'];
const CLASS =
  'A class is a department and batch (`degree`), or one syndicate (`syn`) of it; its active and graduated students count.';
const SEMESTER = 'Without `semester` of the latest one that any of them has recorded.';
/** Bytes bypass the serializer. */
const file = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' });

const KIND = { csv: 'CSV', xlsx: 'an Excel workbook' } as const;

/** Figures and lists of a class, for everybody who may read records. */
export function reportRoutes(app: App, { db }: Deps): void {
  const readLog = new ReadLog(db.write, backgroundTasks(app), 'GET /api/reports');

  app.get(
    '/api/reports/classes',
    {
      schema: {
        tags,
        summary: 'The classes that there are reports of',
        response: { 200: classesReply, ...refusals() },
      },
    },
    async (request) => listClasses(await readDatabaseFor(db, request)),
  );

  app.get(
    '/api/reports/ranking',
    {
      schema: {
        tags,
        summary: 'The students of a class by CGPA or SGPA',
        description: `${CLASS} ${SEMESTER} By the printed average; students without complete results are listed with the reason instead.`,
        querystring: rankingQuery,
        response: { 200: rankingReply, ...refusals(422) },
      },
    },
    async (request) => {
      const ranking = await readRanking(await readDatabaseFor(db, request), request.query);
      readLog.note(requireActor(request), { rows: ranking.of + ranking.unranked.length });
      return ranking;
    },
  );

  app.get(
    '/api/reports/result-summary',
    {
      schema: {
        tags,
        summary: 'The results of a class in figures, with the students whom they count',
        description: `${CLASS} ${SEMESTER}`,
        querystring: semesterReportQuery,
        response: { 200: resultSummaryReply, ...refusals(422) },
      },
    },
    async (request) => {
      const summary = await readResultSummary(await readDatabaseFor(db, request), request.query);
      readLog.note(requireActor(request), { rows: summary.students.length });
      return summary;
    },
  );

  app.get(
    '/api/reports/deans-list',
    {
      schema: {
        tags,
        summary: "The dean's list of a class, with each condition of each student",
        description: `${CLASS} ${SEMESTER}`,
        querystring: semesterReportQuery,
        response: { 200: deansListReply, ...refusals(422) },
      },
    },
    async (request) => {
      const list = await readDeansList(await readDatabaseFor(db, request), request.query);
      readLog.note(requireActor(request), { rows: list.students.length });
      return list;
    },
  );

  app.get(
    '/api/reports/degree-check',
    {
      schema: {
        tags,
        summary: 'Who of a class in the last semester fulfils the conditions of the degree',
        description: CLASS,
        querystring: degreeChecksQuery,
        response: { 200: degreeChecksReply, ...refusals(422) },
      },
    },
    async (request) => {
      const checks = await readDegreeChecks(await readDatabaseFor(db, request), request.query);
      readLog.note(requireActor(request), { rows: checks.students.length });
      return checks;
    },
  );

  for (const format of EXPORT_FORMATS) {
    app.get(
      `/api/reports/export.${format}`,
      {
        // A HEAD request would build the whole file and discard it.
        exposeHeadRoute: false,
        schema: {
          tags,
          summary: `A report as ${KIND[format]}`,
          description:
            'The `report` with the parameters of its call; `group` selects the students of a result summary. The history has an entry for each file.',
          querystring: reportExportQuery,
          response: { 200: file, ...refusals(422) },
        },
      },
      async (request, reply) => {
        const { id, name } = requireActor(request);
        const from = await readDatabaseFor(db, request);
        const { file, rows } = await exportReport(from, request.query, format);
        await transact(db.write, (tx) => recordExport(tx, { id, name }, request.query, { format, rows }));
        const day = calendarDate(new Date());
        return reply
          .headers({
            'content-type': FILE_TYPES[format],
            'content-disposition': `attachment; filename="${request.query.report}-${day}.${format}"`,
          })
          .send(file);
      },
    );
  }
}
