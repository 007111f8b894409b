import type { App } from '../app-types.ts';
import { AppError } from '../errors.ts';
import { HEALTH } from '../health.ts';

/** Milliseconds between two looks at the event loop. */
const LOOK = 250;
/** Milliseconds by which a look may be late. */
const TOO_LATE = 1000;

/** Watches the event loop of this process. What it answers tells whether work is piling up in front of it. */
export function watchEventLoop(): () => boolean {
  let due = performance.now() + LOOK;
  let lateness = 0;
  setInterval(() => {
    const now = performance.now();
    lateness = now - due;
    due = now + LOOK;
  }, LOOK).unref();
  // The next look itself may be overdue when the first of those who waited is asked for.
  return () => Math.max(lateness, performance.now() - due) > TOO_LATE;
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
