import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { computedMs } from '../../../bench/support/resident.ts';
import { openEmbedded } from '../../../src/server/db/open.ts';
import { Server } from '../../support/server.ts';
import { Ledger, waitFor } from '../support/ledger.ts';
import { outdatedReadModels } from '../support/read-models.ts';
import type { Row } from '../support/row.ts';
import { checked, isHealthy, someoneOn, storedOn } from '../support/stored.ts';
import { keepWriting } from '../support/writers.ts';

const CYCLES = 100;
const WRITERS = 8;
const HEALTHY_WITHIN = 3_000;

/** Now and then longer, so that the log is carried over and the database grows meanwhile. */
const lifetime = (cycle: number) =>
  cycle % 20 === 10 ? 500 + Math.random() * 1_500 : 200 + Math.random() * 300;

export const killed: Row = {
  name: 'killed',
  fault: `The process is killed (SIGKILL) under ${WRITERS} writers, ${CYCLES} times`,
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'error' });
    const file = path.join(server.dataDir, 'sims.db');
    const ledger = new Ledger();
    const totals = { found: 0, lost: 0, half: 0, cameThrough: 0, absent: 0 };
    let [slowest, computed] = [0, 0];
    try {
      const api = await someoneOn(server);
      const compare = async (all: boolean) => {
        const seen = await ledger.compare(storedOn(api), { all });
        for (const line of [...seen.lost, ...seen.half]) see.must(false, line);
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
        // In the midst of it, however busy the machine is.
        await waitFor(async () => ledger.acknowledged > before, 10_000, 5);
        await sleep(lifetime(cycle));
        isUp = false;
        await server.kill();
        await Promise.all(writers);

        const begin = performance.now();
        await server.restart();
        const healthy = await waitFor(() => isHealthy(server), HEALTHY_WITHIN);
        see.must(healthy !== undefined, `cycle ${cycle}: healthy after a start`);
        slowest = Math.max(slowest, performance.now() - begin);
        computed = Math.max(computed, computedMs(server.pid));
        const verdict = await checked(file);
        see.must(verdict === 'ok', `cycle ${cycle}: the database is whole, not "${verdict}"`);
        await compare(false);
      }
      see.must(
        slowest <= HEALTHY_WITHIN,
        `healthy ${HEALTHY_WITHIN} ms after each start, not ${slowest.toFixed(0)}`,
      );
      await compare(true);
      await server.stop();
      const database = await openEmbedded(server.dataDir);
      const outdated = await outdatedReadModels(database);
      await database.close();
      see.must(outdated.length === 0, `the list is what it is worked out anew (${outdated.join()})`);
      see.tell(
        `${ledger.acknowledged} acknowledged, ${ledger.size} records and courses, ${totals.lost} lost`,
      );
      see.tell(
        `${totals.cameThrough + totals.absent + totals.half} unanswered: ${totals.cameThrough} whole, ${totals.absent} absent, ${totals.half} half`,
      );
      see.tell(
        `slowest start to healthy ${slowest.toFixed(0)} ms, ${computed} of them computing; list as worked out anew`,
      );
    } finally {
      await server.dispose();
    }
  },
};
