/**
 * Half an hour (SIMS_SOAK_MINUTES) of mixed reads and writes at 200 requests a second: memory, open files and the
 * write-ahead log must not grow. The first tenth of the time is not counted.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, registerUser } from '../support/api.ts';
import { quantile } from '../support/load/closed-loop.ts';
import { residentMib } from '../support/load/resident.ts';
import { startWithFaculty } from '../support/processes/sample-faculty.ts';
import { unique } from '../support/records.ts';
import { Faculty } from './support/busy-faculty.ts';

const MINUTES = Number(process.env.SIMS_SOAK_MINUTES ?? 30);
const REQUESTS_A_SECOND = 200;
const TURN_MS = 50;
/** With more requests in progress the server is overloaded; further ones are counted as unsent. */
const MOST_UNDER_WAY = 100;
const SAMPLE_MS = 5_000;
const LIMITS = { mibIn10Minutes: 1, logMib: 64, openFiles: 5 };

const minute = 60_000;
const token = `soak-${unique()}-${unique()}`;

const server = await startWithFaculty(2_000, { LOG_LEVEL: 'error', SIMS_METRICS_TOKEN: token });
const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length;
const logMib = () => statSync(path.join(server.dataDir, 'sims.db-wal')).size / 2 ** 20;

/** The 99th percentile of the event loop lag since the last call, in seconds. */
async function lateness(): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await answer.text())?.[1]);
}

interface Sample {
  minutes: number;
  rss: number;
  files: number;
  log: number;
}

try {
  const account = await registerUser(server.url);
  const faculty = new Faculty(new Api(server.url, account.token));
  const samples: Sample[] = [];
  const late: number[] = [];
  const begin = performance.now();
  const end = begin + MINUTES * minute;
  let nextSample = begin + SAMPLE_MS;
  let nextLine = begin + minute;
  let turns = 0;
  let unsent = 0;

  for (;;) {
    const now = performance.now();
    if (now >= end) break;
    // Sends what is due by now, without a large burst after a pause of the machine.
    const due = Math.min(10, Math.floor((now - begin) / TURN_MS) - turns);
    turns = Math.floor((now - begin) / TURN_MS);
    for (let i = 0; i < due * ((REQUESTS_A_SECOND * TURN_MS) / 1_000); i += 1) {
      if (faculty.underWay >= MOST_UNDER_WAY) unsent += 1;
      else faculty.ask();
    }
    if (now >= nextSample) {
      nextSample += SAMPLE_MS;
      const rss = residentMib(server.pid) ?? Number.NaN;
      samples.push({ minutes: (now - begin) / minute, rss, files: openFiles(), log: logMib() });
    }
    if (now >= nextLine) {
      nextLine += minute;
      const last = samples.at(-1);
      late.push(await lateness());
      console.log(
        `${last?.minutes.toFixed(0).padStart(3)} min  RSS ${last?.rss.toFixed(1)} MiB  open files ${last?.files}  log ${last?.log.toFixed(1)} MiB  ` +
          `loop p99 ${((late.at(-1) ?? 0) * 1e3).toFixed(1)} ms  answered ${faculty.answered}  refused ${faculty.refused}  not sent ${unsent}`,
      );
    }
    await sleep(TURN_MS / 2);
  }
  await faculty.settled();

  const warm = samples.filter(({ minutes }) => minutes >= MINUTES / 10);
  const slope = 10 * computeSlope(warm.map(({ minutes, rss }) => [minutes, rss]));
  const log = Math.max(...warm.map((sample) => sample.log));
  // Medians of the first and last fifth, because the number of open connections fluctuates.
  const fifth = Math.ceil(warm.length / 5);
  const usual = (part: readonly Sample[]) =>
    quantile(
      part.map(({ files }) => files),
      0.5,
    );
  const [filesBefore, filesAfter] = [usual(warm.slice(0, fifth)), usual(warm.slice(-fifth))];
  const rows = [
    ['RSS, MiB in 10 minutes', slope.toFixed(2), `< ${LIMITS.mibIn10Minutes}`, slope < LIMITS.mibIn10Minutes],
    ['write-ahead log at most, MiB', log.toFixed(1), `≤ ${LIMITS.logMib}`, log <= LIMITS.logMib],
    [
      'open files, first and last fifth',
      `${filesBefore}, ${filesAfter}`,
      `+ ${LIMITS.openFiles}`,
      filesAfter - filesBefore <= LIMITS.openFiles,
    ],
    ['calls refused or failed', `${faculty.refused} of ${faculty.answered}`, '0', faculty.refused === 0],
    ['event loop late, worst minute’s p99, ms', (Math.max(...late) * 1e3).toFixed(1), '', true],
    ['not sent or turned away, server behind', `${unsent}, ${faculty.turnedAway}`, '', true],
  ] as const;
  console.log();
  for (const [title, seen, limit, isKept] of rows) {
    console.log(`${isKept ? 'ok    ' : 'OVER  '} ${title.padEnd(42)} ${seen.padStart(16)}  ${limit}`);
    if (!isKept) process.exitCode = 1;
  }
} finally {
  await server.dispose();
}

/** Slope of the least-squares line through the points. */
function computeSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}
