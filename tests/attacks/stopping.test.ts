import { describe, expect } from 'vitest';
import { processTargets, type Target } from '../support/processes/raw-client.ts';
import type { Server } from '../support/processes/server.ts';
import { aStudent } from '../support/records.ts';

const STOPPING = /"msg":"stopping"/;

async function stopsInGoodOrder({ server }: Target<Server>): Promise<void> {
  const code = await server.stop();
  expect(server.logs).toMatch(STOPPING);
  expect(code, server.logs.slice(-2_000)).toBe(0);
}

describe.each(processTargets())(
  'connections that are held open while the product stops, on $name',
  ({ test }) => {
    // Covers A83
    test('after half a body, half of the headers or nothing end with it, the exit code is 0, and what was acknowledged is there', async ({
      target,
      admin,
    }) => {
      const student = aStudent();
      expect((await admin.post('/api/students', student)).status).toBe(201);
      const halfOfABody = [
        'POST /api/students HTTP/1.1',
        'host: x',
        `authorization: Bearer ${admin.token}`,
        'content-type: application/json',
        'content-length: 1000',
        '',
        '{"id":',
      ].join('\r\n');
      const halfOfTheHeaders = 'POST /api/students HTTP/1.1\r\nhost: x\r\nauthor';
      const connections = [halfOfABody, halfOfTheHeaders, ''].map((bytes) => {
        const connection = target.connect();
        return { connection, sent: bytes === '' ? undefined : connection.send(bytes) };
      });
      await Promise.all(connections.map(({ sent }) => sent));
      // The server has read them by the time it has answered something that was sent later.
      await admin.get('/api/health');
      await stopsInGoodOrder(target);
      await Promise.all(connections.map(({ connection }) => connection.answers()));
      await target.server.restart();
      const back = await target.signIn(admin);
      expect((await back.get(`/api/students/${student.id}/base`)).status).toBe(200);
    });
  },
);
