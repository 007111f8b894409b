import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Server } from '../../support/processes/server.ts';
import type { Row } from '../support/row.ts';
import { registerOn } from '../support/stored.ts';
import { strace, traced } from '../support/tools.ts';

const WRITES = 100;

export const synced: Row = {
  name: 'synced',
  fault: 'Each write is synced to the disk before it is acknowledged (system calls counted)',
  run: async (findings) => {
    if (strace === undefined) return findings.skip('strace is missing and cannot be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-strace-'));
    try {
      const api = await registerOn(server);
      const output = path.join(scratch, 'calls');
      const calls = 'trace=fsync,fdatasync,write,writev,sendto,sendmsg';
      const trace = await traced(server.pid ?? 0, ['-y', '-s', '16', '-e', calls, '-o', output]);
      // One at a time, so that each sync belongs to the next response.
      for (let i = 0; i < WRITES; i += 1) await api.createStudent();
      await trace.end();

      let [syncs, acknowledged, unsynced, syncsSinceAnswer] = [0, 0, 0, 0];
      for (const line of (await readFile(output, 'utf8')).split('\n')) {
        if (/\b(fsync|fdatasync)\(\d+<[^>]*sims\.db-wal>\)\s+= 0/.test(line)) {
          syncs += 1;
          syncsSinceAnswer += 1;
        } else if (/"HTTP\/1\.1 20\d/.test(line)) {
          acknowledged += 1;
          if (syncsSinceAnswer === 0) unsynced += 1;
          syncsSinceAnswer = 0;
        }
      }
      findings.must(acknowledged === WRITES, `the trace shows ${WRITES} responses, not ${acknowledged}`);
      findings.must(unsynced === 0, `each response follows a sync, but ${unsynced} did not`);
      findings.report(
        `${acknowledged} acknowledged, ${syncs} syncs of the log, ${unsynced} responses without one before`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};
