import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { sharedApps, type TestApp } from '../../../../tests/support/app/test-app.ts';

const webDir = await mkdtemp(path.join(tmpdir(), 'sims-web-'));
await mkdir(path.join(webDir, 'assets'));
await writeFile(path.join(webDir, 'index.html'), '<!doctype html><title>SIMS</title>');
await writeFile(path.join(webDir, 'assets', 'main-abc.js'), 'export {};');
afterAll(() => rm(webDir, { recursive: true, force: true }));

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
};

const PAGE_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

const parsePolicy = (header: unknown) =>
  Object.fromEntries(
    String(header)
      .split(';')
      .map((part) => {
        const [name = '', ...values] = part.trim().split(' ');
        return [name, values.join(' ')];
      }),
  );

const get = (app: TestApp, url: string) => app.call('GET', url, { headers: { accept: 'text/html' } });

describe.each(sharedApps({ webDir }))('the security headers, on $name', ({ test }) => {
  test('forbid sniffing, framing, caching and running replies of the API', async ({ app, admin }) => {
    const answers = await Promise.all([
      admin.get('/api'),
      admin.get('/api/users'),
      admin.get('/api/students/nobody'),
      admin.get('/api/nope'),
      admin.delete('/api'),
      app.call('GET', '/api'),
      admin.get('/api/students/%ff'),
      app.call('POST', '/api/login', { body: '{broken' }),
      app.call('POST', '/api/login', { body: {} }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 405, 401, 400, 400, 422]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject(COMMON);
      expect(headers['cache-control']).toBe('no-store');
      expect(parsePolicy(headers['content-security-policy'])).toEqual({
        'default-src': "'none'",
        'frame-ancestors': "'none'",
      });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });

  // Covers 7.16
  test('restrict every page to its own scripts', async ({ app }) => {
    for (const url of [
      '/',
      '/login',
      '/students',
      '/students/A.1/edit',
      '/courses/7',
      '/no-such-screen',
      '/?x=1',
    ]) {
      const answer = await get(app, url);
      expect(answer.status, url).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers).toMatchObject(COMMON);
      expect(parsePolicy(answer.headers['content-security-policy'])).toEqual(PAGE_POLICY);
    }
  });

  test('let assets be cached permanently, and no page is served for missing files', async ({ app }) => {
    const file = await get(app, '/assets/main-abc.js');
    expect(file).toMatchObject({ status: 200, text: 'export {};' });
    expect(file.headers['cache-control']).toContain('immutable');
    expect(file.headers).toMatchObject(COMMON);
    for (const url of [
      '/assets/gone-abc.js',
      '/favicon.ico',
      '/assets/..%2f..%2fpackage.json',
      '/.git/config',
    ]) {
      const answer = await get(app, url);
      expect([403, 404], url).toContain(answer.status);
      expect(answer.text).not.toContain('<!doctype html>');
    }
  });

  test('allow only GET and HEAD for pages', async ({ app }) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await app.call(method, '/login', {});
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
    expect((await app.call('HEAD', '/login')).status).toBe(200);
  });
});

describe.each(sharedApps({ webDir, https: true }))(
  'the security headers over HTTPS, on $name',
  ({ test }) => {
    test('require HTTPS for later visits', async ({ app }) => {
      for (const url of ['/', '/api', '/api/health', '/assets/main-abc.js']) {
        const { headers } = await get(app, url);
        expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
      }
    });
  },
);
