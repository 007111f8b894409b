import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const SECONDS = 5;
const CONNECTIONS = 10;
/** Requests per second of the product relative to the bare server. */
const LEAST_RATIO = 0.5;

/**
 * Starts the bare server on a database file and the record of one student.
 *
 * @param statements a JSON file of statements that it runs
 */
export async function startBare(
  file: string,
  id: string,
  statements?: string,
): Promise<{ url: string; process: ChildProcess }> {
  const script = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, file, id, ...(statements === undefined ? [] : [statements])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(line).trim().split(' ').at(-1)}`, process: child };
}

export async function rate(url: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url} refused ${result.non2xx + result.errors} calls`);
  return result.requests.average;
}

/** A call of the product beside its bare limit. */
export function rateText(own: number, limit: number): string {
  const ratio = own / limit;
  return `${own.toFixed(0)}/s, bare ${limit.toFixed(0)}/s, ratio ${ratio.toFixed(2)} (${ratio >= LEAST_RATIO ? 'ok' : 'UNDER'} ${LEAST_RATIO})`;
}
