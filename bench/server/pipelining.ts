/** How a connection that pipelines 1,800 requests, to each route without sign-in, delays other users. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Pipeline,
  peakMemory,
  publicCalls,
  requestText,
  resetPeakMemory,
} from '../../tests/support/processes/pipelined.ts';
import { Server } from '../../tests/support/processes/server.ts';

const CALLS = 1_800;
/** Milliseconds between two health checks. */
const EACH = 5;
const MOST = { silenceMs: 250, mib: 50 };

/** Sends health checks until `done`; returns the longest time between two replies in milliseconds. */
async function longestSilence(server: Server, done: Promise<void>): Promise<number> {
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  let longest = 0;
  let last = performance.now();
  while (!isDone) {
    const answer = await fetch(`${server.url}/api/health`);
    await answer.arrayBuffer();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    await sleep(EACH);
  }
  return longest;
}

async function measure(server: Server, request: string) {
  const flood = await Pipeline.open(server);
  await (await fetch(`${server.url}/api/health`)).arrayBuffer();
  await resetPeakMemory(server.pid);
  const before = (await peakMemory(server.pid)) ?? Number.NaN;
  const begin = performance.now();
  const answered = flood.send(request.repeat(CALLS)).then(() => flood.answered(CALLS));
  const silence = await longestSilence(server, answered);
  const took = performance.now() - begin;
  const risen = ((await peakMemory(server.pid)) ?? Number.NaN) - before;
  flood.close();
  return { silence, risen, took, answers: flood.answers };
}

const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  for (const call of await publicCalls(server.url)) {
    const warm = await Pipeline.open(server);
    await warm.send(requestText(call).repeat(20));
    await warm.answered(20);
    warm.close();
    const { silence, risen, took, answers } = await measure(server, requestText(call));
    const isKept = silence <= MOST.silenceMs && risen <= MOST.mib;
    console.log(
      `${call.method} ${call.path}: ${answers} answers in ${(took / 1_000).toFixed(1)} s; longest silence of health ${silence.toFixed(0)} ms, memory +${risen.toFixed(0)} MiB (${isKept ? 'ok' : 'OVER'} ${MOST.silenceMs} ms, ${MOST.mib} MiB)`,
    );
  }
} finally {
  await server.dispose();
}
