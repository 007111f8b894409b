import type { App } from '../../app-types.ts';
import { AppError } from '../../errors.ts';
import { getNetworks } from '../client-networks.ts';
import { HEALTH_PATH } from '../health.ts';

const WINDOW_MS = 10_000;

/**
 * Limits the requests of one caller. Counts in the memory of this process and clears it for each window, so it costs no
 * query and little memory.
 */
export class RequestLimit {
  readonly #max: number;
  readonly #counts = new Map<string, number>();
  #windowEndsAt = 0;

  /** @param max requests in ten seconds; 0: unlimited */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a request of a session. @throws AppError too-many-attempts, with the seconds until the window ends */
  countSession(tokenHash: string): void {
    this.#count(tokenHash, this.#max);
  }

  /** Counts a request without a session, in each network of its address. @throws AppError too-many-attempts */
  countAddress(address: string): void {
    for (const { name, factor } of getNetworks(address)) this.#count(name, this.#max * factor);
  }

  #count(caller: string, max: number): void {
    if (max === 0) return;
    const now = performance.now();
    if (now >= this.#windowEndsAt) {
      this.#counts.clear();
      this.#windowEndsAt = now + WINDOW_MS;
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    if (count <= max) return;
    throw new AppError('too-many-attempts', 'Too many requests. Try again in a moment.', {
      retryAfter: Math.ceil((this.#windowEndsAt - now) / 1000),
    });
  }
}

/**
 * Counts calls that need no sign-in by client address. All others are counted when their session is known: an invalid token
 * must not get a count of its own.
 */
export function limitRequests(app: App, limit: RequestLimit): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const isCounted = (request.actor ?? null) !== null;
    if (!isCounted && request.url.startsWith('/api') && request.routeOptions.url !== HEALTH_PATH) {
      limit.countAddress(request.ip);
    }
    done();
  });
}

/** Between two checks of the event loop. */
const CHECK_INTERVAL_MS = 250;
/** A check that is later than this counts as late. */
const MAX_DELAY_MS = 1000;
/**
 * This many late checks in a row, about five seconds, mean that requests pile up. Fewer may come from a busy machine or from
 * loading a module.
 */
const LATE_CHECKS = 4;

/** Watches the event loop of this process. @returns whether the process is overloaded */
export function monitorEventLoop(): () => boolean {
  let due = performance.now() + CHECK_INTERVAL_MS;
  let lateChecks = 0;
  setInterval(() => {
    const now = performance.now();
    lateChecks = now - due > MAX_DELAY_MS ? lateChecks + 1 : 0;
    due = now + CHECK_INTERVAL_MS;
  }, CHECK_INTERVAL_MS).unref();
  // The next check may itself be overdue.
  return () => lateChecks + (performance.now() - due > MAX_DELAY_MS ? 1 : 0) >= LATE_CHECKS;
}

/**
 * Answers API calls 503 while the process is overloaded, before any work is done for them: a retry is served sooner than
 * a growing queue. Health checks, pages and files cost little and are still served.
 */
export function shedLoad(app: App, isOverloaded: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isOverloaded() && request.url.startsWith('/api') && request.routeOptions.url !== HEALTH_PATH) {
      throw new AppError('unavailable', 'The service is very busy. Try again in a moment.', {
        retryAfter: 1,
      });
    }
    done();
  });
}

/**
 * Time in which a client has to read some of the response. Node.js waits as long again if the send queue has changed since its
 * last check.
 */
const STALL_TIMEOUT_MS = 60_000;

/**
 * Ends the connections of clients that don't read their response: each keeps a socket open and buffers in memory. A connection
 * whose response is not ready yet is kept.
 */
export function dropStalledClients(app: App): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.setTimeout(STALL_TIMEOUT_MS, () => {
      if ((raw.socket?.writableLength ?? 0) > 0) raw.destroy();
    });
    done();
  });
}
