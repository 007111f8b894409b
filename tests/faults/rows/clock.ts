import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Api, registerUser } from '../../support/api.ts';
import { aStudent } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import type { Row } from '../support/row.ts';
import { faketime } from '../support/tools.ts';

export const clockJumps: Row = {
  name: 'clock',
  fault: 'The clock jumps an hour and ten years, there and back',
  run: async (see) => {
    if (faketime === undefined) return see.skip('libfaketime is missing and can not be installed here.');
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-clock-'));
    const clock = path.join(scratch, 'clock');
    const jump = async (by: string) => {
      await writeFile(clock, by);
    };
    await jump('+0');
    const server = await Server.start({
      LOG_LEVEL: 'silent',
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // Timers go by what no clock on the wall changes.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    try {
      const account = await registerUser(server.url);
      const statusOf = async (token: string) => {
        const answer = await new Api(server.url, token).send('GET', '/api/students?limit=5');
        await answer.arrayBuffer();
        return answer.status;
      };
      const signIn = async () => {
        const { email } = account.user;
        const { token } = await new Api(server.url).post<{ token: string }>('/api/login', {
          email,
          password: account.password,
        });
        return token;
      };
      const works = async (when: string, token: string) => {
        const api = new Api(server.url, token);
        const { id } = await api.createStudent(aStudent());
        await api.send('DELETE', `/api/students/${id}`);
        const health = await api.send('GET', '/api/health');
        see.must(
          (await statusOf(token)) === 200 && health.ok,
          `${when}: signed in, writing and reading go on`,
        );
      };
      const holds = async (when: string, token: string, expected: number) => {
        const status = await statusOf(token);
        see.must(status === expected, `${when}: ${expected}, not ${status}`);
        return status;
      };

      const lines: string[] = [];
      await works('now', account.token);
      await jump('-1h');
      lines.push(
        `an hour back ${await holds('an hour back, a session of now', account.token, 401).catch(() => '?')}`,
      );
      const earlier = await signIn();
      await works('an hour back', earlier);
      await jump('+0');
      lines.push(`and again now ${await holds('now, a session unused for an hour', earlier, 401)}`);

      const present = await signIn();
      await jump('+1h');
      lines.push(`an hour on ${await holds('an hour on, a session unused for an hour', present, 401)}`);
      await jump('+0');
      lines.push(`back ${await holds('back, a session that was over does not revive', present, 401)}`);

      const last = await signIn();
      await jump('+10y');
      lines.push(`ten years on ${await holds('ten years on, a session of now', last, 401)}`);
      const future = await signIn();
      await works('ten years on', future);
      await jump('+0');
      lines.push(`back ${await holds('back, the session of now does not revive', last, 401)}`);
      lines.push(
        `back, of the future ${await holds('back, a session of the future does not last ten years', future, 401)}`,
      );
      await works('now again', await signIn());
      await server.kill();
      await server.restart();
      await works('after a restart', await signIn());
      see.tell(`sessions: ${lines.join(', ')}; signing in, writing, reading and health 200 at each`);
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};
