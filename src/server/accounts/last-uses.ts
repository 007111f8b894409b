import type { Db } from '../db/schema.ts';
import type { Beside } from '../http/beside-answers.ts';

/**
 * Writes down when sessions were last used, without a call waiting for it: on the embedded engine it comes after
 * whatever is being written. Until then the use is known here.
 */
export class LastUses {
  readonly #write: Db;
  readonly #beside: Beside;
  readonly #underWay = new Map<string, number>();

  constructor(write: Db, beside: Beside) {
    this.#write = write;
    this.#beside = beside;
  }

  /** A use that the database may not know of yet. */
  of(tokenHash: string): number | undefined {
    return this.#underWay.get(tokenHash);
  }

  note(tokenHash: string, usedAt: number): void {
    this.#underWay.set(tokenHash, usedAt);
    const last_used_at = new Date(usedAt).toISOString();
    const written = this.#write
      .updateTable('sessions')
      .set({ last_used_at })
      .where('token_hash', '=', tokenHash)
      // Two that are under way may arrive in either order.
      .where('last_used_at', '<', last_used_at)
      .execute()
      .finally(() => {
        if (this.#underWay.get(tokenHash) === usedAt) this.#underWay.delete(tokenHash);
      });
    this.#beside(written, 'use of a session not noted');
  }
}
