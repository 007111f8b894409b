import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSqliteEngine } from '../../../../src/server/db/sqlite/engine.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerOn } from '../../support/stored.ts';

/** Milliseconds, less than the five seconds that a write waits for the lock. */
const SHORT_LOCK_MS = 3_000;
/** Milliseconds, well above those five seconds. */
const LONG_LOCK_MS = 12_000;
const WRITES = 8;

export const locked: Scenario = {
  name: 'locked',
  fault: 'Another program locks the database file for 3 and for 12 seconds',
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const otherConnection = (await loadSqliteEngine()).open(path.join(server.dataDir, 'sims.db'));
    try {
      const api = await registerOn(server);
      for (const duration of [SHORT_LOCK_MS, LONG_LOCK_MS]) {
        otherConnection.exec('begin exclusive');
        let isLocked = true;
        const release = sleep(duration).then(() => {
          otherConnection.exec('commit');
          isLocked = false;
        });
        const startedAt = performance.now();
        const writes = Array.from({ length: WRITES }, async () => {
          const answer = await api.send('POST', '/api/students', aStudent());
          await answer.arrayBuffer();
          return {
            status: answer.status,
            retryAfter: answer.headers.get('retry-after'),
            ms: performance.now() - startedAt,
          };
        });
        let [reads, slowestRead] = [0, 0];
        while (isLocked) {
          const before = performance.now();
          const answer = await api.send('GET', '/api/students?limit=5');
          await answer.arrayBuffer();
          findings.must(answer.status === 200, `reads answer 200 during the lock, not ${answer.status}`);
          slowestRead = Math.max(slowestRead, performance.now() - before);
          reads += 1;
          await sleep(50);
        }
        await release;
        const answers = await Promise.all(writes);
        const isAsRequired =
          duration === SHORT_LOCK_MS
            ? answers.every(({ status }) => status === 201)
            : answers.every(({ status, retryAfter }) => status === 503 && retryAfter !== null);
        findings.must(isAsRequired, `locked for ${duration} ms, writes answer ${JSON.stringify(answers)}`);
        // Reads that waited for the lock would take seconds.
        findings.must(
          slowestRead < 2_500,
          `reads do not wait for the lock: slowest ${slowestRead.toFixed(0)} ms`,
        );
        const last = Math.max(...answers.map(({ ms }) => ms));
        findings.report(
          `locked for ${duration / 1e3} s: ${WRITES} writes ${answers[0]?.status}, the last after ${(last / 1e3).toFixed(1)} s; ${reads} reads, slowest ${slowestRead.toFixed(0)} ms`,
        );
      }
      const after = await api.send('POST', '/api/students', aStudent());
      findings.must(after.status === 201, `writes answer 201 after the lock, not ${after.status}`);
    } finally {
      otherConnection.close();
      await server.dispose();
    }
  },
};
