/** The duration of refusals that could reveal something to an attacker or keep the server busy. */
import { performance } from 'node:perf_hooks';
import { Api, registerUser } from '../../tests/support/api.ts';
import { Server } from '../../tests/support/processes/server.ts';

const ROUNDS = 31;
/** Minimum ratio, in either direction, between the medians of a wrong password for a known and an unknown email. */
const LEAST_RATIO = 0.6;
const NESTED_LIMIT_MS = 2_000;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await act();
  return performance.now() - before;
}

const server = await Server.start({ SIMS_LOGIN_LIMIT: '1000' });
try {
  const { user, token } = await registerUser(server.url);
  const api = new Api(server.url, token);
  const signIn = (email: string) => api.send('POST', '/api/login', { email, password: 'not the password' });
  const known: number[] = [];
  const unknown: number[] = [];
  // Alternating, so that other load on the machine slows both.
  for (let i = 0; i < ROUNDS; i += 1) {
    known.push(await timed(() => signIn(user.email)));
    unknown.push(await timed(() => signIn(`nobody${i}@faculty.example`)));
  }
  const [one, other] = [median(known), median(unknown)];
  const ratio = Math.min(one, other) / Math.max(one, other);
  console.log(
    `Wrong password: ${one.toFixed(1)} ms, unknown address: ${other.toFixed(1)} ms, ratio ${ratio.toFixed(2)}, at least ${LEAST_RATIO} (${ratio >= LEAST_RATIO ? 'ok' : 'UNDER'})`,
  );

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = '['.repeat(100_000);
  const took = await timed(() =>
    fetch(new URL('/api/students', server.url), { method: 'POST', headers, body }),
  );
  console.log(
    `A hundred thousand nested lists: ${took.toFixed(0)} ms, limit ${NESTED_LIMIT_MS} (${took <= NESTED_LIMIT_MS ? 'ok' : 'OVER'})`,
  );
} finally {
  await server.dispose();
}
