import { AppError } from '../../errors.ts';
import { getNetworks } from '../../http/client-networks.ts';

const WINDOW_MS = 10 * 60_000;
/** Wrong codes of one client in this time: many more than one mistypes. */
const MAX_WRONG_CODES = 60;

/**
 * Limits how many wrong codes a client can try. A code has at least 80 random bits and can't be guessed: the limit keeps somebody who tries
 * from using up the server. Counts in the memory of this process, so that a wrong code costs no write.
 */
export class WrongCodes {
  readonly #counts = new Map<string, number>();
  #windowEndsAt = 0;

  /** Counts a wrong code of a client. */
  count(address: string): void {
    this.#startWindow();
    for (const { name } of getNetworks(address)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** @throws AppError too-many-attempts when the client has tried too many */
  requireFew(address: string): void {
    this.#startWindow();
    const isOver = getNetworks(address).some(
      ({ name, factor }) => (this.#counts.get(name) ?? 0) >= MAX_WRONG_CODES * factor,
    );
    if (!isOver) return;
    throw new AppError('too-many-attempts', 'Too many wrong codes. Try again later.', {
      retryAfter: Math.ceil((this.#windowEndsAt - performance.now()) / 1000),
    });
  }

  #startWindow(): void {
    const now = performance.now();
    if (now < this.#windowEndsAt) return;
    this.#counts.clear();
    this.#windowEndsAt = now + WINDOW_MS;
  }
}
