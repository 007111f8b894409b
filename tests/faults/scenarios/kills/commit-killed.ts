import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import { Ledger, waitFor } from '../../support/ledger.ts';
import type { Scenario } from '../../support/scenario.ts';
import { checked, registerOn, storedOn } from '../../support/stored.ts';
import { strace, traced } from '../../support/tools.ts';
import { keepWriting } from '../../support/writers.ts';

const WRITERS = 8;
const ROUNDS = 3;
/** Reads that wait for the disk would take as long as the delayed sync. */
const SYNC_MS = 6_000;
const MAX_READ_MS = 2_500;

/** Where the process is killed, and the calls that strace delays by microseconds so that it is there for some time. */
const POINTS = [
  { point: 'inside a transaction, while its pages are written', delay: 'pwrite64:delay_enter=50000' },
  { point: 'between commit and sync', delay: `fdatasync:delay_enter=${SYNC_MS}000` },
  { point: 'between sync and acknowledgement', delay: `fdatasync:delay_exit=${SYNC_MS}000` },
] as const;

export const commitKilled: Scenario = {
  name: 'commit-killed',
  fault: `The process is killed under ${WRITERS} writers inside a transaction, between its commit and the sync, and before the acknowledgement`,
  run: async (findings) => {
    if (strace === undefined) return findings.skip('strace is missing and cannot be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const file = path.join(server.dataDir, 'sims.db');
    const ledger = new Ledger();
    const totals = { lost: 0, half: 0, cameThrough: 0, absent: 0 };
    let slowestRead = 0;
    try {
      const api = await registerOn(server);
      for (const { point, delay } of Array.from({ length: ROUNDS }, () => POINTS).flat()) {
        let isUp = true;
        const before = ledger.acknowledged;
        const writers = Array.from({ length: WRITERS }, () => keepWriting(api, ledger, () => isUp));
        await waitFor(async () => ledger.acknowledged > before, 10_000, 5);
        const [call = ''] = delay.split(':');
        const trace = await traced(server.pid ?? 0, [
          ...['-P', `${file}-wal`, '-e', `trace=${call}`, '-e', `inject=${delay}`, '-o', '/dev/null'],
        ]);
        const student = aStudent();
        const { size } = await stat(`${file}-wal`);
        const answer = api.send('POST', '/api/students', student).then(
          ({ status }) => status,
          () => 0,
        );
        if (call === 'pwrite64') {
          await waitFor(async () => (await stat(`${file}-wal`)).size > size, 10_000);
          await sleep(Math.random() * 500);
        } else {
          // It can be read once it is committed, though the sync has not ended.
          const isCommitted = await waitFor(async () => {
            const startedAt = performance.now();
            const read = await api.send('GET', `/api/students/${student.id}/base`);
            await read.arrayBuffer();
            slowestRead = Math.max(slowestRead, performance.now() - startedAt);
            return read.ok;
          }, SYNC_MS);
          findings.must(isCommitted !== undefined, `${point}: what is committed can be read`);
          await sleep(200);
        }
        isUp = false;
        await server.kill();
        await Promise.all(writers);
        await trace.end();
        const status = await answer;
        findings.must(status === 0, `${point}: nothing is acknowledged, but the save answered ${status}`);

        await server.restart();
        const verdict = await checked(file, 'integrity_check');
        findings.must(verdict === 'ok', `${point}: the database is intact, not "${verdict}"`);
        const seen = await ledger.compare(storedOn(api));
        for (const line of [...seen.lost, ...seen.half]) findings.must(false, `${point}: ${line}`);
        for (const key of ['cameThrough', 'absent'] as const) totals[key] += seen[key];
        for (const key of ['lost', 'half'] as const) totals[key] += seen[key].length;
        // A kill leaves the pages with the system, which shows that it came after the commit.
        const isStored = (await storedOn(api)(`student/${student.id}`)) !== null;
        findings.must(isStored === (call !== 'pwrite64'), `${point}: the save is stored: ${isStored}`);
      }
      findings.must(
        slowestRead < MAX_READ_MS,
        `reads do not wait for a sync of ${SYNC_MS} ms: slowest ${slowestRead.toFixed(0)} ms`,
      );
      findings.report(
        `${POINTS.length * ROUNDS} kills: ${ledger.acknowledged} acknowledged, ${totals.lost} lost; ${totals.cameThrough + totals.absent + totals.half} unanswered: ${totals.cameThrough} complete, ${totals.absent} absent, ${totals.half} partial`,
      );
      findings.report(`syncs of ${SYNC_MS / 1e3} s, slowest read ${slowestRead.toFixed(0)} ms`);
    } finally {
      await server.dispose();
    }
  },
};
