import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Api, registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';
import { faketime } from '../../support/tools.ts';

export const clockJumps: Scenario = {
  name: 'clock',
  fault: 'The clock jumps by an hour and by ten years, and back',
  run: async (findings) => {
    if (faketime === undefined) return findings.skip('libfaketime is missing and cannot be installed here.');
    const folder = await mkdtemp(path.join(tmpdir(), 'sims-clock-'));
    const clockFile = path.join(folder, 'clock');
    const setClock = async (offset: string) => {
      await writeFile(clockFile, offset);
    };
    await setClock('+0');
    const server = await Server.start({
      LOG_LEVEL: 'silent',
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      // Timers use the monotonic clock, which stays real.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    try {
      const account = await registerUser(server.url);
      const readStatus = async (token: string) => {
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
      const checkAccess = async (when: string, token: string) => {
        const api = new Api(server.url, token);
        const { id } = await api.createStudent(aStudent());
        await api.send('DELETE', `/api/students/${id}`);
        const health = await api.send('GET', '/api/health');
        findings.must(
          (await readStatus(token)) === 200 && health.ok,
          `${when}: the session is valid, reads and writes work`,
        );
      };
      const checkStatus = async (when: string, token: string, expected: number) => {
        const status = await readStatus(token);
        findings.must(status === expected, `${when}: answers ${expected}, not ${status}`);
        return status;
      };

      const results: string[] = [];
      await checkAccess('at the present', account.token);
      await setClock('-1h');
      results.push(
        `an hour back ${await checkStatus('an hour back, a session from now', account.token, 401).catch(() => '?')}`,
      );
      const earlier = await signIn();
      await checkAccess('an hour back', earlier);
      await setClock('+0');
      results.push(
        `at the present again ${await checkStatus('at the present again, a session unused for an hour', earlier, 401)}`,
      );

      const present = await signIn();
      await setClock('+1h');
      results.push(
        `an hour on ${await checkStatus('an hour on, a session unused for an hour', present, 401)}`,
      );
      await setClock('+0');
      results.push(`back ${await checkStatus('back, an expired session stays expired', present, 401)}`);

      const last = await signIn();
      await setClock('+10y');
      results.push(`ten years on ${await checkStatus('ten years on, a session from now', last, 401)}`);
      const future = await signIn();
      await checkAccess('ten years on', future);
      await setClock('+0');
      results.push(`back ${await checkStatus('back, the session from now stays expired', last, 401)}`);
      results.push(
        `back, from the future ${await checkStatus('back, a session from the future is not valid for ten years', future, 401)}`,
      );
      await checkAccess('at the present again', await signIn());
      await server.kill();
      await server.restart();
      await checkAccess('after a restart', await signIn());
      findings.report(
        `sessions: ${results.join(', ')}; login, writes, reads and health answered 200 at each time`,
      );
    } finally {
      await server.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
