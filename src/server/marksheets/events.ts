import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import type { CellsEvent, PeopleEvent, StateEvent } from '../../contract/marksheets/sheets.ts';
import type { Database } from '../db/database.ts';
import type { SheetsTable } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../http/actor.ts';
import { presentRows } from './present-sheet.ts';
import { findSheet } from './sheet.ts';

/** Between two looks at the sheets that somebody has open. */
const POLL_MS = 700;
/** Between two signs of life of a connection, and two checks of its session. */
const HEARTBEAT_MS = 10_000;
/** Without a sign of life for this long, the process that held a connection has died. */
const GONE_AFTER_MS = 3 * HEARTBEAT_MS;
const MAX_STREAMS_PER_PERSON = 20;
/** A reader that has not taken this many bytes is too slow; it connects again and reads the sheet anew. */
const MAX_UNREAD_BYTES = 1_000_000;

interface Stream {
  id: string;
  sheetId: number;
  actor: Actor;
  out: PassThrough;
  /** The version up to which the changes have been sent. */
  version: number;
  setupVersion: number;
  people: string;
}

/**
 * The event streams of this process. Every process looks for new versions of the sheets that its own streams show, so changes
 * that another process has made are seen too.
 */
export class SheetEvents {
  readonly #db: Database;
  readonly #streams = new Map<string, Stream>();
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #nextHeartbeat = 0;
  #isLooking = false;

  constructor(db: Database, onFailure: (error: unknown) => void) {
    this.#db = db;
    this.#onFailure = onFailure;
  }

  /**
   * Events of a sheet from its present version on. `cells` has the rows that changed, `state` says that the sheet is to be
   * read again, and `people` has those who have it open.
   *
   * @throws AppError not-found for the sheet; too-many-attempts when the person has too many streams open
   */
  async open(sheetId: number, actor: Actor): Promise<Readable> {
    const sheet = await findSheet(this.#db.write, sheetId);
    const own = [...this.#streams.values()].filter((stream) => stream.actor.id === actor.id);
    if (own.length >= MAX_STREAMS_PER_PERSON) {
      throw new AppError('too-many-attempts', 'You have too many mark sheets open.', { retryAfter: 10 });
    }
    const stream: Stream = {
      id: randomUUID(),
      sheetId,
      actor,
      out: new PassThrough(),
      version: sheet.version,
      setupVersion: sheet.setup_version,
      people: '',
    };
    this.#streams.set(stream.id, stream);
    stream.out.once('close', () => this.#close(stream));
    send(stream, 'state', { version: sheet.version, state: sheet.state } satisfies StateEvent);
    await this.#db.write
      .insertInto('sheet_people')
      .values({
        id: stream.id,
        sheet_id: sheetId,
        user_id: actor.id,
        user_name: actor.name,
        seen_at: new Date().toISOString(),
      })
      .execute();
    this.#timer ??= setInterval(() => void this.#look(), POLL_MS);
    return stream.out;
  }

  /** Ends all streams, since the process ends. */
  stop(): void {
    clearInterval(this.#timer);
    for (const { out } of this.#streams.values()) out.end();
  }

  #close(stream: Stream): void {
    this.#streams.delete(stream.id);
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#db.write
      .deleteFrom('sheet_people')
      .where('id', '=', stream.id)
      .execute()
      .catch(() => {});
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (Date.now() >= this.#nextHeartbeat) {
        this.#nextHeartbeat = Date.now() + HEARTBEAT_MS;
        await this.#beat();
      }
      await this.#sendChanges();
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #sendChanges(): Promise<void> {
    const open = [...new Set([...this.#streams.values()].map(({ sheetId }) => sheetId))];
    if (open.length === 0) return;
    const sheets = await this.#db.write
      .selectFrom('sheets')
      .selectAll()
      .where('sheet_id', 'in', open)
      .execute();
    const people = await this.#db.write
      .selectFrom('sheet_people')
      .select(['sheet_id', 'user_id', 'user_name'])
      .where('sheet_id', 'in', open)
      .where('seen_at', '>', new Date(Date.now() - GONE_AFTER_MS).toISOString())
      .orderBy('user_name')
      .orderBy('user_id')
      .execute();
    const found = new Map(sheets.map((sheet) => [sheet.sheet_id, sheet]));
    for (const sheetId of open) {
      const streams = [...this.#streams.values()].filter((stream) => stream.sheetId === sheetId);
      const sheet = found.get(sheetId);
      if (sheet === undefined) {
        // Deleted: reading it again answers 404.
        for (const stream of streams) stream.out.end();
        continue;
      }
      const here = new Map(
        people
          .filter((one) => one.sheet_id === sheetId)
          .map(({ user_id, user_name }) => [user_id, user_name]),
      );
      const present: PeopleEvent = { people: [...here].map(([id, name]) => ({ id, name })) };
      const text = JSON.stringify(present);
      for (const stream of streams) {
        if (stream.people === text) continue;
        stream.people = text;
        send(stream, 'people', present);
      }
      await this.#sendVersion(streams, sheet);
    }
  }

  async #sendVersion(
    streams: readonly Stream[],
    sheet: Parameters<typeof presentRows>[1] & Pick<SheetsTable, 'setup_version'>,
  ): Promise<void> {
    const behind = streams.filter((stream) => stream.version < sheet.version);
    if (behind.length === 0) return;
    const { version, state } = sheet;
    const first = Math.min(...behind.map((stream) => stream.version));
    const changed = await this.#db.write
      .selectFrom('sheet_rows')
      .select('student_id')
      .where('sheet_id', '=', sheet.sheet_id)
      .where('version', '>', first)
      .execute();
    const ids = changed.map(({ student_id }) => student_id);
    const needsRows = behind.some((stream) => stream.setupVersion === sheet.setup_version);
    const rows = needsRows ? await presentRows(this.#db.write, sheet, ids) : [];
    for (const stream of behind) {
      if (stream.setupVersion !== sheet.setup_version) {
        send(stream, 'state', { version, state } satisfies StateEvent);
      } else {
        send(stream, 'cells', { version, rows } satisfies CellsEvent);
      }
      stream.version = version;
      stream.setupVersion = sheet.setup_version;
    }
  }

  /** Ends the streams whose session is over, and keeps the others from being taken for dead. */
  async #beat(): Promise<void> {
    const streams = [...this.#streams.values()];
    if (streams.length === 0) return;
    const now = new Date();
    const sessions = await this.#db.write
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('token_hash')
      .where('token_hash', 'in', [...new Set(streams.map(({ actor }) => actor.tokenHash))])
      .where('expires_at', '>', now.toISOString())
      .where('locked_at', 'is', null)
      .execute();
    const valid = new Set(sessions.map(({ token_hash }) => token_hash));
    for (const stream of streams) {
      if (valid.has(stream.actor.tokenHash)) stream.out.write(': \n\n');
      else stream.out.end();
    }
    await this.#db.write
      .updateTable('sheet_people')
      .set({ seen_at: now.toISOString() })
      .where(
        'id',
        'in',
        streams.map(({ id }) => id),
      )
      .execute();
    await this.#db.write
      .deleteFrom('sheet_people')
      .where('seen_at', '<', new Date(now.getTime() - 2 * GONE_AFTER_MS).toISOString())
      .execute();
  }
}

function send({ out }: Stream, event: string, data: object): void {
  if (out.writableLength > MAX_UNREAD_BYTES) out.destroy();
  else out.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
