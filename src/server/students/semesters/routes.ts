import { academicCalls } from '../../../contract/students/academics.ts';
import type { App, Deps } from '../../app-types.ts';
import { etag, versionPart } from '../../http/etags.ts';
import { bindCalls } from '../../http/handle.ts';
import { transactAs } from '../../http/transact-as.ts';
import { checkAcademicsStep } from '../entry-steps.ts';
import { noSuchStudent } from '../former-ids.ts';
import { findEntryState, findStudent } from '../queries.ts';
import { findClassSubjects } from './class-subjects.ts';
import { deleteSemester, undoDeletion } from './delete-semester.ts';
import { enterLate } from './entry-semester.ts';
import { readStudentResults } from './load-results.ts';
import { createSemester, updateSemester } from './write-semester.ts';

export function academicRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, academicCalls);

  handle('GET /api/students/:id/academics/create', async ({ params }) =>
    checkAcademicsStep(await findEntryState(db.read, params.id)),
  );

  handle('GET /api/students/:id/class-subjects', async ({ params, query }) => {
    const student = await findStudent(db.read, params.id);
    if (student === undefined) throw noSuchStudent();
    return findClassSubjects(db.read, student, query.semester);
  });

  handle('GET /api/students/:id/result-rights', async ({ params }) => {
    const student = await findStudent(db.read, params.id);
    const results = student && (await readStudentResults(db.read, student));
    if (results === undefined) throw noSuchStudent();
    const { degree } = results.student;
    const { sheets_only } = results.policies.of(degree).rules;
    return { degree, sheets_only, slots: [...results.protectedSlots], unrecorded: [...results.unrecorded] };
  });

  handle('POST /api/students/:id/entry-semester', ({ params, body: { semester }, create }) =>
    create(db.write, async (tx, author) => {
      const { academics, version } = await enterLate(tx, author, params.id, semester);
      return {
        etag: etag(versionPart.semester(semester - 1, version)),
        reply: { message: `The student enters in semester ${semester}.`, academics },
      };
    }),
  );

  handle('POST /api/students/academics', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const { academic, version } = await createSemester(tx, author, body, {
        role: author.role,
        reason: body.reason,
      });
      return {
        etag: etag(versionPart.semester(academic.semester, version)),
        reply: { message: 'Semester entry created successfully', academic },
      };
    }),
  );

  handle(
    'PUT /api/students/academics/:academic_id(^\\d+$)',
    async ({ params, body, ifMatch, actor, reply }) => {
      const { academic, version } = await transactAs(db.write, actor, (tx, author) =>
        updateSemester(tx, author, params.academic_id, body, {
          right: { role: author.role, reason: body.reason },
          ifMatch,
        }),
      );
      reply.header('etag', etag(versionPart.semester(academic.semester, version)));
      return { message: 'Semester entry updated successfully', academic };
    },
  );

  handle('DELETE /api/students/academics/:academic_id(^\\d+$)', async ({ params, body, ifMatch, actor }) => {
    const { semester, entry } = await transactAs(db.write, actor, (tx, author) =>
      deleteSemester(tx, author, params.academic_id, {
        right: { role: author.role, reason: body.reason },
        ifMatch,
      }),
    );
    return { message: `Semester ${semester} has been deleted.`, entry };
  });

  handle('POST /api/students/:id/academics/restore', ({ params, query, body, create }) =>
    create(db.write, async (tx, author) => {
      const { academic, version } = await undoDeletion(tx, author, params.id, {
        number: query.entry,
        reason: body.reason,
      });
      return {
        etag: etag(versionPart.semester(academic.semester, version)),
        reply: { message: `Semester ${academic.semester} has been restored.`, academic },
      };
    }),
  );
}
