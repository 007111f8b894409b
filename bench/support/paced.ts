import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/**
 * Runs users who each send a fixed number of requests per second, one at a time, cycling through the paths.
 *
 * @param origin of the server
 * @returns milliseconds of each request, including reading the body
 */
export async function timePaced(
  origin: string,
  paths: readonly string[],
  {
    users,
    seconds,
    aSecond,
    token,
  }: { users: number; seconds: number; aSecond: number; token?: string | undefined },
): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: users });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const times: number[] = [];
  const pause = 1_000 / aSecond;
  const end = performance.now() + seconds * 1_000;
  const user = async (number: number) => {
    // The users start at different times.
    let due = performance.now() + (number * pause) / users;
    for (let turn = number; due < end; turn += 1) {
      await setTimeout(Math.max(0, due - performance.now()));
      const before = performance.now();
      await answer(`${origin}${paths[turn % paths.length]}`, agent, headers);
      times.push(performance.now() - before);
      due = Math.max(due + pause, performance.now());
    }
  };
  await Promise.all(Array.from({ length: users }, (_, number) => user(number)));
  agent.destroy();
  return times;
}

const answer = (url: string, agent: http.Agent, headers: http.OutgoingHttpHeaders) =>
  new Promise<void>((resolve, reject) => {
    http
      .get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
        response.resume().on('end', resolve);
      })
      .on('error', reject);
  });
