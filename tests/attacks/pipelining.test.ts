import { afterAll, describe, expect } from 'vitest';
import {
  Pipeline,
  peakMemory,
  publicCalls,
  requestText,
  resetPeakMemory,
} from '../support/processes/pipelined.ts';
import { processTargets, type Target } from '../support/processes/raw-client.ts';
import type { Server } from '../support/processes/server.ts';
import { OpenIdProvider } from '../support/services/openid-provider.ts';

/** Fewer than a read can bring, to save time; bench/server/pipelining.ts sends as many. */
const CALLS = 600;
const HEALTH_CALLS = 100;
const FLOOD_FROM = '127.0.0.8';
const HEALTH_FROM = '127.0.0.9';
/** Answers that the flooding connection may get between two answers to another connection. */
const MOST_IN_A_ROW = 20;
const MOST_MIB = 50;

const PUBLIC_URL = new URL('http://127.0.0.1:3999');
const openId = await OpenIdProvider.start(PUBLIC_URL);
const { issuer, clientId, clientSecret, name } = openId.settings;
afterAll(() => openId.stop());

/** The client addresses in the order of their answers. */
function clientsAnswered(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
    .map((line) => (JSON.parse(line) as { ip: string }).ip)
    .filter((ip) => ip === FLOOD_FROM || ip === HEALTH_FROM);
}

/** The most answers to others in a row before the last one to `client`. */
function mostInARow(answered: readonly string[], client: string): number {
  let most = 0;
  let inARow = 0;
  for (const ip of answered.slice(0, answered.lastIndexOf(client) + 1)) {
    inARow = ip === client ? 0 : inARow + 1;
    most = Math.max(most, inARow);
  }
  return most;
}

/** Stops the server while data is sent, so that all of it has arrived before the server decides what to serve first. */
async function withStoppedServer({ server }: Target<Server>, send: () => Promise<void>): Promise<void> {
  const { pid = 0 } = server;
  process.kill(pid, 'SIGSTOP');
  try {
    await send();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

describe.each(processTargets().slice(0, 1))('calls behind others on one connection', ({ test }) => {
  // Covers A82
  test('an invalid request is refused after the calls before it are answered', async ({ target }) => {
    const connection = target.connect();
    const login = requestText({ method: 'POST', path: '/api/login', body: {} });
    await connection.send(
      `${login}${login}${requestText({ method: 'GET', path: '/api/health' })}no HTTP\r\n\r\n`,
    );
    const statuses = [...(await connection.answers()).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(
      ([, status]) => status,
    );
    expect(statuses).toEqual(['422', '422', '200', '405']);
  });

  test('a body sent in parts is read after the calls before it', async ({ target, admin: _ }) => {
    const connection = target.connect();
    const health = requestText({ method: 'GET', path: '/api/health' });
    const login = requestText({ method: 'POST', path: '/api/login', body: { email: 'a@x.example' } });
    await connection.send(health.repeat(20) + login.slice(0, -10));
    await expect.poll(() => connection.received.match(/200 OK/g)?.length).toBe(20);
    await connection.send(login.slice(-10) + health.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    expect(await connection.answers()).toMatch(/HTTP\/1\.1 422 [\s\S]+HTTP\/1\.1 200 OK/);
  });
});

// No database has a part in the order of answers, so one is enough.
describe.each(
  processTargets({
    SIMS_PUBLIC_URL: PUBLIC_URL.href,
    SIMS_REGISTRATION: 'open',
    SIMS_OIDC_ISSUER: issuer.href,
    SIMS_OIDC_CLIENT_ID: clientId,
    SIMS_OIDC_CLIENT_SECRET: clientSecret,
    SIMS_OIDC_NAME: name,
  }).slice(0, 1),
)('hundreds of calls on one connection that waits for no answer', ({ test }) => {
  // Covers A81
  test('to any public route take turns with other connections and need little memory', {
    timeout: 300_000,
  }, async ({ target, admin: _ }) => {
    const { server } = target;
    const calls = await publicCalls(server.url);
    // Warms up the routes: loading and compiling must not be measured.
    for (const call of calls) {
      const warm = await Pipeline.open(server);
      await warm.send(requestText(call).repeat(20));
      await warm.answered(20);
      warm.close();
    }
    for (const call of calls) {
      const flood = await Pipeline.open(server, FLOOD_FROM);
      const health = await Pipeline.open(server, HEALTH_FROM);
      const logged = server.logs.length;
      await resetPeakMemory(server.pid);
      const before = (await peakMemory(server.pid)) ?? 0;
      await withStoppedServer(target, async () => {
        await flood.send(requestText(call).repeat(CALLS));
        await health.send(requestText({ method: 'GET', path: '/api/health' }).repeat(HEALTH_CALLS));
      });
      await Promise.all([flood.answered(CALLS), health.answered(HEALTH_CALLS)]);
      const risen = ((await peakMemory(server.pid)) ?? 0) - before;
      expect.soft(health.answers, call.path).toBe(HEALTH_CALLS);
      // On a machine that is very busy the last part may be given up as one that has not come in time.
      if (!flood.isClosed) expect.soft(flood.answers, call.path).toBe(CALLS);
      const answered = () => clientsAnswered(server.logs.slice(logged));
      await expect
        .poll(() => answered().length >= flood.answers + health.answers - 1, { timeout: 30_000 })
        .toBe(true);
      const inARow = mostInARow(answered(), HEALTH_FROM);
      expect.soft(inARow, `answers in a row for ${call.path}`).toBeLessThanOrEqual(MOST_IN_A_ROW);
      expect.soft(risen, `MiB for ${call.path}`).toBeLessThanOrEqual(MOST_MIB);
      flood.close();
      health.close();
    }
  });
});
