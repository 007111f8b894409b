import type { App } from '../app-types.ts';

/** Runs work that no answer waits for. A failure is logged with the message `failure` and the fields of `about`. */
export type RunInBackground = (work: Promise<unknown>, failure: string, about?: object) => void;

/** Closing the application waits for all such work, since it may use the database. */
export function backgroundTasks(app: App): RunInBackground {
  const running = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    while (running.size > 0) await Promise.all(running);
  });
  return (work, failure, about) => {
    const done = work
      .then(
        () => {},
        (err: unknown) => app.log.error({ err, ...about }, failure),
      )
      .finally(() => running.delete(done));
    running.add(done);
  };
}
