import path from 'node:path';
import { test as base } from 'vitest';
import { type AppOptions, buildApp } from '../../src/server/app.ts';
import type { App, Deps } from '../../src/server/app-types.ts';
import type { Database } from '../../src/server/db/open.ts';
import { type Engine, engines, type TestDatabase } from './engines.ts';
import { type Answer, type Call, People } from './people.ts';

export { type Answer, errorsOf, type Person } from './people.ts';

const SETTINGS: Deps['settings'] = {
  registration: { kind: 'open' },
  loginLimit: 10,
  requestLimit: 0,
  session: { idle: 30 * 60_000, lifetime: 12 * 3_600_000 },
};

type Options = Partial<
  Pick<
    AppOptions,
    | 'mailer'
    | 'provider'
    | 'webDir'
    | 'trustedProxies'
    | 'https'
    | 'isStopping'
    | 'isOverloaded'
    | 'metricsToken'
  >
> & {
  settings?: Partial<Deps['settings']>;
  /** One to open again; the caller removes it. */
  database?: TestDatabase;
};

/** The whole HTTP application on a real database, called without a network. */
export class TestApp extends People {
  readonly app: App;
  readonly db: Database;
  readonly #cleanUp: () => Promise<void>;

  private constructor(app: App, db: Database, cleanUp: () => Promise<void>) {
    super();
    this.app = app;
    this.db = db;
    this.#cleanUp = cleanUp;
  }

  static async open(engine: Engine, { settings, database, ...options }: Options = {}): Promise<TestApp> {
    const own = database ?? (await engine.prepare({ isMade: true }));
    const db = await own.open();
    const app = await buildApp({
      db,
      settings: { ...SETTINGS, ...settings },
      logger: false,
      webDir: path.join(own.folder, 'no-web'),
      trustedProxies: [],
      https: false,
      ...options,
    });
    return new TestApp(app, db, async () => {
      if (database === undefined) await own.remove();
    });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.db.close();
    await this.#cleanUp();
  }

  async call(
    method: string,
    url: string,
    { token, body, form, headers = {}, from }: Call = {},
  ): Promise<Answer> {
    const encoded = form === undefined ? undefined : new Response(form);
    const type =
      encoded?.headers.get('content-type') ?? (body === undefined ? undefined : 'application/json');
    const payload =
      encoded === undefined
        ? typeof body === 'string' || body === undefined
          ? body
          : JSON.stringify(body)
        : Buffer.from(await encoded.arrayBuffer());
    const response = await this.app.inject({
      method: method as 'GET',
      url,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    });
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson && response.body !== '' ? (JSON.parse(response.body) as unknown) : undefined,
    };
  }
}

/**
 * For each engine, `test` with an application of its own for each test: `admin`, `staff` and `viewer` are made when
 * asked for. Called at the top of a file: `describe.each(freshApps())('…, on $name', ({ test }) => …)`.
 */
export const freshApps = (options: Options = {}) =>
  engines.map((engine) => ({ name: engine.name, engine, test: testsOn(engine, options, 'test') }));

/** The same with one application for all tests of the file, which keep to records of their own. */
export const sharedApps = (options: Options = {}) =>
  engines.map((engine) => ({ name: engine.name, engine, test: testsOn(engine, options, 'file') }));

function testsOn(engine: Engine, options: Options, lasting: 'test' | 'file') {
  const test = withPeople(engine, options, lasting);
  return engine.isMissing ? test.skip : test;
}

function withPeople(engine: Engine, options: Options, lasting: 'test' | 'file') {
  // The types know one scope at a time; these fixtures are the same in either.
  const scope = lasting as 'test';
  return (
    base
      // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
      .extend('app', { scope }, async ({}, { onCleanup }) => {
        const app = await TestApp.open(engine, options);
        onCleanup(() => app.close());
        return app;
      })
      .extend('admin', { scope }, ({ app }) => app.register({ name: 'Asad Admin' }))
      // The first account is the administrator's, so there must be one before these.
      .extend('staff', { scope }, ({ app, admin: _ }) => app.register())
      .extend('viewer', { scope }, async ({ app, admin }) => {
        const viewer = await app.register({ name: 'Vera Viewer' });
        await app.giveRole(admin, viewer, 'viewer');
        return viewer;
      })
  );
}
