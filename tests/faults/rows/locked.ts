import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSqliteEngine } from '../../../src/server/db/sqlite-engine.ts';
import { aStudent } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import type { Row } from '../support/row.ts';
import { someoneOn } from '../support/stored.ts';

const SHORT = 3_000;
/** Well above the five seconds that a write waits. */
const LONG = 12_000;
const WRITES = 8;

export const locked: Row = {
  name: 'locked',
  fault: 'Another program holds the database file, for 3 and for 12 seconds',
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const other = (await loadSqliteEngine()).open(path.join(server.dataDir, 'sims.db'));
    try {
      const api = await someoneOn(server);
      for (const held of [SHORT, LONG]) {
        other.exec('begin exclusive');
        let isHeld = true;
        const release = sleep(held).then(() => {
          other.exec('commit');
          isHeld = false;
        });
        const begin = performance.now();
        const writes = Array.from({ length: WRITES }, async () => {
          const answer = await api.send('POST', '/api/students', aStudent());
          await answer.arrayBuffer();
          return {
            status: answer.status,
            retryAfter: answer.headers.get('retry-after'),
            ms: performance.now() - begin,
          };
        });
        let [reads, slowestRead] = [0, 0];
        while (isHeld) {
          const before = performance.now();
          const answer = await api.send('GET', '/api/students?limit=5');
          await answer.arrayBuffer();
          see.must(answer.status === 200, `reads answer 200 while it is held, not ${answer.status}`);
          slowestRead = Math.max(slowestRead, performance.now() - before);
          reads += 1;
          await sleep(50);
        }
        await release;
        const answers = await Promise.all(writes);
        const isRight =
          held === SHORT
            ? answers.every(({ status }) => status === 201)
            : answers.every(({ status, retryAfter }) => status === 503 && retryAfter !== null);
        see.must(isRight, `held ${held} ms, writes answer ${JSON.stringify(answers)}`);
        // Held up by the lock they would take seconds.
        see.must(slowestRead < 2_500, `reads do not wait for the lock: slowest ${slowestRead.toFixed(0)} ms`);
        const last = Math.max(...answers.map(({ ms }) => ms));
        see.tell(
          `held ${held / 1e3} s: ${WRITES} writes ${answers[0]?.status}, the last after ${(last / 1e3).toFixed(1)} s; ${reads} reads, slowest ${slowestRead.toFixed(0)} ms`,
        );
      }
      const after = await api.send('POST', '/api/students', aStudent());
      see.must(after.status === 201, `writes go on when it is free, not ${after.status}`);
    } finally {
      other.close();
      await server.dispose();
    }
  },
};
