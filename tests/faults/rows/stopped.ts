import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { registerUser } from '../../support/api.ts';
import { aStudent } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import { waitFor } from '../support/ledger.ts';
import type { Row } from '../support/row.ts';

const IN_FLIGHT = 50;
const GRACE = 10_000;

export const stopped: Row = {
  name: 'stopped',
  fault: `SIGTERM with ${IN_FLIGHT} calls under way; a second SIGTERM`,
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      const calls = await Promise.all(
        Array.from({ length: IN_FLIGHT }, () => HalfSent.begin(server.url, token)),
      );
      await sleep(300);

      const begin = performance.now();
      const exit = server.stop();
      const closed = await waitFor(async () => !(await takesConnections(server.url)), 5_000);
      see.must(closed !== undefined, 'no new connections are taken');
      await sleep(1_000);
      const statuses = await Promise.all(calls.map((call) => call.finish()));
      const code = await exit;
      const took = performance.now() - begin;
      const finished = statuses.filter((status) => status === 201).length;
      see.must(finished === IN_FLIGHT, `all ${IN_FLIGHT} calls finish: ${statuses.join()}`);
      see.must(
        code === 0 && took <= GRACE,
        `exit 0 within ${GRACE} ms, not ${code} after ${took.toFixed(0)}`,
      );
      await server.restart();
      const answer = await fetch(`${server.url}/api/students?limit=500`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { students } = (await answer.json()) as { students: unknown[] };
      see.must(students.length === IN_FLIGHT, `all ${IN_FLIGHT} are stored, not ${students.length}`);
      see.tell(
        `listener closed after ${closed?.toFixed(0)} ms, ${finished} of ${IN_FLIGHT} finished and stored, exit ${code} after ${took.toFixed(0)} ms`,
      );

      await Promise.all(Array.from({ length: 3 }, () => HalfSent.begin(server.url, token)));
      await sleep(300);
      server.signal('SIGTERM');
      await sleep(300);
      const again = performance.now();
      const forced = await server.stop();
      const ms = performance.now() - again;
      see.must(
        forced === 1 && ms < 2_000,
        `a second signal ends it at once with 1, not ${forced} after ${ms.toFixed(0)} ms`,
      );
      see.tell(`second SIGTERM: exit ${forced} after ${ms.toFixed(0)} ms`);
    } finally {
      await server.dispose();
    }
  },
};

async function takesConnections(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A create whose body has been sent to its half. */
class HalfSent {
  readonly #socket: Socket;
  readonly #rest: string;

  private constructor(socket: Socket, rest: string) {
    this.#socket = socket;
    this.#rest = rest;
    socket.on('error', () => {});
  }

  static async begin(url: string, token: string): Promise<HalfSent> {
    const { port, hostname, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const body = JSON.stringify(aStudent());
    const head = [
      'POST /api/students HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 20)}`);
    return new HalfSent(socket, body.slice(20));
  }

  /** Sends the rest, and answers the status; 0 when the connection ends without one. */
  finish(): Promise<number> {
    return new Promise((resolve) => {
      let answer = '';
      this.#socket.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
      });
      this.#socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
      this.#socket.write(this.#rest);
    });
  }
}
