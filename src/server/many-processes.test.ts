import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import sharp from 'sharp';
import { test as base, describe, expect, vi } from 'vitest';
import { fillClass, fillLargeClass, LARGE_CLASS } from '../../tests/support/app/fill-class.ts';
import { databaseOn, postgres, type TestDatabase } from '../../tests/support/database/engines.ts';
import { type RoundRobin, roundRobin } from '../../tests/support/processes/round-robin.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aCourse, aFamily, aSemester, aStudent, unique } from '../../tests/support/records.ts';
import { signedInReply } from '../contract/accounts/accounts.ts';
import { importCreatedReply, importPreview, importReply } from '../contract/imports.ts';
import type { Database } from './db/database.ts';
import { MIGRATIONS } from './db/migrations/index.ts';
import { openPostgres } from './db/postgres/open-postgres.ts';
import { lockBulkChanges } from './students/bulk/apply.ts';

const SOON = { timeout: 60_000 };
/** Timeout for starting several processes or creating many records on a busy machine. */
const STARTING = 300_000;

async function startTwo({ location }: TestDatabase): Promise<Server[]> {
  const starts = await Promise.allSettled(
    Array.from({ length: 2 }, () => Server.start({ DATABASE_URL: location, LOG_LEVEL: 'warn' })),
  );
  const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed === undefined) return started;
  await Promise.all(started.map((server) => server.dispose()));
  throw failed.reason;
}

const readVersions = async ({ read }: Database) =>
  (await read.selectFrom('schema_versions').select(['version', 'name']).orderBy('version').execute()).map(
    ({ version, name }) => [version, name],
  );
const WAITING = `select 1 from pg_locks join pg_database d on d.oid = database
  where datname = current_database() and not granted`;
const EVERY_VERSION = MIGRATIONS.map(({ name }, i) => [i + 1, name]);

/** Two processes started at the same time on one empty database, behind a round-robin proxy. */
const withProcesses = base
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const database = await postgres.prepare();
    onCleanup(() => database.remove());
    return database;
  })
  .extend('processes', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const servers = await startTwo(database);
    onCleanup(async () => {
      await Promise.all(servers.map((server) => server.dispose()));
    });
    return servers;
  })
  .extend('address', { scope: 'file' }, async ({ processes }, { onCleanup }) => {
    const [first, ...others] = processes.map(({ url }) => url);
    if (first === undefined) throw new Error('There is no process.');
    const address = await roundRobin([first, ...others]);
    onCleanup(() => address.close());
    return address;
  })
  .extend('db', { scope: 'file' }, async ({ database, processes: _ }, { onCleanup }) => {
    const db = await database.open();
    onCleanup(() => db.close());
    return db;
  })
  .extend('large', { scope: 'file' }, ({ db }) => fillLargeClass(db.write))
  .extend('person', { scope: 'file' }, ({ address }) => Person.register(address));

const test = postgres.isMissing ? withProcesses.skip : withProcesses;

interface Sent {
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

/** A person whose consecutive calls go to different processes. */
class Person {
  readonly #address: RoundRobin;
  readonly email: string;
  readonly password: string;
  token = '';

  constructor(address: RoundRobin, email: string, password: string) {
    this.#address = address;
    this.email = email;
    this.password = password;
  }

  static async register(address: RoundRobin): Promise<Person> {
    const person = new Person(address, `${unique()}@faculty.example`, `pass word ${unique()}`);
    const { email, password } = person;
    const body = { name: 'Sana Malik', email, password, password_confirmation: password };
    const answer = await person.call('POST', '/api/register', { body });
    person.token = signedInReply.parse(answer.body).token;
    return person;
  }

