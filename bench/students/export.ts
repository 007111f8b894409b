/** Export of the whole list as CSV and as a workbook: duration, memory, and delay of other requests. */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { EXPORT_FORMATS } from '../../src/contract/students/export.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { residentMib } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { openFaculty, short } from '../support/faculty.ts';
import { timeWhile } from '../support/time-while.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS ?? 200_000);
/** `growth`: maximum additional memory in MiB. `delay`: maximum factor by which other requests may slow down. */
const LIMITS = { growth: 120, delay: 5 };
const IDLE_MS = 3_000;

const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;

const faculty = await openFaculty(STUDENTS);
const server = await Server.start({ LOG_LEVEL: 'warn', SIMS_DATA_DIR: faculty.dataDir });
try {
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);

  /** Downloads a file at full speed and discards it. */
  const fetchFile = async (format: string) => {
    const before = performance.now();
    const response = await api.send('GET', `/api/exports/students.${format}`);
    if (response.status !== 200 || response.body === null) throw new Error(`Answered ${response.status}.`);
    let bytes = 0;
    let highest = 0;
    for await (const piece of response.body) {
      bytes += piece.length;
      highest = Math.max(highest, residentMib(server.pid) ?? 0);
    }
    return { seconds: (performance.now() - before) / 1_000, mib: bytes / 2 ** 20, highest };
  };

  // Fills the page cache of SQLite first, so that it does not count as growth.
  await fetchFile('csv');
  const reading = { api, path: '/api/students', users: 1 };
  const idle = quantile((await timeWhile(reading, setTimeout(IDLE_MS))).times, 0.99);
  for (const format of EXPORT_FORMATS) {
    const before = residentMib(server.pid) ?? 0;
    const alone = await fetchFile(format);
    const growth = alone.highest - before;
    console.log(
      `${short(STUDENTS)} students as ${format}: ${alone.seconds.toFixed(1)} s, ${(STUDENTS / alone.seconds).toFixed(0)} rows/s, ${alone.mib.toFixed(1)} MiB; memory ${before.toFixed(0)} MiB before, ${growth.toFixed(0)} more at most (${verdict(growth, LIMITS.growth)})`,
    );
    const { times: busy } = await timeWhile(reading, fetchFile(format));
    const busyP99 = quantile(busy, 0.99);
    const delay = busyP99 / idle;
    console.log(
      `  first pages of the list meanwhile, p99: idle ${idle.toFixed(1)} ms, during it ${busyP99.toFixed(1)} ms of ${busy.length}, longest ${Math.max(...busy).toFixed(0)} ms, ratio ${delay.toFixed(2)} (${verdict(delay, LIMITS.delay)})`,
    );
  }
} finally {
  await server.dispose();
}
