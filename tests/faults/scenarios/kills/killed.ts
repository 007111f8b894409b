import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { computedMs } from '../../../support/load/resident.ts';
import { Server } from '../../../support/processes/server.ts';
import { outdatedDerivedData } from '../../support/derived-data.ts';
import { Ledger, waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';
import { checked, isHealthy, registerOn, storedOn } from '../../support/stored.ts';
import { keepWriting } from '../../support/writers.ts';

const CYCLES = 100;
const WRITERS = 8;
/** CPU time until a start is healthy. Unlike the elapsed time, it does not depend on the load of the machine. */
const MAX_CPU_MS = 3_000;
/** Elapsed time after which a start counts as hanging. */
const START_TIMEOUT_MS = 60_000;

/** Milliseconds until the kill. Sometimes longer, so that the log is checkpointed and the database grows. */
const getLifetime = (cycle: number) =>
  cycle % 20 === 10 ? 500 + Math.random() * 1_500 : 200 + Math.random() * 300;

export const killed: Scenario = {
  name: 'killed',
  fault: `The process is killed (SIGKILL) under ${WRITERS} writers, ${CYCLES} times`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'error' });
    const file = path.join(server.dataDir, 'sims.db');
    const ledger = new Ledger();
    const totals = { found: 0, lost: 0, half: 0, cameThrough: 0, absent: 0 };
    let [slowest, cpuMs] = [0, 0];
    try {
      const api = await registerOn(server);
      const compare = async (all: boolean) => {
        const seen = await ledger.compare(storedOn(api), { all });
        for (const line of [...seen.lost, ...seen.half]) findings.must(false, line);
        totals.found = seen.found;
        totals.lost += seen.lost.length;
        totals.half += seen.half.length;
        totals.cameThrough += seen.cameThrough;
        totals.absent += seen.absent;
      };
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        let isUp = true;
        const before = ledger.acknowledged;
        const writers = Array.from({ length: WRITERS }, () => keepWriting(api, ledger, () => isUp));
        // The kill comes while writes are acknowledged, however busy the machine is.
        await waitFor(async () => ledger.acknowledged > before, 10_000, 5);
        await sleep(getLifetime(cycle));
        isUp = false;
        await server.kill();
        await Promise.all(writers);

        const startedAt = performance.now();
        await server.restart();
        const healthy = await waitFor(() => isHealthy(server), START_TIMEOUT_MS);
        findings.must(healthy !== undefined, `cycle ${cycle}: the server is healthy after a restart`);
        slowest = Math.max(slowest, performance.now() - startedAt);
        cpuMs = Math.max(cpuMs, computedMs(server.pid));
        const verdict = await checked(file);
        findings.must(verdict === 'ok', `cycle ${cycle}: the database is intact, not "${verdict}"`);
        await compare(false);
      }
      // NaN where the system does not report CPU times (outside of Linux).
      findings.must(
        Number.isNaN(cpuMs) || cpuMs <= MAX_CPU_MS,
        `each start is healthy within ${MAX_CPU_MS} ms of CPU time, not ${cpuMs}`,
      );
      await compare(true);
      await server.stop();
      const database = await openEmbedded(server.dataDir);
      const outdated = await outdatedDerivedData(database);
      await database.close();
      findings.must(outdated.length === 0, `the list equals a recomputed one (${outdated.join()})`);
      findings.report(
        `${ledger.acknowledged} acknowledged, ${ledger.size} records and courses, ${totals.lost} lost`,
      );
      findings.report(
        `${totals.cameThrough + totals.absent + totals.half} unanswered: ${totals.cameThrough} complete, ${totals.absent} absent, ${totals.half} partial`,
      );
      findings.report(
        `slowest start to healthy ${slowest.toFixed(0)} ms, ${cpuMs} of CPU time; the list equals a recomputed one`,
      );
    } finally {
      await server.dispose();
    }
  },
};
