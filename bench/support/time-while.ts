import { performance } from 'node:perf_hooks';
import type { Api } from '../../tests/support/api.ts';

/**
 * Runs users who each send a request as soon as they have the reply to the one before, until a promise settles.
 *
 * @returns its result, and milliseconds of each request
 */
export async function timeWhile<Result>(
  { api, path, users }: { api: Api; path: string; users: number },
  until: Promise<Result>,
): Promise<{ result: Result; times: number[] }> {
  const times: number[] = [];
  let isOver = false;
  const end = until.finally(() => {
    isOver = true;
  });
  const user = async () => {
    while (!isOver) {
      const before = performance.now();
      await (await api.send('GET', path)).arrayBuffer();
      times.push(performance.now() - before);
    }
  };
  const [result] = await Promise.all([end, ...Array.from({ length: users }, user)]);
  return { result, times };
}
