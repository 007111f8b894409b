import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import type { Actor } from '../actor.ts';
import { limitHeavyCalls } from './heavy-calls.ts';

const ACTOR: Omit<Actor, 'id'> = {
  ...{
    name: 'Uma',
    email: 'uma@x.example',
    role: 'staff',
    tokenHash: '',
    taughtSheet: null,
    writtenUpTo: null,
  },
};

/** Calls of each kind by the person in the query; a call is handled once its number in the order of handling is released. */
async function startApp() {
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  const handled: string[] = [];
  const release = new Map<string, () => void>();
  app.decorateRequest('actor', null);
  app.addHook('onRequest', async (request) => {
    request.actor = { ...ACTOR, id: Number(new URL(request.url, 'http://x').searchParams.get('by')) };
  });
  limitHeavyCalls(app, { upload: 2, preview: 2, print: 1, perPerson: 1 });
  for (const heavy of ['upload', 'print', 'batch'] as const) {
    app.get(`/${heavy}`, { config: { heavy } }, async (request) => {
      handled.push(request.url);
      await new Promise<void>((resolve) => release.set(request.url, resolve));
      return 'done';
    });
  }
  await app.ready();
  return { call: (url: string) => app.inject(url), handled, release: (url: string) => release.get(url)?.() };
}

test('a list is printed beside a file of many documents, and a second file waits for the first', async () => {
  const { call, handled, release } = await startApp();
  const first = call('/batch?by=1');
  await expect.poll(() => handled).toEqual(['/batch?by=1']);
  const second = call('/batch?by=2');
  const list = call('/print?by=3');
  await expect.poll(() => handled).toEqual(['/batch?by=1', '/print?by=3']);
  release('/print?by=3');
  expect((await list).body).toBe('done');
  expect(handled).toHaveLength(2);
  release('/batch?by=1');
  await first;
  await expect.poll(() => handled.at(-1)).toBe('/batch?by=2');
  release('/batch?by=2');
  expect((await second).body).toBe('done');
});

test('one person has one turn of a kind, while another has the next', async () => {
  const { call, handled, release } = await startApp();
  const calls = ['/upload?by=1', '/upload?by=1&again', '/upload?by=2'].map(call);
  await expect.poll(() => handled).toEqual(['/upload?by=1', '/upload?by=2']);
  release('/upload?by=1');
  await expect.poll(() => handled.at(-1)).toBe('/upload?by=1&again');
  release('/upload?by=1&again');
  release('/upload?by=2');
  expect((await Promise.all(calls)).map(({ body }) => body)).toEqual(['done', 'done', 'done']);
});
