import { createHash } from 'node:crypto';
import type { Actor } from '../accounts/actor.ts';
import { holdKey } from '../db/dialect.ts';
import type { Db } from '../db/schema.ts';
import { transact } from '../db/transact.ts';
import type { Beside } from '../http/beside-answers.ts';
import { recordChange } from './record-change.ts';

/** Rows that a person may read in an hour without an entry. */
const UNTOLD_ROWS = 1_000;

/**
 * Tells the history who has read out a list of students: once a session and hour of the clock, whatever number of calls
 * it takes, and without any of them waiting for it.
 *
 * Rows are counted here, by each process for itself, so that reading costs no writing: one who reads from several processes
 * in turn may come that many times as far unnoticed. That there is but one entry is decided in the database.
 */
export class Disclosures {
  readonly #write: Db;
  readonly #beside: Beside;
  readonly #call: string;
  /** The hour that is being counted, as the history writes moments. */
  #hour = '';
  readonly #rows = new Map<string, number>();

  /** @param call as it is told, such as `GET /api/students` */
  constructor(write: Db, beside: Beside, call: string) {
    this.#write = write;
    this.#beside = beside;
    this.#call = call;
  }

  /** A list, or a part of one, has been given to a person. A whole list is told of however short it is. */
  note(actor: Actor, read: { rows: number } | 'whole'): void {
    const hour = new Date().toISOString().slice(0, 13);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#rows.clear();
    }
    const before = this.#rows.get(actor.tokenHash) ?? 0;
    const rows = read === 'whole' ? Number.POSITIVE_INFINITY : before + read.rows;
    this.#rows.set(actor.tokenHash, rows);
    if (before > UNTOLD_ROWS || rows <= UNTOLD_ROWS) return;
    const told = this.#tell(actor, hour, rows).catch((error: unknown) => {
      // The next call tries again.
      if (this.#hour === hour) this.#rows.delete(actor.tokenHash);
      throw error;
    });
    this.#beside(told, 'reading of a list not recorded', { userId: actor.id });
  }

  async #tell(actor: Actor, hour: string, rows: number): Promise<void> {
    const session = createHash('sha256')
      .update(`${this.#call} ${actor.tokenHash}`)
      .digest('hex')
      .slice(0, 16);
    const id = `${hour}Z-${session}`;
    await transact(this.#write, async (tx) => {
      await holdKey(tx, `list ${id}`);
      const known = await tx
        .selectFrom('history')
        .select('id')
        .where('entity', '=', 'list')
        .where('entity_id', '=', id)
        .executeTakeFirst();
      if (known !== undefined) return;
      const after = { call: this.#call, rows: Number.isFinite(rows) ? `more than ${UNTOLD_ROWS}` : 'all' };
      await recordChange(tx, actor, { action: 'create', entity: 'list', entityId: id, after });
    });
  }
}
