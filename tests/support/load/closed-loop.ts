import autocannon from 'autocannon';

export interface Timing {
  /** Milliseconds of each request. */
  times: number[];
  /** Requests per second of all users together. */
  rate: number;
}

export const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;

/**
 * Runs users who each send the next request as soon as they have the reply, cycling through the paths.
 *
 * @param origin of the server
 */
export async function timeCalls(
  origin: string,
  paths: readonly string[],
  { users, seconds, token }: { users: number; seconds: number; token?: string | undefined },
): Promise<Timing> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const times: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const requests = paths.map((path) => ({ path, headers }));
    const run = autocannon(
      { url: origin, requests, connections: users, duration: seconds, timeout: 60 },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    run.on('response', (_client, _status, _bytes, time) => times.push(time));
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${origin}${paths[0]} refused ${result.non2xx + result.errors} calls`);
  return { times, rate: times.length / result.duration };
}
