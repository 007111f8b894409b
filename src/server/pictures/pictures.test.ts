import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { getFieldErrors, type Person, sharedApps } from '../../../tests/support/app/test-app.ts';
import { aStudent } from '../../../tests/support/records.ts';
import { studentCreatedReply } from '../../contract/students/students.ts';

const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } });

const enterWith = (staff: Person, picture: Uint8Array, name = 'portrait.jpg') => {
  const form = new FormData();
  for (const [field, value] of Object.entries(aStudent())) form.set(field, String(value ?? ''));
  form.set('img', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), name);
  return staff.call('POST', '/api/students', { form });
};

describe.each(sharedApps())('portraits, on $name', ({ test }) => {
  test.for(['png', 'webp', 'jpeg'] as const)(
    'are stored as JPEG of limited size without metadata when sent as %s',
    async (format, { app, staff }) => {
      const sent = await red(1600, 1200)
        .withExif({ IFD0: { Copyright: 'secret-camera' } })
        .toFormat(format)
        .toBuffer();
      const answer = await enterWith(staff, sent);
      expect(answer.status, answer.text).toBe(201);
      const { img } = studentCreatedReply.parse(answer.body).student;
      expect(img).toMatch(/^\/api\/pictures\/[0-9a-f]{64}$/);
      const shown = await app.app.inject({
        url: img ?? '',
        headers: { authorization: `Bearer ${staff.token}` },
      });
      expect(shown.statusCode).toBe(200);
      expect(shown.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
      });
      expect(shown.headers['content-security-policy']).toContain('sandbox');
      expect(shown.headers['content-disposition']).toMatch(/^inline; filename="[\w.]+"$/);
      const stored = await sharp(shown.rawPayload).metadata();
      expect(stored).toMatchObject({ format: 'jpeg', width: 700, height: 525 });
      expect(stored.exif).toBeUndefined();
      expect(shown.rawPayload.includes('secret-camera')).toBe(false);
    },
  );

  test('are rotated according to their EXIF orientation', async ({ app, staff }) => {
    const sent = await red(200, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { img } = studentCreatedReply.parse((await enterWith(staff, sent)).body).student;
    const shown = await app.app.inject({
      url: img ?? '',
      headers: { authorization: `Bearer ${staff.token}` },
    });
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ width: 100, height: 200 });
  });

  test.for<[string, Uint8Array]>([
    [
      'an SVG with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['an HTML page named as a picture', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF followed by a script', Buffer.from('GIF89a/*\x01\x00\x01\x00*/=1;alert(1)')],
    [
      'only the first bytes of a picture',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
    ],
    ['an empty file', Buffer.alloc(0)],
  ])('are refused without creating the student: %s', async ([, sent], { staff }) => {
    const before = (await staff.get('/api')).body;
    expect(Object.keys(getFieldErrors(await enterWith(staff, sent)))).toEqual(['img']);
    expect((await staff.get('/api')).body).toEqual(before);
  });

  test('are refused if a small file decodes to a huge image', async ({ staff }) => {
    const huge = await sharp({
      create: { width: 7_000, height: 7_000, channels: 3, background: '#000' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(huge.length).toBeLessThan(2 * 1024 * 1024);
    expect(Object.keys(getFieldErrors(await enterWith(staff, huge)))).toEqual(['img']);
  });

  test('are refused if larger than 5 MiB', async ({ staff }) => {
    expect((await enterWith(staff, Buffer.alloc(5 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test('are accepted with any file name', async ({ staff }) => {
    const sent = await red(40, 40).jpeg().toBuffer();
    for (const name of ['../../sims.db', 'x'.repeat(5000), 'a\0b.jpg', '__proto__']) {
      expect((await enterWith(staff, sent, name)).status, name).toBe(201);
    }
  });

  // Covers A60
  test('are served to signed-in users, by exact name', async ({ app, staff }) => {
    const sent = await red(41, 41).jpeg().toBuffer();
    const { img } = studentCreatedReply.parse((await enterWith(staff, sent)).body).student;
    expect((await app.call('GET', img ?? '')).status).toBe(401);
    for (const name of ['x', '..%2fsims.db', '0'.repeat(64), `${'0'.repeat(63)}%00`]) {
      expect((await staff.get(`/api/pictures/${name}`)).status, name).toBe(404);
    }
  });

  test('are kept by a browser that asks before it shows them again, with a session', async ({
    app,
    staff,
  }) => {
    const sent = await red(43, 43).jpeg().toBuffer();
    const { img } = studentCreatedReply.parse((await enterWith(staff, sent)).body).student;
    const ask = (token: string, known?: string) =>
      app.call('GET', img ?? '', { token, headers: known === undefined ? {} : { 'if-none-match': known } });
    const first = await ask(staff.token);
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-cache' } });
    const known = String(first.headers.etag);
    expect(await ask(staff.token, known)).toMatchObject({ status: 304, text: '' });
    expect((await ask(staff.token, '"other"')).status).toBe(200);
    expect((await ask('x', known)).status).toBe(401);
  });

  // Covers 3.19
  test('are stored as text when sent as a URL, which is not fetched', async ({ staff }) => {
    const img = 'http://169.254.169.254/latest/meta-data';
    const answer = await staff.post('/api/students', aStudent({ img }));
    expect(studentCreatedReply.parse(answer.body).student.img).toBe(img);
  });
});
