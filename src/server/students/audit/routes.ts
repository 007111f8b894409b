import { gradingCalls } from '../../../contract/grading/grading.ts';
import { auditCalls } from '../../../contract/schemes/audit.ts';
import type { App, Deps } from '../../app-types.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { sendObject } from '../../http/replies/send-json.ts';
import { transactAs } from '../../http/transact-as.ts';
import { readDegreeCheck } from './degree-check.ts';
import { createException, deleteException } from './exceptions.ts';
import { createOutsideCredit, deleteOutsideCredit, updateOutsideCredit } from './outside-credits.ts';
import { readAudit, readSchemeSubjects } from './read-audit.ts';

const outsideTag = ({ version }: { version: number }) => etag(versionPart.outsideCredit(version));

export function auditRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, auditCalls);

  bindCalls(app, gradingCalls)('GET /api/students/:id/degree-check', ({ params }) =>
    readDegreeCheck(db.read, params.id),
  );

  handle('GET /api/students/:id/audit', async ({ params, query, reply }) =>
    sendObject(reply, await readAudit(db.read, params.id, query)),
  );

  handle('GET /api/students/:id/scheme-subjects', ({ params, query }) =>
    readSchemeSubjects(db.read, params.id, query.semester),
  );

  handle('POST /api/students/:id/exceptions', ({ params, body, create }) =>
    create(db.write, async (tx, author) => {
      const exception = await createException(tx, author, params.id, body);
      const message = exception.course_id === null ? 'The row is waived.' : 'The course counts for the row.';
      return { etag: etag(versionPart.exception(exception.exception_id)), reply: { message, exception } };
    }),
  );

  handle('DELETE /api/students/:id/exceptions/:exception_id', async ({ params, query, ifMatch, actor }) => {
    const { id, exception_id } = params;
    await transactAs(db.write, actor, (tx, author) =>
      deleteException(tx, author, { id, exceptionId: exception_id, ...query }, ifMatch),
    );
    return { message: 'The exception is taken back.' };
  });

  handle('POST /api/students/:id/outside-credits', ({ params, body, create }) =>
    create(db.write, async (tx, author) => {
      const outside_credit = await createOutsideCredit(tx, author, params.id, body);
      return {
        etag: outsideTag(outside_credit),
        reply: { message: 'Credits from elsewhere added successfully', outside_credit },
      };
    }),
  );

  handle(
    'PUT /api/students/:id/outside-credits/:outside_id',
    async ({ params: { id, outside_id }, body, ifMatch, actor, reply }) => {
      const outside_credit = await transactAs(db.write, actor, (tx, author) =>
        updateOutsideCredit(tx, author, { id, outsideId: outside_id }, body, ifMatch),
      );
      reply.header('etag', outsideTag(outside_credit));
      return { message: 'Credits from elsewhere updated successfully', outside_credit };
    },
  );

  handle(
    'DELETE /api/students/:id/outside-credits/:outside_id',
    async ({ params: { id, outside_id }, ifMatch, actor }) => {
      await transactAs(db.write, actor, (tx, author) =>
        deleteOutsideCredit(tx, author, { id, outsideId: outside_id }, ifMatch),
      );
      return { message: 'Credits from elsewhere deleted successfully' };
    },
  );
}