  /** Opens another session of the same person. */
  async signIn(): Promise<Person> {
    const session = new Person(this.#address, this.email, this.password);
    session.token = signedInReply.parse((await session.tryToSignIn(this.password)).body).token;
    return session;
  }

  tryToSignIn(password: string) {
    return this.call('POST', '/api/login', { body: { email: this.email, password } });
  }

  async call(method: string, path: string, { body, form, headers = {} }: Sent = {}) {
    const response = await fetch(new URL(path, this.#address.url), {
      method,
      headers: {
        accept: 'application/json',
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0;
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      body: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined,
    };
  }

  /** Makes the same call twice, so that each process answers it once. */
  async callEveryProcess(method: string, path: string) {
    return [await this.call(method, path), await this.call(method, path)];
  }

  /** Starts a download without reading its body. */
  async startDownload(path: string): Promise<IncomingMessage> {
    const request = get(new URL(path, this.#address.url), {
      headers: { authorization: `Bearer ${this.token}` },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return response;
  }
}

describe('processes that start at the same time', () => {
  test('migrate an empty database once, and all serve calls', { timeout: STARTING }, async ({
    processes,
    db,
  }) => {
    expect(await readVersions(db)).toEqual(EVERY_VERSION);
    const health = await Promise.all(processes.map(({ url }) => fetch(`${url}/api/health`)));
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('migrate an older database once', { timeout: STARTING }, async () => {
    const database = await postgres.prepare();
    const older = await openPostgres(database.location, { version: 1 });
    expect(await readVersions(older)).toEqual(EVERY_VERSION.slice(0, 1));
    const { first_name, last_name, ...rest } = aStudent({ id: 'OLD' });
    await older.write
      .insertInto('students')
      .values({ ...rest, first_name, last_name, version: 1, fsc_marks: 93_500, matric_marks: 98_750 })
      .execute();
    await older.close();
    const lockHolder = new pg.Client({ connectionString: database.location });
    await lockHolder.connect();
    await lockHolder.query('begin; lock table schema_versions');
    const starting = startTwo(database);
    // Both wait for the lock before the first can read the schema version.
    await vi.waitUntil(async () => (await lockHolder.query(WAITING)).rowCount === 2, {
      timeout: STARTING / 2,
    });
    await lockHolder.end();
    const servers = await starting;
    const [server] = servers;
    try {
      const db = await databaseOn(database.location).open();
      expect(await readVersions(db)).toEqual(EVERY_VERSION);
      expect(await db.read.selectFrom('students').select(['id', 'id_key']).execute()).toHaveLength(1);
      await db.close();
      expect((await fetch(`${server?.url}/api/health`)).status).toBe(200);
    } finally {
      await Promise.all(servers.map((one) => one.dispose()));
      await database.remove();
    }
  });
});

describe('a person whose calls alternate between processes', () => {
  test('creates a student in three steps, finds it and changes it', async ({ person, address }) => {
    const before = address.served.slice();
    const student = aStudent({ degree: unique() });
    const { id, degree } = student;
    const steps = [
      await person.call('POST', '/api/students', { body: student }),
      await person.call('POST', '/api/students/family', { body: aFamily(id) }),
      await person.call('POST', '/api/students/academics', {
        body: aSemester(id, 1, [{ title: 'Statics', credits: 3, grade: 'B+' }]),
      }),
    ];
    expect(steps.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const list of await person.callEveryProcess('GET', `/api/students?degree=${degree}`)) {
      expect(list.body).toMatchObject({ total: 1, students: [{ id }] });
    }
    const etag = steps[0]?.headers.get('etag') ?? '';
    const change = { body: { ...student, first_name: 'Zoë' }, headers: { 'if-match': etag } };
    expect((await person.call('PUT', `/api/students/${id}`, change)).status).toBe(200);
    // Every process knows that this version is out of date.
    expect((await person.call('PUT', `/api/students/${id}`, change)).status).toBe(412);
    const records = await person.callEveryProcess('GET', `/api/students/${id}`);
    for (const { body } of records) expect(body).toMatchObject({ student: { first_name: 'Zoë' } });
    expect(address.served.map((calls, i) => calls > (before[i] ?? 0))).toEqual([true, true]);
  });

  test('creates one record when a call is repeated on another process or at the same time', async ({
    person,
  }) => {
    const sent = { body: aStudent(), headers: { 'idempotency-key': unique() } };
    const first = await person.call('POST', '/api/students', sent);
    const repeated = await Promise.all([1, 2, 3].map(() => person.call('POST', '/api/students', sent)));
    for (const one of repeated) {
      expect([one.status, one.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(one.bytes.equals(first.bytes)).toBe(true);
    }
    const concurrent = { body: aStudent(), headers: { 'idempotency-key': unique() } };
    const all = await Promise.all([1, 2, 3, 4].map(() => person.call('POST', '/api/students', concurrent)));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(all.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  test('uploads marks and a picture, and saves a view', async ({ person }) => {
    const course = aCourse();
    expect((await person.call('POST', '/api/courses', { body: course })).status).toBe(201);
    const marks = new FormData();
    marks.set('course_id', String(course.course_id));
    marks.set('file', new Blob(['35,48.5,52']), 'marks.csv');
    expect((await person.call('POST', '/api/courses-marks', { form: marks })).status).toBe(201);
    for (const { body } of await person.callEveryProcess('GET', `/api/courses/${course.course_id}`)) {
      expect(body).toMatchObject({ course: { marks_count: 3 } });
    }

    const form = new FormData();
    for (const [field, value] of Object.entries(aStudent())) form.set(field, String(value ?? ''));
    const picture = sharp({ create: { width: 90, height: 120, channels: 3, background: '#0a5' } });
    form.set('img', new Blob([Uint8Array.from(await picture.jpeg().toBuffer())]), 'portrait.jpg');
    const entered = await person.call('POST', '/api/students', { form });
    const { img } = (entered.body as { student: { img: string } }).student;
    const pictures = await person.callEveryProcess('GET', img);
    for (const { status, bytes } of pictures) {
      expect([status, bytes.equals(pictures[0]?.bytes ?? Buffer.of())]).toEqual([200, true]);
    }

    const name = unique();
    const saved = await person.call('POST', '/api/views', { body: { name, view: { department: 'EE' } } });
    expect(saved.status).toBe(201);
    for (const { bytes } of await person.callEveryProcess('GET', '/api/views')) {
      expect(bytes.toString()).toContain(name);
    }
  });

  test('makes a bulk change and undoes it', async ({ person, db }) => {
    const degree = await fillClass(db.write, 5);
    const move = { action: 'syndicate', syn: 'C', filter: { degree } };
    const preview = await person.call('POST', '/api/students/bulk/preview', { body: move });
    const { fingerprint } = preview.body as { fingerprint: string };
    const moved = await person.call('POST', '/api/students/bulk', { body: { ...move, fingerprint } });
    expect([moved.status, moved.body]).toMatchObject([201, {}]);
    const inC = `/api/students?degree=${degree}&syn=C`;
    for (const { body } of await person.callEveryProcess('GET', inC))
      expect(body).toMatchObject({ total: 5 });
    const { id } = await db.read
      .selectFrom('bulk_changes')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect((await person.call('POST', `/api/students/bulk/${id}/undo`)).status).toBe(200);
    for (const { body } of await person.callEveryProcess('GET', inC))
      expect(body).toMatchObject({ total: 0 });
  });

  test('sees on one that another applies an import, and cancels it there', {
    timeout: STARTING,
  }, async ({ person, db }) => {
    const text = `Course ID,Course code,Course name\n${aCourse().course_id},ME-1,Statics`;
    const sent = await person.call('POST', '/api/imports', { body: { kind: 'courses', text } });
    const url = `/api/imports/${importCreatedReply.parse(sent.body).import.import_id}`;
    const preview = await person.call('POST', `${url}/preview`, { body: {} });
    const { fingerprint } = importPreview.parse(preview.body);
    let applied: ReturnType<Person['call']> | undefined;
    await db.write.transaction().execute(async (tx) => {
      // What the import needs first, so that it waits there.
      await lockBulkChanges(tx);
      applied = person.call('POST', `${url}/apply`, { body: { fingerprint } });
      await vi.waitUntil(async () => {
        const replies = await person.callEveryProcess('GET', url);
        return replies.every(({ body }) => importReply.parse(body).state === 'applying');
      }, SOON);
      expect((await person.call('POST', `${url}/cancel`)).status).toBe(200);
    });
    expect((await applied)?.status).toBe(409);
    for (const { body } of await person.callEveryProcess('GET', url)) {
      expect(importReply.parse(body).state).toBe('cancelled');
    }
  });

  test('sees the progress of exports, cancels them and may run three at the same time', {
    timeout: STARTING,
  }, async ({ person, db, large }) => {
    const url = `/api/exports/students.csv?degree=${large}`;
    const running = await Promise.all([1, 2, 3].map(() => person.startDownload(url)));
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    for (const { status } of await person.callEveryProcess('GET', url)) expect(status).toBe(429);

    const progress = `/api/exports/${running[0]?.headers['x-export-id']}/progress`;
    for (const { body } of await person.callEveryProcess('GET', progress)) {
      expect(body).toMatchObject({ total: LARGE_CLASS, total_is: 'exact' });
    }
    await vi.waitUntil(async () => {
      const replies = await person.callEveryProcess('GET', progress);
      return replies.every(({ body }) => (body as { rows: number }).rows > 0);
    }, SOON);

    for (const response of running) response.destroy();
    await vi.waitUntil(async () => {
      const { running: left } = await db.read
        .selectFrom('exports')
        .select((eb) => eb.fn.countAll<number>().as('running'))
        .where('is_over', '=', 0)
        .executeTakeFirstOrThrow();
      return left === 0;
    }, SOON);
    const download = await person.startDownload(url);
    const csv = await text(download);
    const end = `/api/exports/${download.headers['x-export-id']}/progress`;
    for (const { body } of await person.callEveryProcess('GET', end)) {
      expect(body).toMatchObject({ rows: LARGE_CLASS, bytes: Buffer.byteLength(csv) });
    }
  });

  test('is not limited by exports of a process that no longer runs', async ({ person, db, large }) => {
    const url = `/api/exports/students.csv?degree=${large}`;
    const running = await Promise.all([1, 2, 3].map(() => person.startDownload(url)));
    expect((await person.call('GET', url)).status).toBe(429);
    const longAgo = new Date(Date.now() - 31_000).toISOString();
    await db.write
      .updateTable('exports')
      .set({ seen_at: longAgo, bytes: 2 ** 40 })
      .execute();
    expect((await person.call('GET', `${url}&q=${large}-7`)).status).toBe(200);
    for (const response of running) response.destroy();
  });

  test('is signed out on every process immediately', async ({ person }) => {
    const session = await person.signIn();
    for (const { status } of await session.callEveryProcess('GET', '/api/users')) expect(status).toBe(200);
    expect((await session.call('POST', '/api/logout')).status).toBeLessThan(300);
    for (const { status } of await session.callEveryProcess('GET', '/api/users')) expect(status).toBe(401);
    expect((await person.call('GET', '/api/users')).status).toBe(200);
  });

  test('has ten sign-in attempts over all processes together', async ({ address }) => {
    const person = await Person.register(address);
    const tries: number[] = [];
    for (let i = 0; i < 12; i += 1) tries.push((await person.tryToSignIn('not it')).status);
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect((await person.tryToSignIn(person.password)).status).toBe(429);
  });
});
