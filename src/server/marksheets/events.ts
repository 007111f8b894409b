import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CellsEvent, PeopleEvent, StateEvent } from '../../contract/marksheets/sheets.ts';
import { chunks } from '../chunks.ts';
import type { Database } from '../db/database.ts';
import { jsonElements, jsonToRows } from '../db/dialect/sql.ts';
import { AppError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { Actor } from '../http/actor.ts';
import { Turns } from '../turns.ts';
import { presentRows } from './present-rows.ts';
import { requireSheet, type SheetColumns } from './sheet.ts';
import { hideRecord } from './teachers/hide-records.ts';

/** Between two looks at the sheets and sessions of open streams. */
const POLL_MS = 700;
/** Between two signs of life of a connection. */
const HEARTBEAT_MS = 10_000;
/** Without a sign of life for this long, the process that held a connection has died. */
const GONE_AFTER_MS = 3 * HEARTBEAT_MS;
export const MAX_STREAMS_PER_PERSON = 20;
/** A reader that has not taken this many bytes is too slow; it connects again and reads the sheet again. */
const MAX_UNREAD_BYTES = 1_000_000;
/** Streams that are written to without a pause: a few milliseconds. */
const STREAMS_AT_ONCE = 25;
/** The last use of a session is stored with a delay of up to 1/30 of the idle time; twice that, to be on the safe side. */
const IDLE_MARGIN = 1 + 2 / 30;

interface Stream {
  id: string;
  sheetId: number;
  actor: Actor;
  out: PassThrough;
  /** The response that `out` is written to. */
  response: ServerResponse;
  /** The version up to which the changes have been sent. */
  version: number;
  setupVersion: number;
  people: string;
  /** Whether the person is among those that the sheet shows as present. */
  isStored: boolean;
}

interface Options {
  /** Milliseconds without a call after which a session has ended. An open stream is no call. */
  idle: number;
  /** Called once for failures in a row. */
  onFailure: (error: unknown) => void;
}

/**
 * The event streams of this process. Every process looks for new versions of the sheets that its own streams show, so changes
 * that another process has made are seen too.
 */
export class SheetEvents {
  readonly #db: Database;
  readonly #options: Options;
  readonly #turns = new Turns();
  readonly #streams = new Map<string, Stream>();
  /** Streams that have ended, whose people may still be stored. */
  readonly #left = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #nextHeartbeat = 0;
  #polling: Promise<void> | undefined;
  #hasFailed = false;
  #isStopped = false;

  constructor(db: Database, options: Options) {
    this.#db = db;
    this.#options = options;
  }

  /**
   * Events of a sheet from its present version on. `cells` has the rows that changed, `state` says that the sheet is to be
   * read again, and `people` has those who have it open.
   *
   * @throws AppError not-found for the sheet; too-many-attempts when the person has too many streams open
   */
  async open(sheetId: number, actor: Actor, response: ServerResponse): Promise<Readable> {
    await this.#turns.take();
    const sheet = await requireSheet(this.#db.read, sheetId);
    // The application began to stop meanwhile.
    if (this.#isStopped)
      throw new AppError('unavailable', 'The service is restarting. Try again in a moment.');
    const own = [...this.#streams.values()].filter((stream) => stream.actor.id === actor.id);
    if (own.length >= MAX_STREAMS_PER_PERSON) {
      throw new AppError('too-many-attempts', 'You have too many mark sheets open.', { retryAfter: 10 });
    }
    const stream: Stream = {
      id: randomUUID(),
      sheetId,
      actor,
      out: new PassThrough(),
      response,
      version: sheet.version,
      setupVersion: sheet.setup_version,
      people: '',
      isStored: false,
    };
    this.#streams.set(stream.id, stream);
    stream.out.once('close', () => {
      this.#streams.delete(stream.id);
      this.#left.add(stream.id);
    });
    response.once('close', () => stream.out.destroy());
    this.#timer ??= setInterval(() => {
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = undefined;
      });
    }, POLL_MS);
    if (response.closed) stream.out.destroy();
    send(stream, toEvent('state', { version: sheet.version, state: sheet.state } satisfies StateEvent));
    return stream.out;
  }

  /** Ends all streams, since the process ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const { id, out, response } of this.#streams.values()) {
      this.#left.add(id);
      out.end();
      // A client that does not read would hold up the end.
      if (response.writableLength > 0) response.destroy();
    }
    // It may be storing people.
    await this.#polling;
    await this.#deleteLeft();
  }

  async #poll(): Promise<void> {
    try {
      await this.#deleteLeft();
      if (this.#streams.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
        return;
      }
      await this.#endWithRights();
      await this.#storePeople();
      if (Date.now() >= this.#nextHeartbeat) {
        this.#nextHeartbeat = Date.now() + HEARTBEAT_MS;
        await this.#sendHeartbeats();
      }
      await this.#sendChanges();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.onFailure(error);
      this.#hasFailed = true;
    }
  }

  /**
   * Stores the people of the streams that were opened since the last poll, with one statement: when a class comes back after a
   * lost connection, a thousand transactions would keep everybody else waiting.
   */
  async #storePeople(): Promise<void> {
    const opened = [...this.#streams.values()].filter(({ isStored, out }) => !isStored && out.writable);
    if (opened.length === 0) return;
    const seen_at = new Date().toISOString();
    const people = opened.map(({ id, sheetId, actor }) => {
      return { id, sheet_id: sheetId, user_id: actor.id, user_name: actor.name, seen_at };
    });
    // The sheet may have been deleted meanwhile, and an attempt that failed may have been stored.
    await sql`insert into sheet_people (id, sheet_id, user_id, user_name, seen_at)
      select id, sheet_id, user_id, user_name, seen_at
      from ${jsonToRows(this.#db.write, people, PEOPLE_COLUMNS)} p
      where sheet_id in (select sheet_id from sheets)
      on conflict (id) do nothing`.execute(this.#db.write);
    for (const stream of opened) stream.isStored = true;
  }

  /** Removes the people of streams that have ended. */
  async #deleteLeft(): Promise<void> {
    const ids = [...this.#left];
    if (ids.length === 0) return;
    await this.#db.write.deleteFrom('sheet_people').where('id', 'in', this.#inList(ids)).execute();
    for (const id of ids) this.#left.delete(id);
  }

  /** Values as one parameter, so that the statement is the same for any number of them. */
  #inList(values: readonly string[]) {
    const elements = jsonElements(this.#db.read, sql.val(JSON.stringify(values)));
    return sql<string>`(select value from ${elements} e)`;
  }

  /** The same for columns of whole numbers. */
  #inNumbers(values: readonly number[]) {
    const elements = jsonElements(this.#db.read, sql.val(JSON.stringify(values)));
    return sql<number>`(select cast(value as integer) from ${elements} e)`;
  }

  async #sendChanges(): Promise<void> {
    const streamsBySheet = groupBy(this.#streams.values(), ({ sheetId }) => sheetId);
    const open = this.#inNumbers([...streamsBySheet.keys()]);
    const sheets = await this.#db.read
      .selectFrom('sheets')
      .select(['sheet_id', 'version'])
      .where('sheet_id', 'in', open)
      .execute();
    const people = await this.#db.read
      .selectFrom('sheet_people')
      .select(['sheet_id', 'user_id', 'user_name'])
      .where('sheet_id', 'in', open)
      .where('seen_at', '>', new Date(Date.now() - GONE_AFTER_MS).toISOString())
      .orderBy('user_name')
      .orderBy('user_id')
      .execute();
    const versions = new Map(sheets.map(({ sheet_id, version }) => [sheet_id, version]));
    const peopleBySheet = groupBy(people, ({ sheet_id }) => sheet_id);
    for (const [sheetId, streams] of streamsBySheet) {
      const version = versions.get(sheetId);
      if (version === undefined) {
        // Deleted: reading it again answers 404.
        for (const { out } of streams) out.end();
        continue;
      }
      const here = new Map(peopleBySheet.get(sheetId)?.map(({ user_id, user_name }) => [user_id, user_name]));
      const present: PeopleEvent = { people: [...here].map(([id, name]) => ({ id, name })) };
      const text = JSON.stringify(present);
      const event = toEvent('people', present);
      for (const stream of streams) {
        if (stream.people === text) continue;
        stream.people = text;
        send(stream, event);
      }
      const behind = streams.filter((stream) => stream.version < version);
      if (behind.length === 0) continue;
      await this.#sendVersion(behind, await requireSheet(this.#db.read, sheetId));
      // Lets calls be answered between two sheets.
      await setImmediate();
    }
  }

  async #sendVersion(streams: readonly Stream[], sheet: SheetColumns): Promise<void> {
    const { version, state } = sheet;
    const first = Math.min(...streams.map((stream) => stream.version));
    const sameSetup = streams.filter((stream) => stream.setupVersion === sheet.setup_version);
    if (sameSetup.length > 0) {
      const changed = await this.#db.read
        .selectFrom('sheet_rows')
        .select('student_id')
        .where('sheet_id', '=', sheet.sheet_id)
        .where('version', '>', first)
        .execute();
      const ids = changed.map(({ student_id }) => student_id);
      const rows = await presentRows(this.#db.read, sheet, ids);
      const toOffice = toEvent('cells', { version, rows } satisfies CellsEvent);
      const hidden = rows.map(hideRecord);
      const toTeachers = toEvent('cells', { version, rows: hidden } satisfies CellsEvent);
      const isTeachers = ({ actor }: Stream) => actor.taughtSheet !== null;
      await sendToAll(
        sameSetup.filter((stream) => !isTeachers(stream)),
        toOffice,
      );
      await sendToAll(sameSetup.filter(isTeachers), toTeachers);
    }
    await sendToAll(
      streams.filter((stream) => stream.setupVersion !== sheet.setup_version),
      toEvent('state', { version, state } satisfies StateEvent),
    );
    for (const stream of streams) {
      stream.version = version;
      stream.setupVersion = sheet.setup_version;
    }
  }

  /** Ends the streams whose session has ended, or the right that admitted to them. */
  async #endWithRights(): Promise<void> {
    const streams = [...this.#streams.values()];
    const now = new Date();
    const sessions = await this.#db.read
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['token_hash', 'last_used_at', 'role'])
      .where('token_hash', 'in', this.#inList([...new Set(streams.map(({ actor }) => actor.tokenHash))]))
      .where('expires_at', '>', now.toISOString())
      .where('locked_at', 'is', null)
      .where('waiting_for', 'is', null)
      .execute();
    const idle = this.#options.idle * IDLE_MARGIN;
    const roles = new Map(
      sessions
        .filter(({ last_used_at }) => now.getTime() - Date.parse(last_used_at) < idle)
        .map(({ token_hash, role }) => [token_hash, role]),
    );
    const teachers = streams.filter(({ actor }) => actor.taughtSheet !== null);
    const taught = await this.#listTaught(teachers.map(({ actor }) => actor.id));
    for (const { actor, sheetId, out } of streams) {
      const isNamed = actor.taughtSheet === null || taught.has(`${sheetId} ${actor.id}`);
      // Another role sees something else, so the client connects again.
      if (roles.get(actor.tokenHash) !== actor.role || !isNamed) out.end();
    }
  }

  /** Which sheets name these accounts, as their two numbers. */
  async #listTaught(userIds: readonly number[]): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set();
    const named = await this.#db.read
      .selectFrom('sheet_teachers')
      .select(['sheet_id', 'user_id'])
      .where('user_id', 'in', this.#inNumbers([...new Set(userIds)]))
      .execute();
    return new Set(named.map(({ sheet_id, user_id }) => `${sheet_id} ${user_id}`));
  }

  /** Keeps connections from being taken for dead, by the client, by proxies and by the other processes. */
  async #sendHeartbeats(): Promise<void> {
    const streams = [...this.#streams.values()];
    const now = Date.now();
    for (const { out } of streams) if (out.writable) out.write(': \n\n');
    await this.#db.write
      .updateTable('sheet_people')
      .set({ seen_at: new Date(now).toISOString() })
      .where('id', 'in', this.#inList(streams.map(({ id }) => id)))
      .execute();
    await this.#db.write
      .deleteFrom('sheet_people')
      .where('seen_at', '<', new Date(now - 2 * GONE_AFTER_MS).toISOString())
      .execute();
  }
}

const PEOPLE_COLUMNS = {
  id: 'text',
  sheet_id: 'integer',
  user_id: 'integer',
  user_name: 'text',
  seen_at: 'text',
} as const;

/** Bytes, so that all streams share them until they are read. */
const toEvent = (event: string, data: object): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

function send({ out }: Stream, event: Buffer): void {
  if (!out.writable) return;
  if (out.writableLength > MAX_UNREAD_BYTES) out.destroy();
  else out.write(event);
}

/** Lets calls be answered in between. */
async function sendToAll(streams: readonly Stream[], event: Buffer): Promise<void> {
  for (const some of chunks(streams, STREAMS_AT_ONCE)) {
    for (const stream of some) send(stream, event);
    await setImmediate();
  }
}
