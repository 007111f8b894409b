import { z } from 'zod';
import { courseIdPath } from '../../contract/course-id.ts';
import {
  courseCreatedReply,
  courseInput,
  courseListReply,
  courseShowReply,
  histogramReply,
} from '../../contract/courses.ts';
import { errorReply, invalidReply } from '../../contract/errors.ts';
import type { App, Deps } from '../app-types.ts';
import { AppError } from '../errors.ts';
import { actorOf } from '../http/authentication.ts';
import { etag, versionPart } from '../http/versions.ts';
import { findCourse, listCourses, presentCourse } from './queries.ts';
import { createCourse } from './write-course.ts';

const tags = ['Courses'];
const anyCourse = z.object({ course_id: z.string() });
const courseIdIn = ({ course_id }: { course_id: string }) => courseIdPath.safeParse(course_id).data;

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
    () => listCourses(db.read),
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
      if (row === undefined) throw new AppError('not-found', 'There is no course with this ID.');
      return JSON.parse(row.histogram);
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
      const { course, version } = await createCourse(db.write, actorOf(request), request.body);
      reply.code(201).header('etag', etag(versionPart.course(version)));
      return { message: 'Course created successfully', course };
    },
  );
}
