import { PAGE_SIZE, studentListCalls } from '../../contract/students/student-list.ts';
import { studentCalls } from '../../contract/students/students.ts';
import { STATUSES } from '../../domain/student.ts';
import type { App, Deps } from '../app-types.ts';
import { invalidField } from '../errors.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { etag, versionPart } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { readDatabaseFor } from '../http/hooks/read-your-writes.ts';
import { sendJsonPages, sendJsonText } from '../http/replies/send-json.ts';
import { transactAs } from '../http/transact-as.ts';
import { MAX_PICTURE_BYTES, readPicture } from '../pictures/store-picture.ts';
import { checkFamilyStep } from './entry-steps.ts';
import { studentNotFound } from './former-ids.ts';
import { studentPageJson } from './list/list-page.ts';
import {
  findEntryState,
  findIdsInOtherCase,
  findNamesakes,
  findStudent,
  LIST_PAGES,
  listStudentsAfter,
  presentStudent,
  readRecord,
} from './queries.ts';
import { ReadLog } from './read-log.ts';
import { requireOwnDeletion, restoreStudent } from './restore-student.ts';
import { createFamily, updateFamily } from './write-family.ts';
import {
  changeStatus,
  createStudent,
  deleteStudent,
  toStatusColumns,
  updateStudent,
} from './write-student.ts';

const FORM_WITH_PORTRAIT = {
  config: { form: { files: ['img'], fileBytes: MAX_PICTURE_BYTES } },
  consumes: ['application/json', 'multipart/form-data'],
};

async function readPortrait(uploads: ReadonlyMap<string, Buffer>) {
  const upload = uploads.get('img');
  return upload === undefined ? undefined : readPicture('img', upload);
}

/** IDs that differ only in case are allowed but usually a mistake. */
const toWarnings = (others: readonly string[]) =>
  others.length === 0
    ? {}
    : {
        warnings: {
          id: [`The id differs from ${others.join(', ')} only in upper and lower case. Both are kept.`],
        },
      };

export function studentRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, studentCalls);
  const readLog = new ReadLog(db.write, backgroundTasks(app), 'GET /api');

  handle('GET /api', async ({ actor, request, reply }) => {
    const from = await readDatabaseFor(db, request);
    readLog.note(actor, 'whole');
    return sendJsonPages(reply, async (after: string | undefined) => {
      const limit = after === undefined ? LIST_PAGES.first : LIST_PAGES.next;
      const page = await listStudentsAfter(from, after ?? '', limit);
      const isLast = page === undefined || Number(page.count) < limit;
      return { json: page?.students ?? '[]', next: isLast ? undefined : (page.last_id ?? undefined) };
    });
  });

  handle('GET /api/students/:id', async ({ params: { id }, reply }) => {
    const record = await readRecord(db.read, id);
    if (record === undefined) throw await studentNotFound(db.read, id);
    return sendJsonText(reply.header('etag', record.etag), record.json);
  });

  handle('GET /api/students/:id/base', async ({ params: { id }, reply }) => {
    const row = await findStudent(db.read, id);
    if (row === undefined) throw await studentNotFound(db.read, id);
    reply.header('etag', etag(versionPart.student(row.version)));
    return { student: presentStudent(row) };
  });

  handle('GET /api/students/:id/family/create', async ({ params }) =>
    checkFamilyStep(await findEntryState(db.read, params.id)),
  );

  handle('POST /api/students', FORM_WITH_PORTRAIT, async ({ body, request, create }) => {
    const portrait = await readPortrait(request.uploads);
    return create(db.write, async (tx, author) => {
      const { record: student, version } = await createStudent(tx, author, body, portrait);
      return {
        etag: etag(versionPart.student(version)),
        reply: {
          message: 'Student entry created successfully',
          student,
          ...toWarnings(await findIdsInOtherCase(tx, student.id)),
        },
      };
    });
  });

  handle('GET /api/namesakes', async ({ query }) => ({ students: await findNamesakes(db.read, query) }));

  handle(
    'PUT /api/students/:id',
    FORM_WITH_PORTRAIT,
    async ({ params, body, ifMatch, actor, request, reply }) => {
      const portrait = await readPortrait(request.uploads);
      const { record: student, version } = await transactAs(db.write, actor, (tx, author) =>
        updateStudent(tx, author, params.id, { ...body, portrait }, ifMatch),
      );
      reply.header('etag', etag(versionPart.student(version)));
      return { message: 'Student entry updated successfully', student };
    },
  );

  handle('PUT /api/students/:id/status', async ({ params, body, ifMatch, actor, reply }) => {
    const columns = toStatusColumns(body);
    const { record: student, version } = await transactAs(db.write, actor, (tx, author) =>
      changeStatus(tx, author, params.id, columns, ifMatch),
    );
    reply.header('etag', etag(versionPart.student(version)));
    return { message: `The status is now: ${STATUSES[student.status]}.`, student };
  });

  handle('DELETE /api/students/:id', async ({ params, ifMatch, actor }) => {
    await transactAs(db.write, actor, (tx, author) => deleteStudent(tx, author, params.id, ifMatch));
    return { message: 'The student entry has been deleted from the database.' };
  });

  handle('POST /api/students/:id/restore', ({ params: { id }, query: { entry }, create }) =>
    create(db.write, async (tx, author) => {
      if (author.role !== 'admin') await requireOwnDeletion(tx, author, id, entry);
      const { record: student, version } = await restoreStudent(tx, author, id, entry);
      return {
        etag: etag(versionPart.student(version)),
        reply: { message: 'The student entry has been restored.', student },
      };
    }),
  );

  handle('POST /api/students/family', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const { record: family, version } = await createFamily(tx, author, body);
      return {
        etag: etag(versionPart.family(version)),
        reply: { message: 'Family entry created successfully', family },
      };
    }),
  );

  handle('PUT /api/students/:id/family', async ({ params, body, ifMatch, actor, reply }) => {
    const { record: family, version } = await transactAs(db.write, actor, (tx, author) =>
      updateFamily(tx, author, params.id, body, ifMatch),
    );
    reply.header('etag', etag(versionPart.family(version)));
    return { message: 'Family entry updated successfully', family };
  });
}

export function studentListRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, studentListCalls);
  const readLog = new ReadLog(db.write, backgroundTasks(app), 'GET /api/students');

  handle('GET /api/students', async ({ query, actor, request, reply }) => {
    const { limit = PAGE_SIZE.usual, cursor, from: end, ...view } = query;
    if (end !== undefined && view.q !== undefined && view.sort === undefined)
      throw invalidField('from', 'The from must be left out where the best matches come first.');
    const from = await readDatabaseFor(db, request);
    const { json, rows } = await studentPageJson(from, view, {
      limit,
      cursor,
      isBackwards: end !== undefined,
    });
    readLog.note(actor, { rows });
    return sendJsonText(reply, json);
  });
}
