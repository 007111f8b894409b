import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExportFormat } from '../../../contract/export.ts';
import type { StudentView } from '../../../contract/student-list.ts';
import type { Database } from '../../db/open.ts';
import type { Tx } from '../../db/schema.ts';
import { transact } from '../../db/transact.ts';
import { type Change, recordChange } from '../../history/record-change.ts';
import { actorOf } from '../../http/authentication.ts';
import type { Beside } from '../../http/beside-answers.ts';
import { readingFor } from '../../http/read-your-writes.ts';
import { chosenStudents, type Selection } from './chosen-students.ts';
import type { StudentPages } from './columns.ts';
import { csvOf } from './csv.ts';
import type { RunningExport, RunningExports } from './running-exports.ts';
import { xlsxOf } from './xlsx.ts';

export interface AskedExport {
  format: ExportFormat;
  view: StudentView;
  selection: Selection;
  bom: boolean;
}

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Sends the file while it is read and written: the next page is read when the one before has gone out, and none when
 * the caller has gone. The connection of a file that can't be finished is broken off, so that it is not taken for whole.
 *
 * That the person was given the records stands in the history before the first of them leaves, and afterwards how many
 * have left.
 */
export async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, exports, beside }: { db: Database; exports: RunningExports; beside: Beside },
  { format, view, selection, bom }: AskedExport,
): Promise<FastifyReply> {
  const actor = actorOf(request);
  const running = await exports.begin(actor.id);
  const record = (tx: Tx, change: Pick<Change, 'action' | 'after'>) =>
    recordChange(tx, actor, { ...change, entity: 'export', entityId: running.id });
  try {
    const from = await readingFor(db, request);
    const { pages, total, total_is } = await chosenStudents(from, view, selection);
    Object.assign(running, { total, total_is });
    const asked = { format, view, ...selection, total, total_is };
    await transact(db.write, async (tx) => {
      await exports.tell(running, tx);
      await record(tx, { action: 'create', after: asked });
    });

    const rows = counted(pages, running);
    const pieces = format === 'csv' ? csvOf(rows, { bom }) : xlsxOf(rows);
    const file = Readable.from(measured(pieces, running, exports));
    const ended = new Promise<{ rows: number; is_whole: boolean }>((resolve) => {
      finished(file, (error) => {
        exports.fallSilent(running);
        resolve({ rows: running.rows, is_whole: !error });
      });
    });
    beside(
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
        'content-type': TYPES[format],
        'content-disposition': `attachment; filename="${fileName(format)}"`,
        'x-export-id': running.id,
        'x-total-rows': total,
        'x-total-is': total_is,
      })
      .send(file);
  } catch (error) {
    exports.fallSilent(running);
    beside(
      transact(db.write, (tx) => exports.end(tx, running)),
      'end of an export not told',
      { exportId: running.id },
    );
    throw error;
  }
}

async function* counted(pages: StudentPages, running: RunningExport): StudentPages {
  for await (const page of pages) {
    running.rows += page.length;
    yield page;
  }
  // Whatever was estimated before, all have been read now.
  Object.assign(running, { total: running.rows, total_is: 'exact' });
}

async function* measured(
  pieces: AsyncIterable<string | Buffer>,
  running: RunningExport,
  exports: RunningExports,
) {
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    running.bytes += bytes.length;
    yield bytes;
  }
  // Before the caller sees that it is whole. The figures are not worth failing a file for.
  await exports.tell(running).catch(() => {});
}

const fileName = (format: ExportFormat) => `students-${new Date().toISOString().slice(0, 10)}.${format}`;
