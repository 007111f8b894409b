import type { App } from '../app-types.ts';
import { AppError } from '../errors.ts';
import { HEALTH } from '../health.ts';

/** Milliseconds between two looks at the event loop. */
const LOOK = 250;
/** Milliseconds by which a look may be late. */
const TOO_LATE = 1000;
/**
 * So many late looks in a row, five seconds of them, are work that piles up. Fewer are a machine that was busy with
 * something else, or a program that is being loaded: those who waited for it are not sent away as well.
 */
const IN_A_ROW = 4;

/** Watches the event loop of this process. What it answers tells whether work is piling up in front of it. */
export function watchEventLoop(): () => boolean {
  let due = performance.now() + LOOK;
  let lateLooks = 0;
  setInterval(() => {
    const now = performance.now();
    lateLooks = now - due > TOO_LATE ? lateLooks + 1 : 0;
    due = now + LOOK;
  }, LOOK).unref();
  // The next look itself may be overdue when the first of those who waited is asked for.
  return () => lateLooks + (performance.now() - due > TOO_LATE ? 1 : 0) >= IN_A_ROW;
}

/**
 * Turns calls away while the process can't keep up, before anything is done for them: a caller told to come back is
 * served sooner than one in a queue that only grows. Health still answers, and so do pages and files, which cost next
 * to nothing.
 */
export function shedLoad(app: App, isOverloaded: () => boolean): void {
  app.addHook('onRequest', async (request) => {
    if (!request.url.startsWith('/api') || request.routeOptions.url === HEALTH || !isOverloaded()) return;
    throw new AppError('unavailable', 'The service is very busy. Try again in a moment.', { retryAfter: 1 });
  });
}
