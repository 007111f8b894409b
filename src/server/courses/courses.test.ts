import { describe, expect } from 'vitest';
import { freshApps, getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { courseCreatedReply, courseListReply, courseShowReply } from '../../contract/courses.ts';
import { EMPTY_TALLY } from '../../domain/statistics.ts';

let lastId = 1000;
const aCourse = (changes: Record<string, unknown> = {}) => {
  lastId += 1;
  return {
    course_id: lastId,
    course_code: `ME-${lastId}`,
    course_name: 'Engineering Statics',
    course_description: 'Forces at rest.',
    credits: 3,
    ...changes,
  };
};

const enter = async (staff: Person, changes: Record<string, unknown> = {}) => {
  const course = aCourse(changes);
  const answer = await staff.post('/api/courses', course);
  if (answer.status !== 201) throw new Error(answer.text);
  return course;
};

const noMarks = { average: null, std_dev: null, marks_count: 0 };

describe.each(sharedApps())('adding a course, on $name', ({ test }) => {
  test('stores what is sent, without marks', async ({ staff }) => {
    const course = aCourse();
    const answer = await staff.post('/api/courses', course);
    expect(answer.status).toBe(201);
    expect(courseCreatedReply.parse(answer.body).course).toEqual({ ...course, ...noMarks });
    expect((await staff.get(`/api/courses/${course.course_id}`)).body).toEqual({
      canProceed: true,
      course: { ...course, ...noMarks },
      message: '',
    });
  });

  // Covers 3.31, 3.32, 5.2, 5.15, 5.16
  test('requires id, code and name, but no description or credit hours', async ({ staff }) => {
    expect(getFieldErrors(await staff.post('/api/courses', {}))).toEqual({
      course_id: ['The course id field is required.'],
      course_code: ['The course code field is required.'],
      course_name: ['The course name field is required.'],
    });
    const { course_description: _, credits: __, ...required } = aCourse();
    expect((await staff.post('/api/courses', required)).body).toMatchObject({
      course: { course_description: null, credits: null },
    });
  });

  test.for<[string, unknown]>([
    ...[0, -1, 1.5, '1abc', '1e3', 'x', 2 ** 53, 1e300, true, [1], {}, '9007199254740992'].map(
      (id): [string, unknown] => ['course_id', id],
    ),
    ['course_code', 'x'.repeat(256)],
    ['course_code', 5],
    ['course_name', 'nul\0'],
    ['course_name', 'x'.repeat(256)],
    ['course_description', 'x'.repeat(10_001)],
    ['course_description', ['x']],
    ['credits', 0],
    ['credits', 7],
    ['credits', '1.5'],
    ['credits', 'three'],
    ['credits', [3]],
  ])('refuses %s %j and reports no other field', async ([field, value], { staff }) => {
    expect(
      Object.keys(getFieldErrors(await staff.post('/api/courses', aCourse({ [field]: value })))),
    ).toEqual([field]);
  });

  // Covers 3.31
  test.for([Number.MAX_SAFE_INTEGER, '4711', ' 0815 ', 2 ** 32])(
    'accepts the id %j',
    async (id, { staff }) => {
      const answer = await staff.post('/api/courses', aCourse({ course_id: id }));
      const { course_id } = courseCreatedReply.parse(answer.body).course;
      expect(course_id).toBe(Number(id));
      expect((await staff.get(`/api/courses/${course_id}`)).body).toMatchObject({ canProceed: true });
    },
  );

  test('refuses an id in use, and ignores figures that are sent', async ({ staff }) => {
    const { course_id } = await enter(staff);
    const duplicate = await staff.post('/api/courses', aCourse({ course_id }));
    expect(getFieldErrors(duplicate)).toEqual({ course_id: ['The id has already been taken.'] });
    const answer = await staff.post(
      '/api/courses',
      aCourse({ average: 99, std_dev: 1, marks_count: 5, histogram: [] }),
    );
    expect(answer.body).toMatchObject({ course: noMarks });
  });

  test('creates one course for concurrent calls with one id', async ({ staff }) => {
    const course = aCourse();
    const answers = await Promise.all(Array.from({ length: 10 }, () => staff.post('/api/courses', course)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe.each(sharedApps())('a missing course, on $name', ({ test }) => {
  // Covers 7.36, A53
  test.for(['4711', '0', '-1', '1.5', 'x', '9e99', 'NaN', '%00', 'create', '1%20or%201'])(
    'cannot be shown, changed or deleted: %s',
    async (id, { staff }) => {
      const shown = await staff.get(`/api/courses/${id}`);
      expect(shown.status).toBe(200);
      expect(courseShowReply.parse(shown.body)).toEqual({
        canProceed: false,
        message: expect.stringMatching(/\.$/),
      });
      const { course_id: _, ...changes } = aCourse();
      expect((await staff.get(`/api/courses/histogram/${id}`)).status).toBe(404);
      expect((await staff.put(`/api/courses/${id}`, changes)).status).toBe(404);
      expect((await staff.delete(`/api/courses/${id}`)).status).toBe(404);
    },
  );
});

describe.each(sharedApps())('changing a course, on $name', ({ test }) => {
  test('replaces code, name and description and keeps its marks', async ({ staff }) => {
    const { course_id } = await enter(staff);
    await staff.post('/api/courses-marks', { course_id, marks: '40,60' });
    const answer = await staff.put(`/api/courses/${course_id}`, {
      course_code: 'ME-9',
      course_name: 'Dynamics',
      course_description: '',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: 'Course details updated successfully',
      course: {
        ...{ course_id, course_code: 'ME-9', course_name: 'Dynamics', course_description: null, credits: 3 },
        ...{ average: 50, std_dev: 10, marks_count: 2 },
      },
    });
  });

  test('replaces or removes its credit hours', async ({ staff }) => {
    const { course_id, ...rest } = await enter(staff);
    const change = (credits: unknown) => staff.put(`/api/courses/${course_id}`, { ...rest, credits });
    expect((await change('4')).body).toMatchObject({ course: { credits: 4 } });
    expect((await change('')).body).toMatchObject({ course: { credits: null } });
    expect(getFieldErrors(await change(13))).toEqual({
      credits: ['The credits must be a whole number from 1 to 6.'],
    });
  });

  test('validates like adding one, and refuses another id', async ({ staff }) => {
    const { course_id } = await enter(staff);
    expect(Object.keys(getFieldErrors(await staff.put(`/api/courses/${course_id}`, {})))).toEqual([
      'course_code',
      'course_name',
    ]);
    const moved = await staff.put(`/api/courses/${course_id}`, aCourse({ course_id: 4712 }));
    expect(Object.keys(getFieldErrors(moved))).toEqual(['course_id']);
    expect(
      (await staff.put(`/api/courses/${course_id}`, aCourse({ course_id: String(course_id) }))).status,
    ).toBe(200);
  });

  test('is refused with the current course if the version is outdated', async ({ staff }) => {
    const { course_id } = await enter(staff);
    const url = `/api/courses/${course_id}`;
    const headers = { 'if-match': String((await staff.get(url)).headers.etag) };
    const first = await staff.call('PUT', url, {
      headers,
      body: aCourse({ course_id, course_name: 'First' }),
    });
    expect(first.status).toBe(200);
    const second = await staff.call('PUT', url, {
      headers,
      body: aCourse({ course_id, course_name: 'Second' }),
    });
    expect(second).toMatchObject({ status: 412, body: { current: { course_name: 'First' } } });
    expect((await staff.call('DELETE', url, { headers })).status).toBe(412);
    const now = { 'if-match': String(first.headers.etag) };
    expect((await staff.call('DELETE', url, { headers: now })).status).toBe(204);
  });
});

describe.each(freshApps())('the catalogue, on $name', ({ test }) => {
  // Covers 7.34, 7.39, 9.19
  test('is empty at first, then lists all courses by id, each with its histogram', async ({ admin }) => {
    expect(await admin.get('/api/courses')).toMatchObject({ status: 200, body: [] });
    for (const course_id of [30, 4, 100]) await enter(admin, { course_id });
    await admin.post('/api/courses-marks', { course_id: 4, marks: '0,55,100' });
    const answer = await admin.get('/api/courses');
    const courses = courseListReply.parse(answer.body);
    expect(courses).toEqual(answer.body);
    expect(courses.map(({ course_id, marks_count }) => [course_id, marks_count])).toEqual([
      [4, 3],
      [30, 0],
      [100, 0],
    ]);
    for (const { course_id, histogram } of courses) {
      expect((await admin.get(`/api/courses/histogram/${course_id}`)).body).toEqual(histogram);
    }
    expect(courses.map(({ histogram }) => histogram.length)).toEqual([10, 0, 0]);
  });

  test.for([200, 201, 450])(
    'of %i courses is one valid array without duplicates',
    async (count, { app, admin }) => {
      await app.db.write
        .insertInto('courses')
        .values(
          Array.from({ length: count }, (_, i) => ({
            course_id: i + 1,
            course_code: `C-${i}`,
            course_name: 'Statics',
            course_description: null,
            tally: JSON.stringify(EMPTY_TALLY),
            version: 1,
          })),
        )
        .execute();
      const courses = courseListReply.parse((await admin.get('/api/courses')).body);
      expect(courses.map(({ course_id }) => course_id)).toEqual(
        Array.from({ length: count }, (_, i) => i + 1),
      );
    },
  );

  // Covers A54
  test('no longer has a deleted course or its marks', async ({ app, admin }) => {
    const { course_id } = await enter(admin);
    await admin.post('/api/courses-marks', { course_id, marks: '40,60' });
    const answer = await admin.delete(`/api/courses/${course_id}`);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect((await admin.delete(`/api/courses/${course_id}`)).status).toBe(404);
    expect((await admin.get(`/api/courses/histogram/${course_id}`)).status).toBe(404);
    expect((await admin.get('/api/courses')).body).toEqual([]);
    expect(await app.db.read.selectFrom('course_marks').selectAll().execute()).toEqual([]);
    await enter(admin, { course_id });
    expect((await admin.get(`/api/courses/${course_id}`)).body).toMatchObject({ course: noMarks });
  });
});
