import { z } from 'zod';
import { messageReply } from '../../contract/errors.ts';
import { numberedPath, studentId } from '../../contract/fields.ts';
import {
  cellsInput,
  cellsReply,
  sheetInput,
  sheetListQuery,
  sheetListReply,
  sheetRowInput,
  sheetRowSavedReply,
  sheetRowStaleReply,
  sheetSavedReply,
  sheetShowReply,
  sheetStudentsInput,
  sheetUpdate,
  studentsPreviewReply,
} from '../../contract/marksheets/sheets.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../history/transaction.ts';
import { requireActor, requireStaff } from '../http/actor.ts';
import { etag, versionPart } from '../http/etags.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { transactAs } from '../http/transact-as.ts';
import { FILE_TYPES } from '../students/export/send-export.ts';
import { addStudents } from './class-list/add-students.ts';
import { previewStudents } from './class-list/preview-students.ts';
import { SheetEvents } from './events.ts';
import { exportMarks, recordMarksExport } from './export.ts';
import { listSheets, requireSheetReply } from './present-sheet.ts';
import { storeCells } from './store-cells.ts';
import { removeStudent, updateRow } from './write-rows.ts';
import { createSheet, deleteSheet, updateSheet } from './write-sheet.ts';

const tags = ['Mark sheets'];
export const sheetPath = z.object({ sheet_id: numberedPath });
const rowPath = sheetPath.extend({ student_id: studentId });
/** Text bypasses the serializer. */
const eventStream = z.unknown().meta({ type: 'string' });

export const sheetTag = ({ version }: { version: number }) => etag(versionPart.sheet(version));

