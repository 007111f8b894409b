import { describe, expect } from 'vitest';
import { type Answer, sharedApps, type TestApp } from '../../../tests/support/app/test-app.ts';
import { aStudent, unique } from '../../../tests/support/records.ts';

const TOKEN = 'a-token-of.collectors~1234';

const collect = (app: TestApp) => app.call('GET', '/metrics', { token: TOKEN });

/** Parses the samples of a reply, by name and labels. */
function parseSamples({ status, text }: Answer): Map<string, number> {
  expect(status).toBe(200);
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.trimEnd().split('\n');
  const samples = new Map<string, number>();
  const described: string[] = [];
  for (const line of lines) {
    if (line.startsWith('# TYPE ')) described.push(line.split(' ')[2] ?? '');
    if (line === '' || line.startsWith('# ')) continue;
    const [, name = '', value] = /^([a-z_0-9]+(?:\{(?:[a-z]+="[^"\\]*",?)+\})?) (\S+)$/.exec(line) ?? [];
    expect(Number.isFinite(Number(value)), line).toBe(true);
    // The samples of a metric follow its TYPE line without interruption.
    expect(name.startsWith(described.at(-1) ?? '?'), line).toBe(true);
    expect(samples.has(name), line).toBe(false);
    samples.set(name, Number(value));
  }
  expect(new Set(described).size).toBe(described.length);
  return samples;
}

describe.each(sharedApps({ metricsToken: TOKEN }))('the metrics, on $name', ({ test, name: engine }) => {
  test.for([undefined, '', 'a-token-of.collectors~123', `${TOKEN}5`, TOKEN.toUpperCase()])(
    'require their token and refuse %j',
    async (token, { app }) => {
      const answer = await app.call('GET', '/metrics', token === undefined ? {} : { token });
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(answer.text).not.toContain('process_');
    },
  );

  test('refuse sessions, and their token gives no access to the API', async ({ app, admin }) => {
    expect((await admin.get('/metrics')).status).toBe(401);
    expect((await app.call('GET', '/api/users', { token: TOKEN })).status).toBe(401);
  });

  test('describe the program, its process and its database', async ({ app }) => {
    const answer = await collect(app);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
    const samples = parseSamples(answer);
    const build = [...samples.keys()].find((name) => name.startsWith('sims_build_info'));
    expect(build).toMatch(/version="\d+\.\d+\.\d+",node="v\d+/);
    expect(build).toContain(`engine="${engine}"`);
    const startedAt = samples.get('process_start_time_seconds') ?? 0;
    expect(startedAt * 1000).toBeLessThan(Date.now());
    expect(startedAt).toBeGreaterThan(1_600_000_000);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    for (const figure of ['p50', 'p99', 'max']) {
      expect(samples.get(`nodejs_eventloop_lag_${figure}_seconds`)).toBeGreaterThanOrEqual(0);
    }
    const ofDatabase = [...samples.keys()].filter((name) => name.startsWith('sims_database_'));
    expect(ofDatabase).toEqual(
      engine === 'sqlite'
        ? ['sims_database_file_bytes', 'sims_database_wal_bytes', 'sims_database_free_bytes']
        : [
            'sims_database_connections{state="in_use"}',
            'sims_database_connections{state="idle"}',
            'sims_database_connections_max',
            'sims_database_waiting',
          ],
    );
    expect(Math.max(...ofDatabase.map((name) => samples.get(name) ?? 0))).toBeGreaterThan(0);
  });

  test('count replies by route pattern, without personal data', async ({ app, staff }) => {
    const student = aStudent();
    await staff.post('/api/students', student);
    const labels = 'method="GET",route="/api/students/:id"';
    const total = (status: number) => `sims_http_requests_total{${labels},status="${status}"}`;
    const count = `sims_http_request_duration_seconds_count{${labels}}`;
    const before = parseSamples(await collect(app));
    for (let i = 0; i < 3; i += 1) await staff.get(`/api/students/${student.id}`);
    await staff.get(`/api/students/${unique()}`);
    const answer = await collect(app);
    const after = parseSamples(answer);
    const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect([more(total(200)), more(total(404)), more(count)]).toEqual([3, 1, 4]);
    const bucket = /^sims_http_request_duration_seconds_bucket\{le="[^"]+",(.*)\}$/;
    const buckets = [...after]
      .filter(([name]) => bucket.exec(name)?.[1] === labels)
      .map(([, value]) => value);
    expect(buckets).toHaveLength(14);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(after.get(count));
    for (const personal of [student.id, student.first_name, staff.user.email, staff.token, TOKEN]) {
      expect(answer.text).not.toContain(personal);
    }
  });

  test('add no time series for invented URLs', async ({ app, staff }) => {
    const visit = async () => {
      const made = unique();
      await app.call('GET', `/${made}`);
      await app.call('GET', `/${made}.php?${made}=1`);
      await app.call('GET', `/api/${made}/${made}`);
      await app.call('PROPFIND', `/api/${made}`);
      await app.call('DELETE', '/metrics');
      await staff.get(`/api/students/${made}`);
    };
    await visit();
    await collect(app);
    const before = [...parseSamples(await collect(app)).keys()];
    for (let i = 0; i < 5; i += 1) await visit();
    expect([...parseSamples(await collect(app)).keys()]).toEqual(before);
  });

  test('count refused sign-ins by reason', async ({ app }) => {
    const { user } = await app.register();
    const failures = (samples: Map<string, number>) =>
      ['wrong_password', 'too_many_attempts'].map((reason) =>
        samples.get(`sims_sign_in_failures_total{reason="${reason}"}`),
      );
    expect(failures(parseSamples(await collect(app)))).toEqual([0, 0]);
    for (let i = 0; i < 12; i += 1) {
      await app.call('POST', '/api/login', { body: { email: user.email, password: 'something else' } });
    }
    expect(failures(parseSamples(await collect(app)))).toEqual([10, 2]);
  });

  test('are not part of the API description', async ({ app }) => {
    expect((await app.call('GET', '/api/openapi.json')).text).not.toContain('/metrics');
  });
});

describe.each(sharedApps())('the metrics without a configured token, on $name', ({ test }) => {
  test('are not available', async ({ app }) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      expect((await app.call(method, '/metrics', { token: TOKEN })).status).toBe(404);
    }
  });
});
