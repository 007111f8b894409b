import { describe, expect, onTestFinished, vi } from 'vitest';
import { sharedApp } from '../../../tests/support/app/test-app.ts';

/** The calls that the browser makes. */
const CALLS = [
  ['post', '/api/register'],
  ['post', '/api/login'],
  ['post', '/api/logout'],
  ['get', '/api/users'],
  ['put', '/api/users/{id}'],
  ['put', '/api/users/{id}/change-password'],
  ['post', '/api/forgot-password'],
  ['get', '/api'],
  ['get', '/api/students/{id}'],
  ['get', '/api/students/{id}/family/create'],
  ['get', '/api/students/{id}/academics/create'],
  ['post', '/api/students'],
  ['post', '/api/students/family'],
  ['post', '/api/students/academics'],
  ['put', '/api/students/{id}'],
  ['put', '/api/students/{id}/family'],
  ['put', '/api/students/academics/{academic_id}'],
  ['delete', '/api/students/{id}'],
  ['post', '/api/courses'],
  ['post', '/api/courses-marks'],
  ['get', '/api/courses'],
  ['get', '/api/courses/{course_id}'],
  ['get', '/api/courses/histogram/{course_id}'],
  ['put', '/api/courses/{course_id}'],
  ['delete', '/api/courses/{course_id}'],
] as const;

interface Operation {
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema?: object }> };
  responses?: Record<string, { content?: Record<string, { schema?: object }> }>;
}

interface Description {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
}

const test = sharedApp();

describe('the API description', () => {
  test('is an OpenAPI document with every call', async ({ app }) => {
    const answer = await app.call('GET', '/api/openapi.json');
    expect(answer.status).toBe(200);
    const { openapi, info, paths } = answer.body as Description;
    expect(openapi).toMatch(/^3\.1\./);
    expect(info.title).toBe('Student Information Management System');
    for (const [method, path] of CALLS) expect(paths[path]?.[method], `${method} ${path}`).toBeDefined();
  });

  test('gives the purpose, parameters and replies of each call', async ({ app }) => {
    const { paths } = (await app.call('GET', '/api/openapi.json')).body as Description;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const name = `${method} ${path}`;
        expect(operation.summary, name).toMatch(/^[A-Z]/);
        expect(operation.tags, name).toHaveLength(1);
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
        const described = (operation.parameters ?? []).filter((one) => one.in === 'path');
        expect(described.map((one) => one.name).sort(), name).toEqual(inPath.sort());
        expect(
          described.every(({ required }) => required),
          name,
        ).toBe(true);
        const statuses = Object.keys(operation.responses ?? {});
        expect(
          statuses.some((status) => status.startsWith('2')),
          name,
        ).toBe(true);
        if (method === 'get') expect(operation.requestBody, name).toBeUndefined();
      }
    }
  });

  // Covers 5.37
  test('has schemas for the bodies of calls and for validation errors', async ({ app }) => {
    const { paths } = (await app.call('GET', '/api/openapi.json')).body as Description;
    for (const [method, path] of CALLS) {
      if (method !== 'post' && method !== 'put') continue;
      if (path === '/api/logout') continue;
      const operation = paths[path]?.[method];
      const schema = operation?.requestBody?.content['application/json']?.schema;
      expect(schema, `${method} ${path}`).toMatchObject({ properties: expect.any(Object) });
      expect(operation?.responses, `${method} ${path}`).toHaveProperty('422');
    }
    const student = paths['/api/students']?.post?.requestBody?.content ?? {};
    expect(Object.keys(student).sort()).toEqual(['application/json', 'multipart/form-data']);
  });

  // Covers A81
  test('is generated once, and sent only to clients with another version', async ({ app }) => {
    for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/style.css']) {
      const first = await app.call('GET', url);
      const etag = String(first.headers.etag);
      expect(etag, url).toMatch(/^"[\w-]{22}"$/);
      expect(first.headers['cache-control'], url).toBe('no-cache');
      const compressed = ['-gzip', '--gzip', ';gzip', '-br'].map((end) => `W/${etag.slice(0, -1)}${end}"`);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*', ...compressed]) {
        const again = await app.call('GET', url, { headers: { 'if-none-match': known } });
        expect([again.status, again.text, again.headers.etag], known).toEqual([304, '', etag]);
      }
      const other = await app.call('GET', url, { headers: { 'if-none-match': '"other"' } });
      expect([other.status, other.text], url).toEqual([200, first.text]);
    }
    const made = vi.spyOn(app.app, 'swagger');
    onTestFinished(() => made.mockRestore());
    await app.call('GET', '/api/docs');
    await app.call('GET', '/api/openapi.json');
    expect(made).not.toHaveBeenCalled();
  });

  test('has no broken references to schemas', async ({ app }) => {
    const { text, body } = await app.call('GET', '/api/openapi.json');
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer.split('/').reduce<unknown>((at, key) => Reflect.get(Object(at), key), body);
      expect(target, pointer).toBeDefined();
    }
  });

  test('is also an HTML page without scripts', async ({ app }) => {
    const page = await app.call('GET', '/api/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script|\son\w+=|javascript:|style=/i);
    for (const [, path] of CALLS) expect(page.text).toContain(path);
    const style = await app.call('GET', '/api/docs/style.css');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
  });
});
