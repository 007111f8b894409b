import { setImmediate } from 'node:timers/promises';

/**
 * Grants callers one at a time, one per turn of the event loop, so a read waits for one of them, not for all.
 */
export class Turns {
  #next: Promise<void> = Promise.resolve();

  take(): Promise<void> {
    const turn = this.#next;
    this.#next = turn.then(() => setImmediate());
    return turn;
  }
}
