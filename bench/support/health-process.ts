/** Asks for health at a fixed rate in a process of its own, which doesn't wait for what its parent does. */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** Between two calls, whether or not the one before has been answered. */
const EACH_MS = 50;

/** Since the parent's last message. */
export interface HealthReport {
  /** Longest time without an answer 200, in milliseconds. */
  silenceMs: number;
  /** Answers other than 200, and calls without an answer. */
  refusals: number;
}

const [, , url = ''] = process.argv;
const agent = new http.Agent({ keepAlive: true });
let last = performance.now();
let [silenceMs, refusals] = [0, 0];

function noteAnswer(isHealthy: boolean): void {
  if (!isHealthy) {
    refusals += 1;
    return;
  }
  const now = performance.now();
  silenceMs = Math.max(silenceMs, now - last);
  last = now;
}

setInterval(() => {
  http
    .get(url, { agent }, (response) =>
      response.resume().once('end', () => noteAnswer(response.statusCode === 200)),
    )
    .once('error', () => noteAnswer(false));
}, EACH_MS);

process.on('message', () => {
  const report: HealthReport = { silenceMs: Math.max(silenceMs, performance.now() - last), refusals };
  process.send?.(report);
  [silenceMs, refusals] = [0, 0];
});
process.once('disconnect', () => process.exit());
