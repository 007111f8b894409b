import { policyCalls } from '../../contract/grading/policies.ts';
import type { App, Deps } from '../app-types.ts';
import { isUnavailable } from '../db/dialect/errors.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { bindCalls } from '../http/handle.ts';
import { answerRepeated } from '../http/idempotency.ts';
import { applyPendingPolicies, hasPendingPolicy } from './apply.ts';
import { AT_ONCE, createPolicy, listPolicies } from './create.ts';
import { countBatches, previewPolicy } from './preview.ts';

/** Milliseconds between two looks for a policy that was left half applied. */
const CHECK_INTERVAL_MS = 30_000;

const { compare: compareBatches } = new Intl.Collator('en', { numeric: true });

/** Grading policies: numbered sets of rules for batches, which are never edited or deleted. */
export function policyRoutes(app: App, { db }: Deps): void {
  const handle = bindCalls(app, policyCalls);
  const runInBackground = backgroundTasks(app);
  let isStopping = false;
  let running = 0;
  const apply = () => {
    running += 1;
    const applied = applyPendingPolicies(db.write, () => isStopping).finally(() => {
      running -= 1;
    });
    runInBackground(applied, 'a policy was not applied to all students');
  };
  /** A piece may have failed, or the process that was at it may have ended. */
  const resume = () => {
    const found = hasPendingPolicy(db.write).then(
      (isPending) => {
        if (isPending && !isStopping && running === 0) apply();
      },
      (err: unknown) => {
        // The next look tells. Health and every call say that the database is away.
        if (!isUnavailable(err)) throw err;
      },
    );
    runInBackground(found, 'policies that are to be applied were not looked for');
  };
  const timer = setInterval(() => {
    if (running === 0) resume();
  }, CHECK_INTERVAL_MS).unref();
  app.addHook('preClose', (done) => {
    isStopping = true;
    clearInterval(timer);
    done();
  });
  app.addHook('onReady', (done) => {
    resume();
    done();
  });

  handle('GET /api/policies', () => listPolicies(db.read));

  handle('GET /api/policies/batches', async () => {
    const batches = [...(await countBatches(db.read))].filter(([, students]) => students > 0);
    return batches
      .map(([degree, students]) => ({ degree, students }))
      .sort((a, b) => compareBatches(b.degree, a.degree));
  });

  handle(
    'POST /api/policies/preview',
    { config: { heavy: 'preview' } },
    async ({ body }) => (await previewPolicy(db.read, body)).preview,
  );

  handle('POST /api/policies', async ({ body, request, reply, create }) => {
    if (await answerRepeated(db.write, request, reply)) return reply;
    const found = await previewPolicy(db.write, body);
    await create(db.write, (tx, author) => createPolicy(tx, author, body, found));
    if (found.students > AT_ONCE) apply();
    return reply;
  });
}
