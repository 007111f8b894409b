import path from 'node:path';
import { test as base } from 'vitest';
import { institutionInput } from '../../../src/contract/installation/institution.ts';
import { hashPassword } from '../../../src/server/accounts/credentials/hash.ts';
import { registerUser } from '../../../src/server/accounts/registration/register.ts';
import { startSession } from '../../../src/server/accounts/sessions/sessions.ts';
import { setRole } from '../../../src/server/accounts/users/admin-actions.ts';
import { type AppOptions, buildApp } from '../../../src/server/app.ts';
import type { App, Deps } from '../../../src/server/app-types.ts';
import type { Database } from '../../../src/server/db/database.ts';
import { transact } from '../../../src/server/history/transaction.ts';
import { updateInstitution } from '../../../src/server/institution/institution.ts';
import { Secrets } from '../../../src/server/secrets/secrets.ts';
import { type Engine, engines, sqlite, type TestDatabase } from '../database/engines.ts';
import { INSTITUTION } from '../records.ts';
import { type Answer, type Call, type NewAccount, newAccount, People, type Person } from './people.ts';

export { type Answer, getFieldErrors, type Person } from './people.ts';

const SETTINGS: Deps['settings'] = {
  registration: { kind: 'open' },
  twoFactorRoles: [],
  loginLimit: 10,
  requestLimit: 0,
  heavyCalls: { upload: 2, preview: 2, print: 1, perPerson: 1 },
  publicUrl: undefined,
  session: { idle: 30 * 60_000, lifetime: 12 * 3_600_000 },
  backup: { dir: undefined, every: undefined, keep: 14 },
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
    | 'logger'
    | 'secrets'
  >
> & {
  settings?: Partial<Deps['settings']>;
  /** The institution has a name, which official documents need. */
  isNamed?: boolean;
  /** An existing database, which the caller removes. */
  database?: TestDatabase;
};

/** The whole HTTP application on a real database, called without a network connection. */
export class TestApp extends People {
  readonly app: App;
  readonly db: Database;
  readonly #settings: Deps['settings'];
  readonly #cleanUp: () => Promise<void>;

  private constructor(app: App, db: Database, settings: Deps['settings'], cleanUp: () => Promise<void>) {
    super();
    this.app = app;
    this.db = db;
    this.#settings = settings;
    this.#cleanUp = cleanUp;
  }

  static async open(
    engine: Engine,
    { settings: changes, database, isNamed = false, ...options }: Options = {},
  ): Promise<TestApp> {
    const settings = { ...SETTINGS, ...changes };
    const own =
      database === undefined
        ? await engine.borrow()
        : { db: await database.open(), folder: database.folder, giveBack: async () => {} };
    const { db } = own;
    const app = await buildApp({
      db,
      settings,
      secrets: new Secrets([]),
      logger: false,
      webDir: path.join(own.folder, 'no-web'),
      trustedProxies: [],
      https: false,
      ...options,
    });
    if (isNamed) {
      const institution = institutionInput.parse(INSTITUTION);
      const author = { id: null, name: 'Test' };
      await transact(db.write, (tx) => updateInstitution(tx, author, institution, undefined));
    }
    return new TestApp(app, db, settings, own.giveBack);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.db.close();
    await this.#cleanUp();
  }

  /** Creates account and session with the functions that the routes use, without a request. */
  override async register(changes: Partial<NewAccount> = {}): Promise<Person> {
    const account = newAccount(changes);
    const password_hash = await hashPassword(account.password);
    const { user } = await transact(this.db.write, (tx) =>
      registerUser(tx, { kind: 'open' }, { ...account, password_hash, isVerified: true }),
    );
    const origin = { address: '127.0.0.1', userAgent: undefined };
    const token = await startSession(this.db.write, user.id, this.#settings.session, origin);
    return this.person({ user, token }, account.password);
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
 * For each engine, `test` with a new application per test; `admin`, `staff`, `viewer` and `teacher` are created when a
 * test uses them. Called at the top of a file: `describe.each(freshApps())('…, on $name', ({ test }) => …)`.
 */
export const freshApps = (options: Options = {}) =>
  engines.map((engine) => ({ name: engine.name, engine, test: testsOn(engine, options, 'test') }));

/** The same with one application for all tests of the file, each of which uses its own records. */
export const sharedApps = (options: Options = {}) =>
  engines.map((engine) => ({ name: engine.name, engine, test: testsOn(engine, options, 'file') }));

/** `test` with one application for all tests of the file, on one engine: for what does not depend on the engine. */
export const sharedApp = (options: Options = {}) => testsOn(sqlite, options, 'file');

function testsOn(engine: Engine, options: Options, lasting: 'test' | 'file') {
  const test = withPeople(engine, options, lasting);
  return engine.isMissing ? test.skip : test;
}

function withPeople(engine: Engine, options: Options, lasting: 'test' | 'file') {
  // The types allow only one scope at a time; these fixtures are the same in both.
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
      // The first account becomes administrator, so that must exist before these.
      .extend('staff', { scope }, ({ app, admin: _ }) => app.register())
      .extend('viewer', { scope }, async ({ app, admin }) => {
        const viewer = await app.register({ name: 'Vera Viewer' });
        await transact(app.db.write, (tx) => setRole(tx, admin.user, viewer.user.id, 'viewer'));
        return viewer;
      })
      .extend('teacher', { scope }, async ({ app, admin }) => {
        const teacher = await app.register({ name: 'Tahir Teacher' });
        await transact(app.db.write, (tx) => setRole(tx, admin.user, teacher.user.id, 'teacher'));
        return teacher;
      })
  );
}
