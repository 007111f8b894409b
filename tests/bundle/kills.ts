import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Api } from '../support/api.ts';
import { aCourse } from '../support/records.ts';

export const WRITERS = 8;
/** How long people save before each kill, at least and at most. */
const SAVING_MS = [200, 1_000] as const;

/**
 * Lets people add courses while the server is killed again and again, and then looks for each course of which the server said
 * that it is stored.
 *
 * @param killAndStart ends the server in the middle of what it does, and starts it again
 * @returns how many were acknowledged
 */
export async function killWhileSaving(
  api: Api,
  kills: number,
  killAndStart: () => Promise<void>,
): Promise<number> {
  const acknowledged: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const restarted = new AbortController();
    const isRestarted = once(restarted.signal, 'abort').then(() => undefined);
    const save = async () => {
      while (!restarted.signal.aborted) {
        const course = aCourse();
        const answer = await Promise.race([
          api.send('POST', '/api/courses', course).catch(() => undefined),
          // A killed server may leave a connection open that nobody reads.
          isRestarted,
        ]);
        if (answer === undefined) return;
        assert.equal(answer.status, 201);
        acknowledged.push(course.course_id);
      }
    };
    const writers = Array.from({ length: WRITERS }, save);
    const [shortest, longest] = SAVING_MS;
    await setTimeout(shortest + ((longest - shortest) * kill) / kills);
    await killAndStart();
    restarted.abort();
    await Promise.all(writers);
  }
  const stored = z.array(z.looseObject({ course_id: z.int() })).parse(await api.get('/api/courses'));
  const ids = new Set(stored.map(({ course_id }) => course_id));
  assert.deepEqual(
    acknowledged.filter((id) => !ids.has(id)),
    [],
    'acknowledged and lost',
  );
  return acknowledged.length;
}
