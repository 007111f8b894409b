import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CsvSeparator, ExportFormat, ExportResults } from '../../../contract/students/export.ts';
import type { StudentView } from '../../../contract/students/student-list.ts';
import { calendarDate } from '../../../domain/age.ts';
import type { ExportColumn } from '../../../domain/export-columns.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/schema.ts';
import { type Change, recordChange } from '../../history/record-change.ts';
import { transact } from '../../history/transaction.ts';
import { requireActor } from '../../http/actor.ts';
import type { RunInBackground } from '../../http/background-tasks.ts';
import { readDatabaseFor } from '../../http/hooks/read-your-writes.ts';
import type { StudentPages } from './columns.ts';
import { toCsv } from './csv.ts';
import type { ExportHandle, ExportProgressStore } from './progress.ts';
import { type Selection, selectedStudents } from './selection.ts';
import { exportTable } from './table.ts';
import { toXlsx } from './xlsx.ts';

export interface ExportRequest {
  format: ExportFormat;
  view: StudentView;
  selection: Selection;
  bom: boolean;
  /** For CSV only. */
  separator: CsvSeparator;
  /** All by default. */
  columns?: readonly ExportColumn[] | undefined;
  results: ExportResults;
}

/** Media types of the files. */
export const FILE_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Streams the file: reads the next page once the last one has been sent, and stops when the client disconnects. If the file
 * cannot be finished, the connection is closed, so that the client notices that it is incomplete.
 *
 * The history has an entry before the first record is sent, and another one with the number of rows at the end.
 */
export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    db,
    exports,
    runInBackground,
  }: { db: Database; exports: ExportProgressStore; runInBackground: RunInBackground },
  { format, view, selection, bom, separator, columns, results }: ExportRequest,
): Promise<FastifyReply> {
  const actor = requireActor(request);
  // Recorded even if the session ends during the export.
  const reader = { id: actor.id, name: actor.name };
  const running = await exports.begin(actor.id);
  const record = (tx: Tx, change: Pick<Change, 'action' | 'after'>) =>
    recordChange(tx, reader, { ...change, entity: 'export', entityId: running.id });
  try {
    const from = await readDatabaseFor(db, request);
    const { pages, total, total_is } = await selectedStudents(from, view, selection);
    Object.assign(running, { total, total_is });
    const table = await exportTable(from, countRows(pages, running), { columns, results });
    const added = results === 'none' ? {} : { results };
    const exported = { format, view, ...selection, columns, ...added, total, total_is };
    await transact(db.write, async (tx) => {
      await exports.report(running, tx);
      await record(tx, { action: 'create', after: exported });
    });

    const chunks = format === 'csv' ? toCsv(table, { bom, separator }) : toXlsx(table);
    const file = Readable.from(countBytes(chunks, running, exports));
    const ended = new Promise<{ rows: number; is_whole: boolean }>((resolve) => {
      finished(file, (error) => {
        exports.stopReporting(running);
        resolve({ rows: running.rows, is_whole: !error });
      });
    });
    runInBackground(
      ended.then((after) =>
        transact(db.write, async (tx) => {
          await exports.end(tx, running);
          await record(tx, { action: 'update', after });
        }),
      ),
      'end of an export not recorded',
      { exportId: running.id },
    );
    return reply
      .headers({
        'content-type': FILE_TYPES[format],
        'content-disposition': `attachment; filename="${fileName(format)}"`,
        'x-export-id': running.id,
        'x-total-rows': total,
        'x-total-is': total_is,
      })
      .send(file);
  } catch (error) {
    exports.stopReporting(running);
    runInBackground(
      transact(db.write, (tx) => exports.end(tx, running)),
      'end of an export not recorded',
      { exportId: running.id },
    );
    throw error;
  }
}

async function* countRows(pages: StudentPages, running: ExportHandle): StudentPages {
  for await (const page of pages) {
    running.rows += page.length;
    yield page;
  }
  // All rows have been read, so the total is no estimate any more.
  Object.assign(running, { total: running.rows, total_is: 'exact' });
}

async function* countBytes(
  chunks: AsyncIterable<string | Buffer>,
  running: ExportHandle,
  exports: ExportProgressStore,
) {
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    running.bytes += bytes.length;
    yield bytes;
  }
  // Before the client sees the end of the file. A failure must not break the file.
  await exports.report(running).catch(() => {});
}

const fileName = (format: ExportFormat) => `students-${calendarDate(new Date())}.${format}`;
