import { describe, expect } from 'vitest';
import { getFieldErrors } from '../support/app/people.ts';
import { targets } from '../support/processes/raw-client.ts';
import { aCourse, aStudent, unique } from '../support/records.ts';

describe.each(targets())('a JSON body, on $name', ({ test }) => {
  const student = () => aStudent({ id: `J-${unique()}` });
  const nested = '['.repeat(100_000);

  // Covers A57
  test.for<[string, number, (json: string) => string]>([
    ['of a hundred thousand nested lists', 400, () => nested],
    [
      'with as many inside a field that is not asked for',
      201,
      (json) => `{"deep":${nested}${']'.repeat(100_000)},${json.slice(1)}`,
    ],
    [
      'with as many inside a field',
      422,
      (json) => json.replace('"Ayesha"', `${nested}${']'.repeat(100_000)}`),
    ],
    ['with something behind it', 400, (json) => `${json} x`],
    ['with a byte order mark before it', 201, (json) => `\uFEFF${json}`],
    ['that names a prototype', 400, (json) => `{"__proto__":{"role":"admin"},${json.slice(1)}`],
    [
      'that names a prototype by escapes',
      400,
      (json) => `{"\\u005f_proto__":{"role":"admin"},${json.slice(1)}`,
    ],
    [
      'that names a constructor',
      400,
      (json) => `{"constructor":{"prototype":{"role":"admin"}},${json.slice(1)}`,
    ],
    ['with half a character', 422, (json) => json.replace('Ayesha', '\\ud800')],
    ['with a NUL', 422, (json) => json.replace('Ayesha', 'a\\u0000b')],
    ['with a NUL in the id', 422, (json) => json.replace('"J-', '"\\u0000J-')],
    ['with a number beyond all', 422, (json) => json.replace('935', '1e999')],
    ['with a number of a hundred thousand digits', 422, (json) => json.replace('935', '9'.repeat(100_000))],
    ['with NaN', 400, (json) => json.replace('935', 'NaN')],
    ['in two bytes a character', 400, (json) => Buffer.from(json, 'utf16le').toString('latin1')],
  ])('%s is answered %i, and the next is untouched by it', async ([, status, change], { admin }) => {
    const sent = student();
    const answer = await admin.call('POST', '/api/students', { body: change(JSON.stringify(sent)) });
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
    const next = await admin.post('/api/students', student());
    expect(next.status).toBe(201);
    expect(next.text).not.toContain('admin');
    const kept = await admin.get(`/api/students/${sent.id}/base`);
    expect(kept.status).toBe(status === 201 ? 200 : 404);
  });

  // Covers A57
  test.for<[string, (values: string) => string]>([
    ['of hundreds of thousands of objects', () => `[${'{},'.repeat(400_000)}1]`],
    ['with as many beside its fields', (course) => `{"x":[${'{},'.repeat(400_000)}1],${course}`],
    ['with as many behind quotes', (course) => `{"x":["\\\\",${'"\\"",'.repeat(400_000)}1],${course}`],
    ['of millions of nested lists', () => '['.repeat(2_000_000)],
  ])('%s is refused where long texts are accepted, before it is parsed', async ([, change], { admin }) => {
    const sent = aCourse();
    await admin.post('/api/courses', sent);
    const course = JSON.stringify({ course_id: sent.course_id, marks: '50' }).slice(1);
    for (const path of [
      '/api/courses-marks',
      '/api/courses-marks/sheet',
      '/api/imports',
      '/api/imports/1/preview',
    ]) {
      const answer = await admin.call('POST', path, { body: change(course) });
      expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).toBe(413);
    }
  });

  // Covers A57
  test('in a field of a form is refused unparsed', async ({ admin }) => {
    const course = aCourse();
    await admin.post('/api/courses', course);
    const part = (name: string, text: string, type = 'text/plain') =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: ${type}\r\n\r\n${text}\r\n`;
    const whole = `${part('course_id', String(course.course_id))}${part('marks', '50')}`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const send = (...more: string[]) =>
      admin.call('POST', '/api/courses-marks', { body: `${whole}${more.join('')}--x--\r\n`, headers });
    expect((await send()).status).toBe(201);
    for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
      expect(getFieldErrors(await send(part('extra', '{}', type)))).toEqual({
        extra: ['The extra must not be a file.'],
      });
    }
  });

  test('of one long text is accepted, whatever the text is made of', async ({ admin }) => {
    const sent = aCourse();
    await admin.post('/api/courses', sent);
    const marks = '"50",'.repeat(300_000);
    const answer = await admin.post('/api/courses-marks', { course_id: sent.course_id, marks });
    expect(answer.status, answer.text.slice(0, 300)).toBe(201);
  });

  // Covers A58
  test('that names a field twice counts by the last, which is what was checked', async ({ admin }) => {
    const sent = student();
    const twice = (first: string, last: string) =>
      JSON.stringify(sent).replace('"gender":"F"', `"gender":${first},"gender":${last}`);
    expect((await admin.call('POST', '/api/students', { body: twice('"F"', '"X"') })).status).toBe(422);
    expect((await admin.call('POST', '/api/students', { body: twice('"X"', '"M"') })).status).toBe(201);
    expect((await admin.get(`/api/students/${sent.id}/base`)).body).toMatchObject({
      student: { gender: 'M' },
    });
  });

  // Covers A57
  test.for(['first_name', 'last_name', 'phone_number', 'degree', 'reason', 'img'])(
    'with broken characters in %s is refused for that field alone',
    async (field, { admin }) => {
      for (const broken of ['a\0', '\ud800', '\udc00x']) {
        expect(
          Object.keys(getFieldErrors(await admin.post('/api/students', { ...student(), [field]: broken }))),
        ).toEqual([field]);
      }
    },
  );
});
