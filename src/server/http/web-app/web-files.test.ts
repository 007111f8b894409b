import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { sharedApps } from '../../../../tests/support/app/test-app.ts';

const webDir = await mkdtemp(path.join(tmpdir(), 'sims-web-'));
await mkdir(path.join(webDir, 'assets'));
const FILES = {
  'index.html': '<!doctype html><title>SIMS</title>',
  'mark.svg': '<svg/>',
  'assets/main-abc.js': 'the script',
  'assets/main-abc.js.br': 'the script, small',
  'assets/main-abc.js.gz': 'the script, smaller',
  'assets/only-abc.css': 'the style',
  'assets/only-abc.css.gz': 'the style, smaller',
  'assets/text-abc.woff2': 'the font',
};
for (const [name, content] of Object.entries(FILES)) await writeFile(path.join(webDir, name), content);
afterAll(() => rm(webDir, { recursive: true, force: true }));

const SCRIPT = '/assets/main-abc.js';

// No database has a part in this, so one is enough.
describe.each(sharedApps({ webDir }).slice(0, 1))('the files of the web application', ({ test }) => {
  test.for<[string, string, string, string]>([
    [SCRIPT, 'the script', 'application/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/only-abc.css', 'the style', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/text-abc.woff2', 'the font', 'font/woff2', 'public, max-age=31536000, immutable'],
    ['/mark.svg?x=1', '<svg/>', 'image/svg+xml', 'no-cache'],
    ['/mark%2esvg', '<svg/>', 'image/svg+xml', 'no-cache'],
  ])('are served with their type: %s', async ([url, text, type, caching], { app }) => {
    const answer = await app.call('GET', url);
    expect(answer).toMatchObject({
      status: 200,
      text,
      headers: { 'content-type': type, 'cache-control': caching, vary: 'accept-encoding' },
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test.for<[string, string | undefined]>([
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['br;q=0', undefined],
    ['br;q=nonsense', undefined],
    ['', undefined],
  ])('are sent in the encoding that “%s” prefers: %s', async ([accepted, encoding], { app }) => {
    const answer = await app.call('GET', SCRIPT, { headers: { 'accept-encoding': accepted } });
    const text = { br: 'the script, small', gzip: 'the script, smaller' }[encoding ?? ''] ?? 'the script';
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-length']).toBe(String(text.length));
  });

  test('are sent in an encoding only if the build made one', async ({ app }) => {
    const headers = { 'accept-encoding': 'br, gzip;q=0.1' };
    const style = await app.call('GET', '/assets/only-abc.css', { headers });
    expect(style).toMatchObject({ text: 'the style, smaller', headers: { 'content-encoding': 'gzip' } });
    expect((await app.call('GET', '/assets/text-abc.woff2', { headers })).text).toBe('the font');
    expect((await app.call('GET', `${SCRIPT}.br`)).status).toBe(404);
  });

  test.for(['', 'gzip', 'br'])(
    'are not sent again to a client that has them, as “%s”',
    async (accepted, { app }) => {
      const headers = { 'accept-encoding': accepted };
      const { etag } = (await app.call('GET', SCRIPT, { headers })).headers;
      for (const known of [String(etag), `"x", W/${etag}`, '*']) {
        const again = await app.call('GET', SCRIPT, { headers: { ...headers, 'if-none-match': known } });
        expect(again, known).toMatchObject({
          status: 304,
          text: '',
          headers: { etag, vary: 'accept-encoding', 'cache-control': expect.stringContaining('immutable') },
        });
      }
      const other = await app.call('GET', SCRIPT, {
        headers: { 'accept-encoding': 'x', 'if-none-match': '"x"' },
      });
      expect(other.status).toBe(200);
    },
  );

  test('have an entity tag for each encoding', async ({ app }) => {
    const answers = await Promise.all(
      ['', 'gzip', 'br'].map((accepted) =>
        app.call('GET', SCRIPT, { headers: { 'accept-encoding': accepted } }),
      ),
    );
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
  });

  test('answer HEAD without the content, and no other method', async ({ app }) => {
    const headers = { 'accept-encoding': 'br' };
    const [head, get] = [
      await app.call('HEAD', SCRIPT, { headers }),
      await app.call('GET', SCRIPT, { headers }),
    ];
    expect(head).toMatchObject({ status: 200, text: '' });
    for (const name of [
      'content-length',
      'content-type',
      'content-encoding',
      'etag',
      'cache-control',
      'vary',
    ])
      expect(head.headers[name], name).toBe(get.headers[name]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await app.call(method, SCRIPT);
      expect([answer.status, answer.headers.allow], method).toEqual([405, 'GET, HEAD']);
    }
  });

  test.for(['/assets%2fmain-abc.js', '//assets/main-abc.js', '/assets/..%2fmark.svg', '/Mark.svg'])(
    'are served at their own path only, not at %s',
    async (url, { app }) => {
      expect((await app.call('GET', url)).status).toBe(404);
    },
  );
});
