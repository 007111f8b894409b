import type { FastifyBaseLogger } from 'fastify';

/** What runs may take this long to finish after the first signal. */
const GRACE = 10_000;

/**
 * Ends the process in good order on SIGTERM or SIGINT: health says so, no new work is taken, what runs is finished,
 * the database is closed, exit 0. A second signal, or 10 seconds, ends it at once.
 */
export function stopOnSignal(logger: Pick<FastifyBaseLogger, 'info' | 'error'>) {
  let stopping = false;
  let close: () => Promise<void> = async () => {};
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('work was still running after the time to finish it');
      process.exit(1);
    }, GRACE).unref();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'stopping failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return {
    isStopping: () => stopping,
    closeWith: (closer: () => Promise<void>) => {
      close = closer;
    },
  };
}
