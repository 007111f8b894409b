import path from 'node:path';
import { loadSqliteEngine } from '../../../../src/server/db/sqlite/engine.ts';
import { registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent, unique } from '../../../support/records.ts';
import { waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';
import { isHealthy } from '../../support/stored.ts';

const REPETITIONS = 15;
const CONCURRENT = 50;

const post = async (url: string, token: string, body: object, key?: string) => {
  const answer = await fetch(`${url}/api/students`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    replayed: answer.headers.get('idempotency-replayed'),
    text: await answer.text(),
  };
};

export const retried: Scenario = {
  name: 'retried',
  fault: `A create is repeated with its idempotency key after a kill, ${REPETITIONS} times; ${CONCURRENT} concurrent creates use one ID`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      let [replayed, created] = [0, 0];
      for (let i = 0; i < REPETITIONS; i += 1) {
        const [student, key] = [aStudent(), unique()];
        const first = post(server.url, token, student, key).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        await server.kill();
        const firstAnswer = await first;
        await server.restart();
        const repeated = await post(server.url, token, student, key);
        findings.must(
          repeated.status === 201,
          `the repeated create answers 201, not ${repeated.status} ${repeated.text}`,
        );
        findings.must(
          firstAnswer === undefined || firstAnswer.text === repeated.text,
          'the repeated create answers as the first one did',
        );
        if (repeated.replayed === 'true') replayed += 1;
        else created += 1;
      }
      findings.report(
        `${REPETITIONS} repeated: ${replayed} were stored before the kill and replayed, ${created} were not and were created`,
      );

      const student = aStudent();
      const answers = await Promise.all(
        Array.from({ length: CONCURRENT }, () => post(server.url, token, student)),
      );
      const counts = [201, 422].map((status) => answers.filter((one) => one.status === status).length);
      findings.must(
        counts.join() === `1,${CONCURRENT - 1}`,
        `one 201 and ${CONCURRENT - 1} × 422, not ${answers.map((one) => one.status).join()}`,
      );
      findings.report(`${CONCURRENT} concurrent: ${counts[0]} × 201, ${counts[1]} × 422`);
    } finally {
      await server.dispose();
    }
  },
};

export const handlerFails: Scenario = {
  name: 'handler-fails',
  fault: 'A handler fails unexpectedly (a table is missing)',
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const otherConnection = (await loadSqliteEngine()).open(path.join(server.dataDir, 'sims.db'));
    try {
      const { token } = await registerUser(server.url);
      const { pid } = server;
      otherConnection.exec('alter table courses rename to elsewhere');
      const headers = { authorization: `Bearer ${token}` };
      const failed = await fetch(`${server.url}/api/courses`, { headers });
      const body = await failed.text();
      findings.must(
        failed.status === 500 && !/courses|sql|stack|\//i.test(body),
        `500 without internal details, not ${failed.status} ${body}`,
      );
      otherConnection.exec('alter table elsewhere rename to courses');
      const next = await fetch(`${server.url}/api/courses`, { headers });
      findings.must(
        next.status === 200 && server.pid === pid,
        `the next call answers 200, not ${next.status}`,
      );
      findings.must((await waitFor(() => isHealthy(server), 1_000)) !== undefined, 'health answers 200');
      findings.report(`${failed.status} ${body.slice(0, 60)}…, then ${next.status} of the same process`);
    } finally {
      otherConnection.close();
      await server.dispose();
    }
  },
};
