import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPostgres } from '../../../../src/server/db/postgres/open-postgres.ts';
import { verifyChain } from '../../../../src/server/history/verify-chain.ts';
import { PostgresServer, postgresPrograms } from '../../../support/database/postgres.ts';
import { Server } from '../../../support/processes/server.ts';
import { Ledger, waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerOn, storedOn } from '../../support/stored.ts';
import { keepWriting } from '../../support/writers.ts';

const KILLS = 10;
const WRITERS = 8;
const LIMIT_MS = 10_000;

export const linkKilled: Scenario = {
  name: 'link-killed',
  fault: `A process on PostgreSQL is killed (SIGKILL) between commits and the links of their entries, ${KILLS} times`,
  run: async (findings) => {
    if (postgresPrograms() === undefined)
      return findings.skip('PostgreSQL is missing and cannot be installed here.');
    const postgres = await PostgresServer.start();
    const server = await Server.start({ LOG_LEVEL: 'silent', DATABASE_URL: postgres.url() });
    const observer = new pg.Client({ connectionString: postgres.url() });
    const ledger = new Ledger();
    let isUp = false;
    try {
      await observer.connect();
      const count = async (query: string) =>
        (await observer.query<{ count: number }>(`select cast(count(*) as integer) as count ${query}`))
          .rows[0]?.count;
      const api = await registerOn(server);
      const left: number[] = [];
      let slowestMs = 0;
      for (let i = 0; i < KILLS; i += 1) {
        isUp = true;
        const before = ledger.acknowledged;
        const writers = Array.from({ length: WRITERS }, () => keepWriting(api, ledger, () => isUp));
        await waitFor(async () => ledger.acknowledged > before + 20, 20_000, 5);
        await sleep(Math.random() * 100);
        isUp = false;
        await server.kill();
        await Promise.all(writers);
        // What the server had begun to commit.
        await waitFor(
          async () => (await count("from pg_stat_activity where application_name = 'sims'")) === 0,
          LIMIT_MS,
        );
        left.push((await count('from history_pending')) ?? Number.NaN);
        await server.restart();
        const linkedMs = await waitFor(async () => (await count('from history_pending')) === 0, LIMIT_MS);
        findings.must(
          linkedMs !== undefined,
          `kill ${i}: everything is linked within ${LIMIT_MS} ms of the next start`,
        );
        slowestMs = Math.max(slowestMs, linkedMs ?? LIMIT_MS);
      }
      const unlinked = left.reduce((sum, one) => sum + one, 0);
      findings.must(unlinked > 0, 'some kill came between a commit and its link');
      const { lost, half, found } = await ledger.compare(storedOn(api), { all: true });
      for (const line of [...lost, ...half]) findings.must(false, line);
      await server.stop();
      const { read, close } = await openPostgres(postgres.url());
      const { head, pending, fault } = await verifyChain(read);
      await close();
      findings.must(fault === undefined && pending === 0, `the chain has every entry: ${fault ?? pending}`);
      findings.report(
        `${ledger.acknowledged} acknowledged, ${found} records found, ${lost.length} lost; entries left unlinked by each kill: ${left.join(', ')}`,
      );
      findings.report(
        `linked at most ${slowestMs.toFixed(0)} ms after the next start; a chain of ${head.number} without a gap`,
      );
    } finally {
      isUp = false;
      await observer.end();
      await server.dispose();
      await postgres.dispose();
    }
  },
};
