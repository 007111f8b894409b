import { createHash } from 'node:crypto';
import { advisoryLock } from '../db/dialect/locks.ts';
import type { Db } from '../db/schema.ts';
import { recordChange } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import type { Actor } from '../http/actor.ts';
import type { RunInBackground } from '../http/background-tasks.ts';

/** Rows that a session can read within an hour without an entry in the history. */
const UNLOGGED_ROWS = 1_000;

/**
 * Records in the history who has read a large part of the list of students: one entry per session and clock hour, for any
 * number of calls, written in the background.
 *
 * Each process counts the rows in memory, so that reading causes no writes. A session that reads from several processes can
 * therefore read that many times the limit without an entry. The database ensures that there is only one entry.
 */
export class ReadLog {
  readonly #write: Db;
  readonly #runInBackground: RunInBackground;
  readonly #call: string;
  /** The hour that is being counted, as the start of an ISO time: `2026-03-14T08`. */
  #hour = '';
  /** Rows read in this hour, by session. */
  readonly #rows = new Map<string, number>();

  /** @param call as shown in the history, such as `GET /api/students` */
  constructor(write: Db, runInBackground: RunInBackground, call: string) {
    this.#write = write;
    this.#runInBackground = runInBackground;
    this.#call = call;
  }

  /** Call after sending a list or a page of it. A whole list is always recorded, however short. */
  note(actor: Actor, read: { rows: number } | 'whole'): void {
    const hour = new Date().toISOString().slice(0, 13);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#rows.clear();
    }
    const before = this.#rows.get(actor.tokenHash) ?? 0;
    const rows = read === 'whole' ? Number.POSITIVE_INFINITY : before + read.rows;
    this.#rows.set(actor.tokenHash, rows);
    if (before > UNLOGGED_ROWS || rows <= UNLOGGED_ROWS) return;
    const recorded = this.#record(actor, hour, rows).catch((error: unknown) => {
      // Lets the next call try again.
      if (this.#hour === hour) this.#rows.delete(actor.tokenHash);
      throw error;
    });
    this.#runInBackground(recorded, 'reading of a list not recorded', { userId: actor.id });
  }

  /** Runs in the background of a read, so it opens its own transaction. */
  async #record(actor: Actor, hour: string, rows: number): Promise<void> {
    const session = createHash('sha256')
      .update(`${this.#call} ${actor.tokenHash}`)
      .digest('hex')
      .slice(0, 16);
    const id = `${hour}Z-${session}`;
    await transact(this.#write, async (tx) => {
      await advisoryLock(tx, `list ${id}`);
      const known = await tx
        .selectFrom('history')
        .select('id')
        .where('entity', '=', 'list')
        .where('entity_id', '=', id)
        .executeTakeFirst();
      if (known !== undefined) return;
      const after = { call: this.#call, rows: Number.isFinite(rows) ? `more than ${UNLOGGED_ROWS}` : 'all' };
      // Recorded even if the session has ended since: the rows have been read.
      const { id: userId, name } = actor;
      await recordChange(tx, { id: userId, name }, { action: 'create', entity: 'list', entityId: id, after });
    });
  }
}
