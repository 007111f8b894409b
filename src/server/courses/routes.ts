import { z } from 'zod';
import { courseIdPath } from '../../contract/course-id.ts';
import {
  courseCreatedReply,
  courseInput,
  courseListReply,
  courseShowReply,
  courseUpdate,
  histogramReply,
  marksInput,
} from '../../contract/courses.ts';
import { errorReply, invalidReply, staleReply } from '../../contract/errors.ts';
import type { App, Deps } from '../app-types.ts';
import { transact } from '../db/transact.ts';
import { actorOf } from '../http/authentication.ts';
import { createOnce } from '../http/idempotency.ts';
import { sendJsonPages } from '../http/json-text.ts';
import { etag, versionPart } from '../http/versions.ts';
import { CATALOGUE_PAGE, findCourse, listCoursesAfter, presentCourse, presentListed } from './queries.ts';
import { readUpload } from './read-upload.ts';
import { storeMarks } from './store-marks.ts';
import { createCourse, deleteCourse, noSuchCourse, updateCourse } from './write-course.ts';

const tags = ['Courses'];
const anyCourse = z.object({ course_id: z.string() });
const courseIdIn = ({ course_id }: { course_id: string }) => courseIdPath.safeParse(course_id).data;

const requiredCourseId = (params: { course_id: string }) => {
  const courseId = courseIdIn(params);
  if (courseId === undefined) throw noSuchCourse();
  return courseId;
};

const changed = { 401: errorReply, 403: errorReply, 404: errorReply, 412: staleReply, 422: invalidReply };
/** A file or text of marks. */
const MARKS_BYTES = 32 * 1024 * 1024;

export function courseRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/courses',
    {
      schema: {
        tags,
        summary: 'All courses with their histograms',
        response: { 200: courseListReply, 401: errorReply },
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
        response: { 200: courseShowReply, 401: errorReply },
      },
    },
    async (request, reply) => {
      const courseId = courseIdIn(request.params);
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
        response: { 200: histogramReply, 401: errorReply, 404: errorReply },
      },
    },
    async (request) => {
      const courseId = courseIdIn(request.params);
      const row = courseId === undefined ? undefined : await findCourse(db.read, courseId);
      if (row === undefined) throw noSuchCourse();
      return presentListed(row).histogram;
    },
  );

  app.post(
    '/api/courses',
    {
      schema: {
        tags,
        summary: 'Add a course',
        body: courseInput,
        response: { 201: courseCreatedReply, 401: errorReply, 403: errorReply, 422: invalidReply },
      },
    },
    async (request, reply) => {
      return createOnce(db.write, request, reply, async (tx) => {
        const { course, version } = await createCourse(tx, actorOf(request), request.body);
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
      const { course, version } = await transact(db.write, (tx) =>
        updateCourse(
          tx,
          actorOf(request),
          requiredCourseId(request.params),
          request.body,
          request.headers['if-match'],
        ),
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
        response: { 204: z.null(), 401: errorReply, 403: errorReply, 404: errorReply, 412: staleReply },
      },
    },
    async (request, reply) => {
      const courseId = requiredCourseId(request.params);
      const ifMatch = request.headers['if-match'];
      await transact(db.write, (tx) => deleteCourse(tx, actorOf(request), courseId, ifMatch));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/courses-marks',
    {
      bodyLimit: MARKS_BYTES + 1024 * 1024,
      config: { form: { files: ['file', 'selectedFile'], fileBytes: MARKS_BYTES, fieldBytes: MARKS_BYTES } },
      schema: {
        tags,
        summary: 'Upload the marks of a course',
        consumes: ['application/json', 'multipart/form-data'],
        body: marksInput,
        response: {
          201: courseCreatedReply,
          401: errorReply,
          403: errorReply,
          412: staleReply,
          422: invalidReply,
        },
      },
    },
    async (request, reply) => {
      const file = request.uploads.get('file') ?? request.uploads.get('selectedFile');
      const ifMatch = request.headers['if-match'];
      const marks = await readUpload(db.read, request.body, file);
      return createOnce(db.write, request, reply, async (tx) => {
        const { course, version } = await storeMarks(
          tx,
          actorOf(request),
          request.body.course_id,
          marks,
          ifMatch,
        );
        return {
          etag: etag(versionPart.course(version)),
          reply: { message: 'Marks uploaded successfully', course },
        };
      });
    },
  );
}
