/** How long a server takes to become ready on an existing database, and its resident memory then. */
import { performance } from 'node:perf_hooks';
import { Api, registerUser } from '../../tests/support/api.ts';
import { residentMib } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aStudent } from '../../tests/support/records.ts';

const STARTS = 7;
const READY_LIMIT_MS = 1_000;
const RSS_LIMIT_MIB = 120;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const line = (title: string, value: number, unit: string, limit: number) =>
  console.log(
    `${title}: ${value.toFixed(0)} ${unit}, limit ${limit}, ratio ${(value / limit).toFixed(2)} (${value <= limit ? 'ok' : 'OVER'})`,
  );

const server = await Server.start();
try {
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);
  for (let i = 0; i < 400; i += 1) await api.post('/api/students', aStudent());

  const times: number[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    await server.stop();
    const before = performance.now();
    await server.restart();
    times.push(performance.now() - before);
    const size = residentMib(server.pid);
    if (size !== undefined) sizes.push(size);
  }
  line(`Start to ready, 400 students, median of ${STARTS}`, median(times), 'ms', READY_LIMIT_MS);
  if (sizes.length > 0) line('Resident memory after start, median', median(sizes), 'MiB', RSS_LIMIT_MIB);
} finally {
  await server.dispose();
}
