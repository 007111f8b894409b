import { sheetCalls } from '../../contract/marksheets/sheet-calls.ts';
import type { App, Deps } from '../app-types.ts';
import { recordExport } from '../history/record-export.ts';
import { transact } from '../history/transaction.ts';
import { etag, versionPart } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { transactAs } from '../http/transact-as.ts';
import { FILE_TYPES } from '../students/export/send-export.ts';
import { addStudents } from './class-list/add-students.ts';
import { previewStudents } from './class-list/preview-students.ts';
import { SheetEvents } from './events.ts';
import { exportMarks } from './export.ts';
import { listSheets, requireSheetReply } from './present-sheet.ts';
import { storeCells } from './store-cells.ts';
import { setTeachers } from './teachers/set-teachers.ts';
import { removeStudent, updateRow } from './write-rows.ts';
import { createSheet, deleteSheet, updateSheet } from './write-sheet.ts';

export const sheetEtag = ({ version }: { version: number }) => etag(versionPart.sheet(version));

/** Mark sheets: the marks of a class in a course. */
export function sheetRoutes(app: App, { db, settings }: Deps): void {
  const handle = bindCalls(app, sheetCalls);
  const events = new SheetEvents(db, {
    idle: settings.session.idle,
    onFailure: (err) => app.log.error({ err }, 'events of mark sheets not sent'),
  });
  app.addHook('preClose', () =>
    events.stop().catch((err: unknown) => app.log.warn({ err }, 'people in mark sheets not removed')),
  );

  handle('GET /api/sheets', ({ query, actor }) =>
    listSheets(db.read, query, actor.role === 'teacher' ? actor.id : undefined),
  );

  handle('POST /api/sheets', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const sheet = await createSheet(tx, author, body);
      return { etag: sheetEtag(sheet), reply: { message: 'Mark sheet added successfully', sheet } };
    }),
  );

  handle('GET /api/sheets/:sheet_id', async ({ params, reply }) => {
    const sheet = await requireSheetReply(db.read, params.sheet_id);
    reply.header('etag', sheetEtag(sheet));
    return { sheet };
  });

  handle('PUT /api/sheets/:sheet_id', async ({ params, body, ifMatch, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      updateSheet(tx, author, params.sheet_id, body, ifMatch),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Mark sheet updated successfully', sheet };
  });

  handle('DELETE /api/sheets/:sheet_id', async ({ params, ifMatch, actor }) => {
    await transactAs(db.write, actor, (tx, author) => deleteSheet(tx, author, params.sheet_id, ifMatch));
    return { message: 'Mark sheet deleted successfully' };
  });

  handle('POST /api/sheets/:sheet_id/students', async ({ params, body, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      addStudents(tx, author, params.sheet_id, body),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Students added successfully', sheet };
  });

  handle('POST /api/sheets/:sheet_id/students/preview', ({ params, body }) =>
    previewStudents(db.read, params.sheet_id, body.ids),
  );

  handle('DELETE /api/sheets/:sheet_id/students/:student_id', async ({ params, query, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      removeStudent(tx, author, params.sheet_id, params.student_id, query.reason),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Student removed successfully', sheet };
  });

  handle('PUT /api/sheets/:sheet_id/teachers', async ({ params, body, ifMatch, actor, reply }) => {
    const sheet = await transactAs(db.write, actor, (tx, author) =>
      setTeachers(tx, author, params.sheet_id, body.ids, ifMatch),
    );
    reply.header('etag', sheetEtag(sheet));
    return { message: 'Teachers stored successfully', sheet };
  });

  handle('PUT /api/sheets/:sheet_id/cells', async ({ params, body, actor, reply }) => {
    const stored = await transactAs(db.write, actor, (tx, author) =>
      storeCells(tx, author, params.sheet_id, body),
    );
    reply.header('etag', sheetEtag(stored));
    return stored;
  });

  handle('PUT /api/sheets/:sheet_id/rows/:student_id', async ({ params, body, actor, reply }) => {
    const saved = await transactAs(db.write, actor, (tx, author) =>
      updateRow(tx, author, params.sheet_id, params.student_id, body),
    );
    reply.header('etag', sheetEtag(saved));
    return { message: 'Row updated successfully', ...saved };
  });

  handle(
    'GET /api/sheets/:sheet_id/marks.csv',
    { exposeHeadRoute: false },
    async ({ params, actor: { id, name }, reply }) => {
      const { sheet_id } = params;
      const { file, rows } = await exportMarks(db.read, sheet_id);
      const exported = { report: 'marks', format: 'csv', rows, view: { sheet_id } } as const;
      await transact(db.write, (tx) => recordExport(tx, { id, name }, exported));
      return reply
        .headers({
          'content-type': FILE_TYPES.csv,
          'content-disposition': `attachment; filename="marks-${sheet_id}.csv"`,
        })
        .send(file);
    },
  );

  handle(
    'GET /api/sheets/:sheet_id/events',
    { exposeHeadRoute: false, config: { isStream: true } },
    async ({ params, actor, reply }) => {
      const stream = await events.open(params.sheet_id, actor, reply.raw);
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );
}
