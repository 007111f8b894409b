import type { App } from '../app-types.ts';
import { AppError } from '../errors.ts';
import { HEALTH } from '../health.ts';

/** Requests are counted over this long, in milliseconds. */
const WINDOW = 10_000;

/**
 * How many requests one caller may make. Counted in this process alone, and anew in each window, so that it costs no
 * query and its memory is that of the callers of ten seconds.
 */
export class RequestLimit {
  readonly #most: number;
  readonly #made = new Map<string, number>();
  #windowEndsAt = 0;

  /** @param most requests in ten seconds; 0: any number */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws AppError too-many-attempts, with the seconds until the window ends */
  count(caller: string): void {
    if (this.#most === 0) return;
    const now = performance.now();
    if (now >= this.#windowEndsAt) {
      this.#made.clear();
      this.#windowEndsAt = now + WINDOW;
    }
    const made = (this.#made.get(caller) ?? 0) + 1;
    this.#made.set(caller, made);
    if (made <= this.#most) return;
    throw new AppError('too-many-attempts', 'Too many requests. Try again in a moment.', {
      retryAfter: Math.ceil((this.#windowEndsAt - now) / 1000),
    });
  }
}

/**
 * Counts calls that need no sign-in by the address they come from. All others are counted by `requireSignIn`, which
 * knows by then whose session it is: a token that is nobody's must not open a count of its own.
 */
export function limitRequests(app: App, limit: RequestLimit): void {
  app.addHook('preParsing', async (request) => {
    const isCounted = (request.actor ?? null) !== null;
    const { url } = request.routeOptions;
    if (!isCounted && request.url.startsWith('/api') && url !== HEALTH) limit.count(request.ip);
  });
}
