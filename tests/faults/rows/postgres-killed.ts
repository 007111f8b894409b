import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../../src/server/db/postgres.ts';
import { PostgresServer, postgresPrograms } from '../../support/postgres.ts';
import { Server } from '../../support/server.ts';
import { Ledger, waitFor } from '../support/ledger.ts';
import { outdatedReadModels } from '../support/read-models.ts';
import type { Row } from '../support/row.ts';
import { isHealthy, someoneOn, storedOn } from '../support/stored.ts';
import { keepWriting } from '../support/writers.ts';

const KILLS = 4;
const WRITERS = 8;
const LIMITS = { refusal: 5_000, back: 10_000 };

export const postgresKilled: Row = {
  name: 'postgres-killed',
  fault: `PostgreSQL is killed (SIGKILL) under ${WRITERS} writers and comes back, ${KILLS} times`,
  run: async (see) => {
    if (postgresPrograms() === undefined)
      return see.skip('PostgreSQL is missing and can not be installed here.');
    const postgres = await PostgresServer.start();
    const server = await Server.start({ LOG_LEVEL: 'silent', DATABASE_URL: postgres.url() });
    const ledger = new Ledger();
    let isOver = false;
    try {
      const api = await someoneOn(server);
      const { pid } = server;
      const writers = Array.from({ length: WRITERS }, () => keepWriting(api, ledger, () => !isOver));
      let [slowestBack, unhealthy] = [0, 0];
      for (let i = 0; i < KILLS; i += 1) {
        const before = ledger.acknowledged;
        await waitFor(async () => ledger.acknowledged > before + 50, 20_000);
        await postgres.kill();
        await waitFor(async () => !(await isHealthy(server)), LIMITS.refusal);
        if (!(await isHealthy(server))) unhealthy += 1;
        await sleep(1_500);
        await postgres.start();
        const since = ledger.acknowledged;
        const back = await waitFor(
          async () => ledger.acknowledged > since && (await isHealthy(server)),
          LIMITS.back,
        );
        see.must(back !== undefined, `kill ${i}: writes are acknowledged ${LIMITS.back} ms after its return`);
        slowestBack = Math.max(slowestBack, back ?? LIMITS.back);
      }
      isOver = true;
      await Promise.all(writers);
      see.must(unhealthy === KILLS, `health says 503 while it is away, ${KILLS} times, not ${unhealthy}`);
      see.must(server.pid === pid, 'the process was not restarted');
      const statuses = [...ledger.refused.keys()];
      see.must(
        statuses.every((status) => status === 503),
        `nothing but 503: ${statuses.join()}`,
      );
      see.must(ledger.unanswered === 0, `every call is answered, not ${ledger.unanswered} left open`);
      see.must(
        ledger.slowestRefusal <= LIMITS.refusal,
        `503 within ${LIMITS.refusal} ms, not ${ledger.slowestRefusal.toFixed(0)}`,
      );
      const { lost, half, found, cameThrough, absent } = await ledger.compare(storedOn(api), { all: true });
      for (const line of [...lost, ...half]) see.must(false, line);
      await server.stop();
      const database = await openPostgres(postgres.url());
      const outdated = await outdatedReadModels(database);
      await database.close();
      see.must(outdated.length === 0, `the list is what it is worked out anew (${outdated.join()})`);
      see.tell(
        `${ledger.acknowledged} acknowledged, ${found} records found, ${lost.length} lost, ${half.length} half; in doubt ${cameThrough} whole, ${absent} absent`,
      );
      see.tell(
        `${ledger.refused.get(503) ?? 0} × 503, slowest ${ledger.slowestRefusal.toFixed(0)} ms; back ${slowestBack.toFixed(0)} ms after its return at most`,
      );
    } finally {
      isOver = true;
      await server.dispose();
      await postgres.dispose();
    }
  },
};
