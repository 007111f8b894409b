import { attendanceCalls } from '../../../contract/marksheets/attendance.ts';
import type { App, Deps } from '../../app-types.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { sheetEtag } from '../routes.ts';
import { condoneAttendance } from './condone.ts';
import { storeAttendance } from './store-attendance.ts';

/** Attendance of the rows of mark sheets. */
export function attendanceRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, attendanceCalls);

  handle('PUT /api/sheets/:sheet_id/attendance', async ({ params, body, actor, reply }) => {
    const stored = await transactAs(db.write, actor, (tx, author) =>
      storeAttendance(tx, author, params.sheet_id, body),
    );
    reply.header('etag', sheetEtag(stored));
    return stored;
  });

  handle(
    'PUT /api/sheets/:sheet_id/rows/:student_id/condone',
    async ({ params, body, ifMatch, actor, reply }) => {
      const { sheet_id: sheetId, student_id: studentId } = params;
      const { reason } = body;
      const saved = await transactAs(db.write, actor, (tx, author) =>
        condoneAttendance(tx, author, { sheetId, studentId, reason }, ifMatch),
      );
      reply.header('etag', sheetEtag(saved));
      const message =
        reason === null ? 'Condoning taken back successfully' : 'Attendance condoned successfully';
      return { message, ...saved };
    },
  );
}
