import { setImmediate } from 'node:timers/promises';

/**
 * Hands out turns of the event loop: one caller at once, those who come meanwhile in a later turn each. A call that arrives
 * meanwhile, such as a read, waits for one of them instead of for all.
 */
export class Turns {
  #next: Promise<void> = Promise.resolve();

  take(): Promise<void> {
    const turn = this.#next;
    this.#next = turn.then(() => setImmediate());
    return turn;
  }
}
