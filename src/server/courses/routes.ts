import { courseCalls } from '../../contract/courses.ts';
import { courseIdPath } from '../../contract/fields.ts';
import type { App, Deps } from '../app-types.ts';
import { etag, versionPart } from '../http/etags.ts';
import { bindCalls } from '../http/handle.ts';
import { sendJsonPages } from '../http/replies/send-json.ts';
import { transactAs } from '../http/transact-as.ts';
import { readMarksSheet, readMarksUpload } from './marks-upload.ts';
import {
  CATALOGUE_PAGE,
  countUses,
  findCourse,
  listCoursesAfter,
  presentCourse,
  presentCourseListItem,
} from './queries.ts';
import { storeMarks } from './store-marks.ts';
import { createCourse, deleteCourse, noSuchCourse, updateCourse } from './write-course.ts';

const parseCourseId = ({ course_id }: { course_id: string }) => courseIdPath.safeParse(course_id).data;

const requireCourseId = (params: { course_id: string }) => {
  const courseId = parseCourseId(params);
  if (courseId === undefined) throw noSuchCourse();
  return courseId;
};

/** Largest file or text of marks. */
const MAX_MARKS_BYTES = 32 * 1024 * 1024;

export function courseRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, courseCalls);

  handle('GET /api/courses', ({ reply }) =>
    sendJsonPages(reply, async (after: number | undefined) => {
      const courses = await listCoursesAfter(db.read, after ?? 0);
      const isLast = courses.length < CATALOGUE_PAGE;
      return { json: JSON.stringify(courses), next: isLast ? undefined : courses.at(-1)?.course_id };
    }),
  );

  handle('GET /api/courses/:course_id', async ({ params, reply }) => {
    const courseId = parseCourseId(params);
    const row = courseId === undefined ? undefined : await findCourse(db.read, courseId);
    if (row === undefined) return { canProceed: false, message: 'There is no course with this ID.' };
    reply.header('etag', etag(versionPart.course(row.version)));
    return { canProceed: true, course: presentCourse(row), message: '' };
  });

  handle('GET /api/courses/histogram/:course_id', async ({ params }) => {
    const row = await findCourse(db.read, requireCourseId(params));
    if (row === undefined) throw noSuchCourse();
    return presentCourseListItem(row).histogram;
  });

  handle('GET /api/courses/:course_id/uses', async ({ params }) => {
    const row = await findCourse(db.read, requireCourseId(params));
    if (row === undefined) throw noSuchCourse();
    return countUses(db.read, row);
  });

  handle('POST /api/courses', ({ body, create }) =>
    create(db.write, async (tx, author) => {
      const { course, version } = await createCourse(tx, author, body);
      return {
        etag: etag(versionPart.course(version)),
        reply: { message: 'Course created successfully', course },
      };
    }),
  );

  handle('PUT /api/courses/:course_id', async ({ params, body, ifMatch, actor, reply }) => {
    const { course, version } = await transactAs(db.write, actor, (tx, author) =>
      updateCourse(tx, author, requireCourseId(params), body, ifMatch),
    );
    reply.header('etag', etag(versionPart.course(version)));
    return { message: 'Course details updated successfully', course };
  });

  handle('DELETE /api/courses/:course_id', async ({ params, ifMatch, actor }) => {
    const courseId = requireCourseId(params);
    await transactAs(db.write, actor, (tx, author) => deleteCourse(tx, author, courseId, ifMatch));
    return null;
  });

  handle(
    'POST /api/courses-marks',
    {
      bodyLimit: MAX_MARKS_BYTES + 1024 * 1024,
      config: {
        heavy: 'upload',
        form: { files: ['file', 'selectedFile'], fileBytes: MAX_MARKS_BYTES, fieldBytes: MAX_MARKS_BYTES },
      },
      consumes: ['application/json', 'multipart/form-data'],
    },
    async ({ body, ifMatch, request, create }) => {
      const file = request.uploads.get('file') ?? request.uploads.get('selectedFile');
      const { marks, leftOut } = await readMarksUpload(db.read, body, { file, signal: request.left });
      return create(db.write, async (tx, author) => {
        const { course, version } = await storeMarks(tx, author, body.course_id, marks, ifMatch);
        return {
          etag: etag(versionPart.course(version)),
          reply: { message: 'Marks uploaded successfully', course, left_out: leftOut },
        };
      });
    },
  );

  handle(
    'POST /api/courses-marks/sheet',
    {
      bodyLimit: MAX_MARKS_BYTES + 1024 * 1024,
      config: { heavy: 'upload', form: { files: ['file'], fileBytes: MAX_MARKS_BYTES } },
      consumes: ['multipart/form-data'],
    },
    ({ body, request: { uploads, left } }) =>
      readMarksSheet(uploads.get('file'), { name: body.sheet ?? undefined, signal: left }),
  );
}
