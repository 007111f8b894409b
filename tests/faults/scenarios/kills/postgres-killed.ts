import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openPostgres } from '../../../../src/server/db/postgres/open-postgres.ts';
import { PostgresServer, postgresPrograms } from '../../../support/database/postgres.ts';
import { Server } from '../../../support/processes/server.ts';
import { outdatedDerivedData } from '../../support/derived-data.ts';
import { Ledger, waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';
import { isHealthy, registerOn, storedOn } from '../../support/stored.ts';
import { keepWriting } from '../../support/writers.ts';

const KILLS = 4;
const WRITERS = 8;
const LIMITS_MS = { refusal: 5_000, recovery: 10_000 };

export const postgresKilled: Scenario = {
  name: 'postgres-killed',
  fault: `PostgreSQL is killed (SIGKILL) under ${WRITERS} writers and restarted, ${KILLS} times`,
  run: async (findings) => {
    if (postgresPrograms() === undefined)
      return findings.skip('PostgreSQL is missing and cannot be installed here.');
    const postgres = await PostgresServer.start();
    const server = await Server.start({ LOG_LEVEL: 'silent', DATABASE_URL: postgres.url() });
    const ledger = new Ledger();
    let isDone = false;
    try {
      const api = await registerOn(server);
      const { pid } = server;
      const writers = Array.from({ length: WRITERS }, () => keepWriting(api, ledger, () => !isDone));
      let [slowestRecovery, unhealthy] = [0, 0];
      for (let i = 0; i < KILLS; i += 1) {
        const before = ledger.acknowledged;
        await waitFor(async () => ledger.acknowledged > before + 50, 20_000);
        await postgres.kill();
        await waitFor(async () => !(await isHealthy(server)), LIMITS_MS.refusal);
        if (!(await isHealthy(server))) unhealthy += 1;
        await sleep(1_500);
        await postgres.start();
        const since = ledger.acknowledged;
        const recoveryMs = await waitFor(
          async () => ledger.acknowledged > since && (await isHealthy(server)),
          LIMITS_MS.recovery,
        );
        findings.must(
          recoveryMs !== undefined,
          `kill ${i}: writes are acknowledged within ${LIMITS_MS.recovery} ms of its restart`,
        );
        slowestRecovery = Math.max(slowestRecovery, recoveryMs ?? LIMITS_MS.recovery);
      }
      isDone = true;
      await Promise.all(writers);
      findings.must(unhealthy === KILLS, `health answers 503 during all ${KILLS} outages, not ${unhealthy}`);
      findings.must(server.pid === pid, 'the process was not restarted');
      const statuses = [...ledger.refused.keys()];
      findings.must(
        statuses.every((status) => status === 503),
        `failed writes answer only 503: ${statuses.join()}`,
      );
      findings.must(ledger.unanswered === 0, `every request is answered, but ${ledger.unanswered} were not`);
      findings.must(
        ledger.slowestRefusal <= LIMITS_MS.refusal,
        `503 answers within ${LIMITS_MS.refusal} ms, not ${ledger.slowestRefusal.toFixed(0)}`,
      );
      const { lost, half, found, cameThrough, absent } = await ledger.compare(storedOn(api), { all: true });
      for (const line of [...lost, ...half]) findings.must(false, line);
      await server.stop();
      const database = await openPostgres(postgres.url());
      const outdated = await outdatedDerivedData(database);
      const { rows } = await sql<{ done: number }>`select pg_sleep(3), 1 as done`.execute(database.read);
      findings.must(rows[0]?.done === 1, 'a statement of 3 seconds is not taken for a lost connection');
      await database.close();
      findings.must(outdated.length === 0, `the list equals a recomputed one (${outdated.join()})`);
      findings.report(
        `${ledger.acknowledged} acknowledged, ${found} records found, ${lost.length} lost, ${half.length} partial; unanswered: ${cameThrough} complete, ${absent} absent`,
      );
      findings.report(
        `${ledger.refused.get(503) ?? 0} × 503, slowest ${ledger.slowestRefusal.toFixed(0)} ms; recovered at most ${slowestRecovery.toFixed(0)} ms after its restart`,
      );
    } finally {
      isDone = true;
      await server.dispose();
      await postgres.dispose();
    }
  },
};
