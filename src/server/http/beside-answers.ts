import type { App } from '../app-types.ts';

/** Takes work that no answer waits for. What it fails with is logged with `failure` and what it was `about`. */
export type Beside = (work: Promise<unknown>, failure: string, about?: object) => void;

/** The application is closed only when all such work is done, so that the database can be closed after it. */
export function besideAnswers(app: App): Beside {
  const underWay = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  });
  return (work, failure, about) => {
    const done = work
      .then(
        () => {},
        (err: unknown) => app.log.error({ err, ...about }, failure),
      )
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };
}
