import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { processTargets } from '../support/processes/raw-client.ts';
import { unique } from '../support/records.ts';

describe.each(processTargets({ SIMS_LOGIN_LIMIT: '1', SIMS_METRICS_TOKEN: 'a-token-of-a-collector' }))(
  'the log, on $name',
  ({ test }) => {
    // Covers A87, A90
    test('records who signed in or was refused, when and from where, one line each, without secrets', async ({
      target,
      admin,
      staff,
      viewer,
    }) => {
      const forged = '{"level":30,"msg":"signed in","userId":1}';
      const password = `no secret ${unique()}`;
      const eve = await target.register({ name: `Eve \u2028${forged}\u2028`, password });
      const login = (email: string, typed: string, from: string) =>
        target.call('POST', '/api/login', {
          body: { email, password: typed },
          headers: { 'user-agent': `curl ${forged}`, referer: forged },
          from,
        });
      const wrong = await login(staff.user.email, `wrong ${password}`, '127.0.0.2');
      const refused = await login(staff.user.email, password, '127.0.0.2');
      const unknown = await login('nobody@faculty.example', password, '127.0.0.3');
      const right = await login(eve.user.email, password, '127.0.0.4');
      const forbidden = await viewer.post('/api/courses', { course_name: forged });
      await target.call('GET', `/api/nope%0d%0a${encodeURIComponent(forged)}?token=${eve.token}`);
      // As whoever scans a document, types its code, or has an old one, in every spelling that leads there.
      const code = `MQox${unique()}`;
      for (const path of [
        '/api/verify/',
        '/verify/',
        '/api/%76erify/',
        '//verify/',
        '/api/verify/x/',
        '/verify/a.',
      ]) {
        await target.call('GET', `${path}${code}`);
      }
      // As whoever mistypes the address of a document or of a link.
      const signed = randomBytes(250).toString('base64url');
      const typed = '2026-000001.7K3M-9QXD-42TB-A0ZN';
      const mistyped = ['/verfiy/', '/api/documents/', '/api/v%65rify-document/', '/invitation/', '/'];
      for (const path of mistyped) {
        for (const secret of [signed, typed, eve.token]) await target.call('GET', `${path}${secret}`);
      }
      await target.call('POST', '/api/verify', { body: { code } });
      await target.call('GET', '/metrics', { token: 'a-token-of-a-collector' });
      expect([wrong, refused, unknown, right, forbidden].map(({ status }) => status)).toEqual([
        401, 429, 401, 200, 403,
      ]);
      // A line of its own is written when the answer has gone out.
      await expect.poll(() => target.server.logs).toContain('"path":"/metrics"');

      const written = target.server.logs.trimEnd().split('\n');
      const isGreeting = (line: string) => line.startsWith('SIMS listening on ');
      const lines = written
        .filter((line) => !isGreeting(line))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      // The first one says where the data is, without who signs in there.
      expect(lines[0]).toMatchObject({
        msg: 'starting',
        database: expect.stringMatching(/^(sqlite:\/|postgres:\/\/[\w%.-]+:)[^@]+$/),
      });
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const line = (fields: object) =>
        expect.objectContaining({ time, reqId: expect.any(String), ...fields });
      expect(lines).toContainEqual(line({ msg: 'sign-in failed', userId: staff.user.id, ip: '127.0.0.2' }));
      expect(lines).toContainEqual(line({ msg: 'sign-in failed', ip: '127.0.0.3' }));
      expect(lines).toContainEqual(line({ msg: 'signed in', userId: eve.user.id, ip: '127.0.0.4' }));
      const call = { msg: 'request', method: 'POST' };
      expect(lines).toContainEqual(line({ ...call, path: '/api/login', status: 429, ip: '127.0.0.2' }));
      expect(lines).toContainEqual(
        line({ ...call, path: '/api/courses', status: 403, userId: viewer.user.id }),
      );
      expect(lines).toContainEqual(line({ msg: 'request', path: '/api/verify/:code', status: 404 }));
      // Nothing that was sent made a line, or the beginning of one.
      expect(lines.filter(({ msg, userId }) => msg === 'signed in' && userId === 1)).toEqual([]);
      for (const secret of [
        password,
        eve.token,
        admin.token,
        admin.password,
        'a-token-of-a-collector',
        'argon2id',
        code,
        signed,
        typed,
      ]) {
        expect(target.server.logs).not.toContain(secret);
      }
    });
  },
);
