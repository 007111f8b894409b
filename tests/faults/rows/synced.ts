import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Server } from '../../support/server.ts';
import type { Row } from '../support/row.ts';
import { someoneOn } from '../support/stored.ts';
import { strace, traced } from '../support/tools.ts';

const WRITES = 100;

export const synced: Row = {
  name: 'synced',
  fault: 'The disk holds each write before it is acknowledged (system calls counted)',
  run: async (see) => {
    if (strace === undefined) return see.skip('strace is missing and can not be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-strace-'));
    try {
      const api = await someoneOn(server);
      const output = path.join(scratch, 'calls');
      const calls = 'trace=fsync,fdatasync,write,writev,sendto,sendmsg';
      const trace = await traced(server.pid ?? 0, ['-y', '-s', '16', '-e', calls, '-o', output]);
      // One at a time, so that each sync belongs to the one answer behind it.
      for (let i = 0; i < WRITES; i += 1) await api.createStudent();
      await trace.end();

      let [syncs, acknowledged, unsynced, since] = [0, 0, 0, 0];
      for (const line of (await readFile(output, 'utf8')).split('\n')) {
        if (/\b(fsync|fdatasync)\(\d+<[^>]*sims\.db-wal>\)\s+= 0/.test(line)) {
          syncs += 1;
          since += 1;
        } else if (/"HTTP\/1\.1 20\d/.test(line)) {
          acknowledged += 1;
          if (since === 0) unsynced += 1;
          since = 0;
        }
      }
      see.must(acknowledged === WRITES, `all ${WRITES} answers seen, not ${acknowledged}`);
      see.must(unsynced === 0, `${unsynced} answers without a sync before them`);
      see.tell(
        `${acknowledged} acknowledged, ${syncs} syncs of the log, ${unsynced} answers without one before`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};
