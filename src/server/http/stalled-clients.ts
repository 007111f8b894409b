import type { App } from '../app-types.ts';

/**
 * Milliseconds in which some of an answer has to be taken. Node.js waits as long once more when it saw the queue of what is to be sent
 * change since the last time it looked.
 */
const STALLED = 60_000;

/**
 * Ends the connections of clients that ask and then do not read the answer: each would hold a file and what waits to be sent
 * for as long as it likes. One whose answer is still being worked out is left alone.
 */
export function dropStalledClients(app: App): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.setTimeout(STALLED, () => {
      if ((raw.socket?.writableLength ?? 0) > 0) raw.destroy();
    });
    done();
  });
}