/** Mark sheets: the marks of a class in a course. */
export function sheetRoutes(app: App, { db, settings }: Deps): void {
  const events = new SheetEvents(db, {
    idle: settings.session.idle,
    onFailure: (err) => app.log.error({ err }, 'events of mark sheets not sent'),
  });
  app.addHook('preClose', () =>
    events.stop().catch((err: unknown) => app.log.warn({ err }, 'people in mark sheets not removed')),
  );

  app.get(
    '/api/sheets',
    {
      schema: {
        tags,
        summary: 'Mark sheets without their rows, the newest first',
        querystring: sheetListQuery,
        response: { 200: sheetListReply, ...refusals(422) },
      },
    },
    (request) => listSheets(db.read, request.query),
  );

  app.post(
    '/api/sheets',
    {
      schema: {
        tags,
        summary: 'Make a mark sheet for a class or for named students',
        body: sheetInput,
        response: { 201: sheetSavedReply, ...refusals(403, 422) },
      },
    },
    async (request, reply) =>
      createIdempotently(db.write, request, reply, async (tx, author) => {
        const sheet = await createSheet(tx, author, request.body);
        return { etag: sheetTag(sheet), reply: { message: 'Mark sheet added successfully', sheet } };
      }),
  );

  app.get(
    '/api/sheets/:sheet_id',
    {
      schema: {
        tags,
        summary: 'A mark sheet with its rows',
        params: sheetPath,
        response: { 200: sheetShowReply, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const sheet = await requireSheetReply(db.read, request.params.sheet_id);
      reply.header('etag', sheetTag(sheet));
      return { sheet };
    },
  );

  app.put(
    '/api/sheets/:sheet_id',
    {
      schema: {
        tags,
        summary: 'Change title, credit hours and categories of a draft',
        description: 'A component that holds marks goes only with `discard`.',
        params: sheetPath,
        body: sheetUpdate,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409, 412, 422) },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const ifMatch = request.headers['if-match'];
      const sheet = await transactAs(db.write, requireStaff(request), (tx, author) =>
        updateSheet(tx, author, sheet_id, request.body, ifMatch),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Mark sheet updated successfully', sheet };
    },
  );

  app.delete(
    '/api/sheets/:sheet_id',
    {
      schema: {
        tags,
        summary: 'Delete a draft that was never submitted',
        params: sheetPath,
        response: { 200: messageReply, ...refusals(403, 404, 409, 412) },
      },
    },
    async (request) => {
      const { sheet_id } = request.params;
      const ifMatch = request.headers['if-match'];
      await transactAs(db.write, requireStaff(request), (tx, author) =>
        deleteSheet(tx, author, sheet_id, ifMatch),
      );
      return { message: 'Mark sheet deleted successfully' };
    },
  );

  app.post(
    '/api/sheets/:sheet_id/students',
    {
      schema: {
        tags,
        summary: 'Add students to the class list of a draft',
        params: sheetPath,
        body: sheetStudentsInput,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const sheet = await transactAs(db.write, requireStaff(request), (tx, author) =>
        addStudents(tx, author, sheet_id, request.body.ids),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Students added successfully', sheet };
    },
  );

  app.post(
    '/api/sheets/:sheet_id/students/preview',
    {
      schema: {
        tags,
        summary: 'How students would be added to the class list of a draft',
        description: 'Stores nothing. Says who stands on another mark sheet of the course and term.',
        params: sheetPath,
        body: sheetStudentsInput,
        response: { 200: studentsPreviewReply, ...refusals(403, 404, 409, 422) },
      },
    },
    (request) => {
      requireStaff(request);
      return previewStudents(db.read, request.params.sheet_id, request.body.ids);
    },
  );

  app.delete(
    '/api/sheets/:sheet_id/students/:student_id',
    {
      schema: {
        tags,
        summary: 'Take a student off the class list of a draft',
        params: rowPath,
        response: { 200: sheetSavedReply, ...refusals(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { sheet_id, student_id } = request.params;
      const sheet = await transactAs(db.write, requireStaff(request), (tx, author) =>
        removeStudent(tx, author, sheet_id, student_id),
      );
      reply.header('etag', sheetTag(sheet));
      return { message: 'Student removed successfully', sheet };
    },
  );

  app.put(
    '/api/sheets/:sheet_id/cells',
    {
      schema: {
        tags,
        summary: 'Store cells of a draft',
        description:
          'Each is stored if it still holds `was`; otherwise it is left and listed in `conflicts`. A mark, `A` for absent, `E` for excused, null to empty it.',
        params: sheetPath,
        body: cellsInput,
        response: { 200: cellsReply, ...refusals(403, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { sheet_id } = request.params;
      const stored = await transactAs(db.write, requireStaff(request), (tx, author) =>
        storeCells(tx, author, sheet_id, request.body),
      );
      reply.header('etag', sheetTag(stored));
      return stored;
    },
  );

  app.put(
    '/api/sheets/:sheet_id/rows/:student_id',
    {
      schema: {
        tags,
        summary: 'Set how a row of a draft ends',
        params: rowPath,
        body: sheetRowInput,
        response: { 200: sheetRowSavedReply, ...refusals(403, 404, 409, 422), 412: sheetRowStaleReply },
      },
    },
    async (request, reply) => {
      const { sheet_id, student_id } = request.params;
      const saved = await transactAs(db.write, requireStaff(request), (tx, author) =>
        updateRow(tx, author, sheet_id, student_id, request.body),
      );
      reply.header('etag', sheetTag(saved));
      return { message: 'Row updated successfully', ...saved };
    },
  );

  app.get(
    '/api/sheets/:sheet_id/marks.csv',
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The marks of a sheet as CSV',
        description:
          'CMS ID, name, a column for each component, total and grade, as UTF-8 with a byte order mark. Text that a spreadsheet would read as a formula begins with an apostrophe. The history has an entry for each file.',
        params: sheetPath,
        response: { 200: z.unknown().meta({ type: 'string', format: 'binary' }), ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { id, name } = requireActor(request);
      const { sheet_id } = request.params;
      const { file, rows } = await exportMarks(db.read, sheet_id);
      await transact(db.write, (tx) => recordMarksExport(tx, { id, name }, sheet_id, rows));
      return reply
        .headers({
          'content-type': FILE_TYPES.csv,
          'content-disposition': `attachment; filename="marks-${sheet_id}.csv"`,
        })
        .send(file);
    },
  );

  app.get(
    '/api/sheets/:sheet_id/events',
    {
      exposeHeadRoute: false,
      config: { isStream: true },
      schema: {
        tags,
        summary: 'What others do in a mark sheet, as server-sent events',
        description:
          '`cells` with changed rows, `state` when the sheet is to be read again, `people` who has it open.',
        params: sheetPath,
        response: { 200: eventStream, ...refusals(404, 429) },
      },
    },
    async (request, reply) => {
      const stream = await events.open(request.params.sheet_id, requireActor(request), reply.raw);
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );
}
