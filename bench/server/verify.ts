/** `sims verify` of a whole faculty: duration, CPU time and memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { computedMs, residentMib } from '../../tests/support/load/resident.ts';
import { openFaculty, short } from '../support/faculty.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS ?? 100_000);
const LIMITS = { seconds: 60, mib: 400 };

const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;

const { dataDir } = await openFaculty(STUDENTS);
const start = performance.now();
const verify = spawn(process.execPath, ['dist/server/cli/sims.js', 'verify'], {
  env: { ...process.env, SIMS_DATA_DIR: dataDir },
  stdio: ['ignore', 'inherit', 'ignore'],
});
let highest = 0;
let computed = 0;
const watch = setInterval(() => {
  highest = Math.max(highest, residentMib(verify.pid, 'VmHWM') ?? 0);
  computed = Math.max(computed, computedMs(verify.pid) || 0);
}, 100);
const [code] = await once(verify, 'exit');
clearInterval(watch);
if (code !== 0) throw new Error(`sims verify ended with ${code}.`);
const seconds = (performance.now() - start) / 1_000;
console.log(
  `${short(STUDENTS)} students verified in ${seconds.toFixed(1)} s (${verdict(seconds, LIMITS.seconds)}), ${(computed / 1_000).toFixed(1)} s of computing, ${highest.toFixed(0)} MiB (${verdict(highest, LIMITS.mib)})`,
);
