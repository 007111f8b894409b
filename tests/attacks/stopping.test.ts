import { describe, expect } from 'vitest';
import { type Target, targets } from '../support/processes/raw-client.ts';
import { aStudent } from '../support/records.ts';

const STOPPING = /"msg":"stopping"/;

async function stopsInGoodOrder({ server }: Target): Promise<void> {
  const code = await server.stop();
  expect(server.logs).toMatch(STOPPING);
  expect(code, server.logs.slice(-2_000)).toBe(0);
}

describe.each(targets())('a connection that is held open while the product stops, on $name', ({ test }) => {
  // Covers A83
  test.for<[string, (token: string, host: string) => string]>([
    [
      'half a body',
      (token, host) =>
        [
          'POST /api/students HTTP/1.1',
          `host: ${host}`,
          `authorization: Bearer ${token}`,
          'content-type: application/json',
          'content-length: 1000',
          '',
          '{"id":',
        ].join('\r\n'),
    ],
    ['half of the headers', (_, host) => `POST /api/students HTTP/1.1\r\nhost: ${host}\r\nauthor`],
    ['nothing', () => ''],
  ])(
    'after %s ends with it, the exit code is 0, and what was acknowledged is there',
    {
      timeout: 60_000,
    },
    async ([, bytes], { target, admin }) => {
      const student = aStudent();
      expect((await admin.post('/api/students', student)).status).toBe(201);
      const connection = target.connect();
      if (bytes('', '') !== '') await connection.send(bytes(admin.token, 'x'));
      // The server has read it by the time it has answered something that was sent later.
      await admin.get('/api/health');
      await stopsInGoodOrder(target);
      await connection.answers();
      await target.server.restart();
      const back = await target.signIn(admin);
      expect((await back.get(`/api/students/${student.id}/base`)).status).toBe(200);
    },
  );
});
