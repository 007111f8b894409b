import path from 'node:path';
import { loadSqliteEngine } from '../../../src/server/db/sqlite-engine.ts';
import { registerUser } from '../../support/api.ts';
import { aStudent, unique } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import { waitFor } from '../support/ledger.ts';
import type { Row } from '../support/row.ts';
import { isHealthy } from '../support/stored.ts';

const TRIES = 15;
const AT_ONCE = 50;

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

export const retried: Row = {
  name: 'retried',
  fault: `A create is repeated with its key after a kill, ${TRIES} times; ${AT_ONCE} creates of one id at once`,
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      let [replayed, made] = [0, 0];
      for (let i = 0; i < TRIES; i += 1) {
        const [student, key] = [aStudent(), unique()];
        const first = post(server.url, token, student, key).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        await server.kill();
        const lost = await first;
        await server.restart();
        const again = await post(server.url, token, student, key);
        see.must(again.status === 201, `the repeated create answers 201, not ${again.status} ${again.text}`);
        see.must(lost === undefined || lost.text === again.text, 'it answers what the first one did');
        if (again.replayed === 'true') replayed += 1;
        else made += 1;
      }
      see.tell(
        `${TRIES} repeated: ${replayed} had come through and were answered again, ${made} had not and were made`,
      );

      const student = aStudent();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => post(server.url, token, student)),
      );
      const counted = [201, 422].map((status) => answers.filter((one) => one.status === status).length);
      see.must(
        counted.join() === `1,${AT_ONCE - 1}`,
        `one 201 and ${AT_ONCE - 1} × 422, not ${answers.map((one) => one.status).join()}`,
      );
      see.tell(`${AT_ONCE} at once: ${counted[0]} × 201, ${counted[1]} × 422`);
    } finally {
      await server.dispose();
    }
  },
};

export const handlerFails: Row = {
  name: 'handler-fails',
  fault: 'A handler fails with what nobody foresaw (a table is gone)',
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const other = (await loadSqliteEngine()).open(path.join(server.dataDir, 'sims.db'));
    try {
      const { token } = await registerUser(server.url);
      const { pid } = server;
      other.exec('alter table courses rename to elsewhere');
      const headers = { authorization: `Bearer ${token}` };
      const failed = await fetch(`${server.url}/api/courses`, { headers });
      const body = await failed.text();
      see.must(
        failed.status === 500 && !/courses|sql|stack|\//i.test(body),
        `500 that gives nothing away, not ${failed.status} ${body}`,
      );
      other.exec('alter table elsewhere rename to courses');
      const next = await fetch(`${server.url}/api/courses`, { headers });
      see.must(next.status === 200 && server.pid === pid, `the next call answers 200, not ${next.status}`);
      see.must((await waitFor(() => isHealthy(server), 1_000)) !== undefined, 'health says 200');
      see.tell(`${failed.status} ${body.slice(0, 60)}…, then ${next.status} of the same process`);
    } finally {
      other.close();
      await server.dispose();
    }
  },
};
