import { sheetRegistrationCalls } from '../../../contract/marksheets/registrations.ts';
import type { App, Deps } from '../../app-types.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { sheetEtag } from '../routes.ts';
import { explainRegistration, listRegistrations } from './list-registrations.ts';
import { readStudentTerms } from './student-terms.ts';

/** Who takes which course in a term, and why against a warning. */
export function sheetRegistrationRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, sheetRegistrationCalls);

  handle('GET /api/sheets/:sheet_id/registrations', ({ params, query }) =>
    listRegistrations(db.read, { sheet_id: params.sheet_id }, query),
  );

  handle('GET /api/terms/:term_id/registrations', { config: { heavy: 'preview' } }, ({ params, query }) =>
    listRegistrations(db.read, { term_id: params.term_id }, query),
  );

  handle(
    'PUT /api/sheets/:sheet_id/rows/:student_id/registration',
    async ({ params, body, ifMatch, actor, reply }) => {
      const { version, registration } = await transactAs(db.write, actor, (tx, author) =>
        explainRegistration(
          tx,
          author,
          { sheetId: params.sheet_id, studentId: params.student_id, reason: body.reason },
          ifMatch,
        ),
      );
      reply.header('etag', sheetEtag({ version }));
      return { message: 'The reason is on record.', registration };
    },
  );

  handle('GET /api/students/:id/terms', ({ params }) => readStudentTerms(db.read, params.id));
}
