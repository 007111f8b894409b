import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** The content of a key; null if nothing is stored. */
export type Content = Readonly<Record<string, unknown>> | null;

interface Entry {
  /** The last acknowledged content. */
  stored: Content;
  /** The content if the write without a reply was executed. */
  attempted?: Content;
}

export interface Comparison {
  found: number;
  /** Acknowledged, but missing or different. */
  lost: string[];
  /** Partly written. */
  half: string[];
  /** Writes without a reply that were executed, and those that were not (`absent`). */
  cameThrough: number;
  absent: number;
}

/** What the server has acknowledged: a write counts once its 2xx has been received in full. */
export class Ledger {
  acknowledged = 0;
  unanswered = 0;
  /** Refused by an overloaded server. */
  turnedAway = 0;
  /** Number of replies other than 2xx, by status. */
  readonly refused = new Map<number, number>();
  /** Milliseconds of the slowest reply other than 2xx. */
  slowestRefusal = 0;
  readonly #entries = new Map<string, Entry>();
  #touched = new Set<string>();

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Sends a write that sets the content of a key.
   *
   * @returns whether it was acknowledged
   */
  async write(key: string, content: Content, send: () => Promise<Response>): Promise<boolean> {
    const entry: Entry = this.#entries.get(key) ?? { stored: null };
    this.#entries.set(key, entry);
    this.#touched.add(key);
    entry.attempted = content;
    const before = performance.now();
    try {
      const answer = await send();
      const text = await answer.text();
      if (answer.ok) {
        entry.stored = content;
        delete entry.attempted;
        this.acknowledged += 1;
        return true;
      }
      if (answer.status < 500) throw new TypeError(`${key} was refused with ${answer.status}: ${text}`);
      if (text.includes('very busy')) {
        // Refused before anything was written.
        this.turnedAway += 1;
        delete entry.attempted;
        return false;
      }
      this.refused.set(answer.status, (this.refused.get(answer.status) ?? 0) + 1);
      this.slowestRefusal = Math.max(this.slowestRefusal, performance.now() - before);
      // With a full disk nothing was written; after a lost database connection the write may have been executed.
      if (answer.status === 507) delete entry.attempted;
    } catch (error) {
      if (error instanceof TypeError && error.message.includes('was refused')) throw error;
      this.unanswered += 1;
    }
    return false;
  }

  /**
   * Compares the ledger with the stored content, for all keys or those written since the last comparison. Afterwards the
   * stored content is the expected one.
   */
  async compare(readContent: (key: string) => Promise<Content>, { all = false } = {}): Promise<Comparison> {
    const result: Comparison = { found: 0, lost: [], half: [], cameThrough: 0, absent: 0 };
    const keys = all ? [...this.#entries.keys()] : [...this.#touched];
    this.#touched = new Set();
    const next = keys.values();
    const compareSome = async () => {
      for (const key of next) {
        const entry = this.#entries.get(key);
        if (entry === undefined) continue;
        const there = await readContent(key);
        const isStored = isDeepStrictEqual(there, entry.stored);
        if (entry.attempted === undefined) {
          if (isStored) result.found += 1;
          else result.lost.push(`${key}: acknowledged ${show(entry.stored)}, found ${show(there)}`);
          continue;
        }
        if (isStored) result.absent += 1;
        else if (isDeepStrictEqual(there, entry.attempted)) result.cameThrough += 1;
        else
          result.half.push(`${key}: ${show(entry.stored)} or ${show(entry.attempted)}, found ${show(there)}`);
        entry.stored = there;
        delete entry.attempted;
      }
    };
    await Promise.all(Array.from({ length: 8 }, compareSome));
    return result;
  }
}

const show = (content: Content) => JSON.stringify(content)?.slice(0, 400);

/** Waits for a condition; returns the milliseconds it took, or undefined after the time limit. */
export async function waitFor(
  holds: () => Promise<boolean>,
  within: number,
  step = 20,
): Promise<number | undefined> {
  const begin = performance.now();
  while (performance.now() - begin < within) {
    if (await holds().catch(() => false)) return performance.now() - begin;
    await sleep(step);
  }
  return undefined;
}
