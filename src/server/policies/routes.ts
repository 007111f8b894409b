import {
  batchListReply,
  policyCreatedReply,
  policyInput,
  policyListReply,
  policyPreview,
  policyPreviewInput,
  policyStaleReply,
} from '../../contract/grading/policies.ts';
import type { App, Deps } from '../app-types.ts';
import { isUnavailable } from '../db/dialect/errors.ts';
import { requireAdmin } from '../http/actor.ts';
import { backgroundTasks } from '../http/background-tasks.ts';
import { answerRepeated, createIdempotently } from '../http/idempotency.ts';
import { refusals } from '../http/refusals.ts';
import { applyPendingPolicies, hasPendingPolicy } from './apply.ts';
import { AT_ONCE, createPolicy, listPolicies } from './create.ts';
import { countBatches, previewPolicy } from './preview.ts';

const tags = ['Policies'];

/** Milliseconds between two looks for a policy that was left half applied. */
const CHECK_INTERVAL_MS = 30_000;

const { compare: compareBatches } = new Intl.Collator('en', { numeric: true });

/** Grading policies: numbered sets of rules for batches, which are never edited or deleted. */
export function policyRoutes(app: App, { db }: Deps): void {
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

  app.get(
    '/api/policies',
    {
      schema: {
        tags,
        summary: 'Grading policies, the highest number first',
        response: { 200: policyListReply, ...refusals() },
      },
    },
    () => listPolicies(db.read),
  );

  app.get(
    '/api/policies/batches',
    {
      schema: {
        tags,
        summary: 'Batches that have students, the latest first',
        response: { 200: batchListReply, ...refusals(403) },
      },
    },
    async (request) => {
      requireAdmin(request);
      const batches = [...(await countBatches(db.read))].filter(([, students]) => students > 0);
      return batches
        .map(([degree, students]) => ({ degree, students }))
        .sort((a, b) => compareBatches(b.degree, a.degree));
    },
  );

  app.post(
    '/api/policies/preview',
    {
      config: { heavy: 'preview' },
      schema: {
        tags,
        summary:
          'Whose CGPA and standing a policy would change, and how many drafts of mark sheets follow it',
        description: 'Changes nothing. Rules that are left out are those of policy 1.',
        body: policyPreviewInput,
        response: { 200: policyPreview, ...refusals(403, 422) },
      },
    },
    async (request) => {
      requireAdmin(request);
      return (await previewPolicy(db.read, request.body)).preview;
    },
  );

  app.post(
    '/api/policies',
    {
      schema: {
        tags,
        summary: 'Make a grading policy for batches and compute the figures of their students by it',
        description:
          'With the `fingerprint` of the preview; 412 with a new preview when records have changed since. With more than 2,000 students the figures follow after the reply; `progress` of the list of policies says how far they are.',
        body: policyInput,
        response: { 201: policyCreatedReply, ...refusals(403, 422), 412: policyStaleReply },
      },
    },
    async (request, reply) => {
      requireAdmin(request);
      if (await answerRepeated(db.write, request, reply)) return reply;
      const found = await previewPolicy(db.write, request.body);
      await createIdempotently(db.write, request, reply, (tx, author) =>
        createPolicy(tx, author, request.body, found),
      );
      if (found.students > AT_ONCE) apply();
      return reply;
    },
  );
}
