import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import { waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';

const IN_PROGRESS = 50;
const MAX_STOP_MS = 10_000;

export const stopped: Scenario = {
  name: 'stopped',
  fault: `SIGTERM with ${IN_PROGRESS} requests in progress; with requests that never finish; a second SIGTERM`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      const requests = await Promise.all(
        Array.from({ length: IN_PROGRESS }, () => PartialRequest.begin(server.url, token)),
      );
      await sleep(300);

      const startedAt = performance.now();
      const exit = server.stop();
      const closed = await waitFor(async () => !(await acceptsConnections(server.url)), 5_000);
      findings.must(closed !== undefined, 'the server accepts no new connections');
      await sleep(1_000);
      const statuses = await Promise.all(requests.map((request) => request.finish()));
      const code = await exit;
      const stopMs = performance.now() - startedAt;
      const finished = statuses.filter((status) => status === 201).length;
      findings.must(finished === IN_PROGRESS, `all ${IN_PROGRESS} requests finish: ${statuses.join()}`);
      findings.must(
        code === 0 && stopMs <= MAX_STOP_MS,
        `exit 0 within ${MAX_STOP_MS} ms, not ${code} after ${stopMs.toFixed(0)}`,
      );
      await server.restart();
      const answer = await fetch(`${server.url}/api/students?limit=500`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { students } = (await answer.json()) as { students: unknown[] };
      findings.must(
        students.length === IN_PROGRESS,
        `all ${IN_PROGRESS} students are stored, not ${students.length}`,
      );
      findings.report(
        `listener closed after ${closed?.toFixed(0)} ms, ${finished} of ${IN_PROGRESS} finished and stored, exit ${code} after ${stopMs.toFixed(0)} ms`,
      );

      await Promise.all(Array.from({ length: 3 }, () => PartialRequest.begin(server.url, token)));
      await sleep(300);
      const secondStart = performance.now();
      const secondCode = await server.stop();
      const secondStopMs = performance.now() - secondStart;
      findings.must(
        secondCode === 0 && secondStopMs <= MAX_STOP_MS,
        `with requests that never finish: exit 0 within ${MAX_STOP_MS} ms, not ${secondCode} after ${secondStopMs.toFixed(0)}`,
      );
      findings.report(`3 requests that never finish: exit ${secondCode} after ${secondStopMs.toFixed(0)} ms`);
      await server.restart();

      await Promise.all(Array.from({ length: 3 }, () => PartialRequest.begin(server.url, token)));
      await sleep(300);
      server.signal('SIGTERM');
      await sleep(300);
      const forcedStart = performance.now();
      const forcedCode = await server.stop();
      const forcedStopMs = performance.now() - forcedStart;
      findings.must(
        forcedCode === 1 && forcedStopMs < 2_000,
        `a second signal exits immediately with 1, not ${forcedCode} after ${forcedStopMs.toFixed(0)} ms`,
      );
      findings.report(`second SIGTERM: exit ${forcedCode} after ${forcedStopMs.toFixed(0)} ms`);
    } finally {
      await server.dispose();
    }
  },
};

async function acceptsConnections(url: string): Promise<boolean> {
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

/** A create request of which only a part of the body has been sent. */
class PartialRequest {
  readonly #socket: Socket;
  readonly #rest: string;

  private constructor(socket: Socket, rest: string) {
    this.#socket = socket;
    this.#rest = rest;
    socket.on('error', () => {});
  }

  static async begin(url: string, token: string): Promise<PartialRequest> {
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
    return new PartialRequest(socket, body.slice(20));
  }

  /** Sends the rest. Returns the status of the response; 0 if the connection ends without one. */
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
