import { z } from 'zod';
import {
  courseCreatedReply,
  courseInput,
  courseListReply,
  courseShowReply,
  courseUpdate,
  courseUsesReply,
  histogramReply,
  marksInput,
  marksSheetInput,
  marksSheetReply,
  marksUploadedReply,
} from '../../contract/courses.ts';
import { courseIdPath } from '../../contract/fields.ts';
import type { App, Deps } from '../app-types.ts';
import { requireActor } from '../http/actor.ts';
import { etag, versionPart } from '../http/etags.ts';
import { createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { sendJsonPages } from '../http/send-json.ts';
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

const tags = ['Courses'];
const anyCourse = z.object({ course_id: z.string() });
const parseCourseId = ({ course_id }: { course_id: string }) => courseIdPath.safeParse(course_id).data;

const requireCourseId = (params: { course_id: string }) => {
  const courseId = parseCourseId(params);
  if (courseId === undefined) throw noSuchCourse();
  return courseId;
};

const changed = refusals(403, 404, 412, 422);
/** Largest file or text of marks. */
const MAX_MARKS_BYTES = 32 * 1024 * 1024;

export function courseRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/courses',
    {
      schema: {
        tags,
        summary: 'All courses with their histograms',
        response: { 200: courseListReply, ...refusals() },
      },
    },
    async (_request, reply) =>
      sendJsonPages(reply, async (after: number | undefined) => {
        const courses = await listCoursesAfter(db.read, after ?? 0);
        const isLast = courses.length < CATALOGUE_PAGE;
        return { json: JSON.stringify(courses), next: isLast ? undefined : courses.at(-1)?.course_id };
      }),
  );

  app.get(
    '/api/courses/:course_id',
    {
      schema: {
        tags,
        summary: 'One course',
        description: 'canProceed is false, with a message, when there is no such course.',
        params: anyCourse,
        response: { 200: courseShowReply, ...refusals() },
      },
    },
    async (request, reply) => {
      const courseId = parseCourseId(request.params);
      const row = courseId === undefined ? undefined : await findCourse(db.read, courseId);
      if (row === undefined) return { canProceed: false, message: 'There is no course with this ID.' };
      reply.header('etag', etag(versionPart.course(row.version)));
      return { canProceed: true, course: presentCourse(row), message: '' };
    },
  );

  app.get(
    '/api/courses/histogram/:course_id',
    {
      schema: {
        tags,
        summary: "Histogram of a course's marks",
        params: anyCourse,
        response: { 200: histogramReply, ...refusals(404) },
      },
    },
    async (request) => {
      const courseId = parseCourseId(request.params);
      const row = courseId === undefined ? undefined : await findCourse(db.read, courseId);
      if (row === undefined) throw noSuchCourse();
      return presentCourseListItem(row).histogram;
    },
  );

  app.get(
    '/api/courses/:course_id/uses',
    {
      schema: {
        tags,
        summary: 'How many results and mark sheets name a course, and how many marks it has',
        params: anyCourse,
        response: { 200: courseUsesReply, ...refusals(404) },
      },
    },
    async (request) => {
      const row = await findCourse(db.read, requireCourseId(request.params));
      if (row === undefined) throw noSuchCourse();
      return countUses(db.read, row);
    },
  );

  app.post(
    '/api/courses',
    {
      schema: {
        tags,
        summary: 'Add a course',
        body: courseInput,
        response: { 201: courseCreatedReply, ...refusals(403, 422) },
      },
    },
    async (request, reply) => {
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { course, version } = await createCourse(tx, author, request.body);
        return {
          etag: etag(versionPart.course(version)),
          reply: { message: 'Course created successfully', course },
        };
      });
    },
  );

  app.put(
    '/api/courses/:course_id',
    {
      schema: {
        tags,
        summary: 'Change what a course is called',
        params: anyCourse,
        body: courseUpdate,
        response: { 200: courseCreatedReply, ...changed },
      },
    },
    async (request, reply) => {
      const { course, version } = await transactAs(db.write, requireActor(request), (tx, author) =>
        updateCourse(tx, author, requireCourseId(request.params), request.body, request.headers['if-match']),
      );
      reply.header('etag', etag(versionPart.course(version)));
      return { message: 'Course details updated successfully', course };
    },
  );

  app.delete(
    '/api/courses/:course_id',
    {
      schema: {
        tags,
        summary: 'Delete a course',
        description: 'Results that name it keep its title, number and credit hours.',
        params: anyCourse,
        response: { 204: z.null(), ...refusals(403, 404, 412) },
      },
    },
    async (request, reply) => {
      const courseId = requireCourseId(request.params);
      const ifMatch = request.headers['if-match'];
      await transactAs(db.write, requireActor(request), (tx, author) =>
        deleteCourse(tx, author, courseId, ifMatch),
      );
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/courses-marks',
    {
      bodyLimit: MAX_MARKS_BYTES + 1024 * 1024,
      config: {
        heavy: 'upload',
        form: { files: ['file', 'selectedFile'], fileBytes: MAX_MARKS_BYTES, fieldBytes: MAX_MARKS_BYTES },
      },
      schema: {
        tags,
        summary: 'Upload the marks of a course',
        consumes: ['application/json', 'multipart/form-data'],
        description:
          'Where several columns may have the marks, a 422 on columns names them, and column answers it; where a comma may be a decimal comma, a 422 on decimal asks.',
        body: marksInput,
        response: { 201: marksUploadedReply, ...refusals(403, 412, 422) },
      },
    },
    async (request, reply) => {
      const file = request.uploads.get('file') ?? request.uploads.get('selectedFile');
      const ifMatch = request.headers['if-match'];
      const { marks, leftOut } = await readMarksUpload(db.read, request.body, {
        file,
        signal: request.left,
      });
      return createIdempotently(db.write, request, reply, async (tx, author) => {
        const { course, version } = await storeMarks(tx, author, request.body.course_id, marks, ifMatch);
        return {
          etag: etag(versionPart.course(version)),
          reply: { message: 'Marks uploaded successfully', course, left_out: leftOut },
        };
      });
    },
  );

  app.post(
    '/api/courses-marks/sheet',
    {
      bodyLimit: MAX_MARKS_BYTES + 1024 * 1024,
      config: { heavy: 'upload', form: { files: ['file'], fileBytes: MAX_MARKS_BYTES } },
      schema: {
        tags,
        summary: 'The text of a sheet of a workbook, for a preview of its marks',
        description: 'Stores nothing. The marks are read from this text as from any other.',
        consumes: ['multipart/form-data'],
        body: marksSheetInput,
        response: { 200: marksSheetReply, ...refusals(403, 422) },
      },
    },
    ({ body, uploads, left }) =>
      readMarksSheet(uploads.get('file'), { name: body.sheet ?? undefined, signal: left }),
  );
}
