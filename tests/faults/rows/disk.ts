import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aStudent } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import { Ledger, waitFor } from '../support/ledger.ts';
import type { Findings, Row } from '../support/row.ts';
import { checked, healthOf, isHealthy, someoneOn, storedOn } from '../support/stored.ts';
import { smallDisk, strace, traced } from '../support/tools.ts';
import { keepWriting } from '../support/writers.ts';

const NO_MOUNT = 'this user may not mount a file system here.';

export const diskFull: Row = {
  name: 'disk-full',
  fault: 'The disk (8 MiB) is full under 8 writers, then has room again',
  run: async (see) => {
    const disk = await smallDisk(8);
    if (disk === undefined) return see.skip(NO_MOUNT);
    const server = await Server.start({ LOG_LEVEL: 'silent' }, path.join(disk.folder, 'data'));
    const ledger = new Ledger();
    try {
      const api = await someoneOn(server);
      const filler = path.join(disk.folder, 'filler');
      const free = () => Number(statfsSync(disk.folder).bavail) * Number(statfsSync(disk.folder).bsize);
      // Room for a part of what they write, so that it ends in the midst of their work.
      writeFileSync(filler, Buffer.alloc(Math.max(0, free() - 2 ** 20)));
      const full = () => (ledger.refused.get(507) ?? 0) >= 40;
      const writers = Array.from({ length: 8 }, () => keepWriting(api, ledger, () => !full()));
      await Promise.race([Promise.all(writers), waitFor(async () => full(), 60_000)]);
      see.must(full(), 'writes are refused with 507 once there is no room');
      await Promise.all(writers);

      const refused = await api.send('POST', '/api/students', aStudent({ reason: 'x'.repeat(9_000) }));
      const { message } = (await refused.json()) as { message: string };
      see.must(
        refused.status === 507 && message === 'Storage is full.',
        `507, not ${refused.status} "${message}"`,
      );
      const list = await api.send('GET', '/api/students?limit=5');
      await list.arrayBuffer();
      see.must(list.status === 200, `reads answer 200, not ${list.status}`);
      const health = await healthOf(server);
      see.must(health === 503, `health says 503, not ${health}`);

      rmSync(filler);
      const back = await waitFor(
        async () => (await api.send('POST', '/api/students', aStudent())).ok,
        10_000,
      );
      see.must(back !== undefined, 'writes go on without a restart once there is room');
      see.must((await healthOf(server)) === 200, 'health says 200 again');
      const only507 = [...ledger.refused.keys()].every((status) => status === 507);
      see.must(only507, `nothing but 507: ${JSON.stringify([...ledger.refused])}`);
      await compare(see, ledger, server, api);
      see.tell(
        `${ledger.refused.get(507)} × 507, health ${health}, back ${back?.toFixed(0)} ms after there was room`,
      );
    } finally {
      await server.stop();
      await disk.remove();
    }
  },
};

type Someone = Awaited<ReturnType<typeof someoneOn>>;

async function compare(see: Findings, ledger: Ledger, server: Server, api: Someone): Promise<void> {
  const { found, lost, half, cameThrough } = await ledger.compare(storedOn(api), { all: true });
  for (const line of [...lost, ...half]) see.must(false, line);
  const verdict = await checked(path.join(server.dataDir, 'sims.db'), 'integrity_check');
  see.must(verdict === 'ok', `the database is whole, not "${verdict}"`);
  see.tell(
    `${ledger.acknowledged} acknowledged, ${found} records found, ${lost.length} lost, ${half.length} half, ${cameThrough} refused yet there`,
  );
}

/** What the system says instead of doing it, from every call on. */
const FAILURES = ['pwrite64:error=EIO', 'fsync,fdatasync:error=EIO', 'pwrite64:error=EROFS'];

export const diskFails: Row = {
  name: 'disk-fails',
  fault: 'The disk fails (EIO) or turns read-only (EROFS) while the server runs',
  run: async (see) => {
    if (strace === undefined) return see.skip('strace is missing and can not be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const ledger = new Ledger();
    try {
      const api = await someoneOn(server);
      await Promise.all(Array.from({ length: 8 }, () => writeSome(api, ledger, 5)));
      for (const failure of FAILURES) {
        const [call = ''] = failure.split(':');
        const trace = await traced(server.pid ?? 0, [
          '-e',
          `trace=${call}`,
          '-e',
          `inject=${failure}`,
          '-o',
          '/dev/null',
        ]);
        const refused = await api.send('POST', '/api/students', aStudent());
        await refused.arrayBuffer();
        const retryAfter = refused.headers.get('retry-after');
        see.must(
          refused.status === 503 && retryAfter !== null,
          `${failure}: 503 with Retry-After, not ${refused.status} ${retryAfter}`,
        );
        const read = await api.send('GET', '/api/students?limit=5');
        await read.arrayBuffer();
        see.must(read.status === 200, `${failure}: reads answer 200, not ${read.status}`);
        const health = await healthOf(server);
        see.must(health === 503, `${failure}: health says 503, not ${health}`);
        await writeSome(api, ledger, 2);
        await trace.end();
        const back = await waitFor(() => isHealthy(server), 10_000);
        see.must(back !== undefined, `${failure}: health says 200 when it is over`);
        await writeSome(api, ledger, 2);
        see.tell(
          `${failure}: ${refused.status}, Retry-After ${retryAfter}, reads ${read.status}, health ${health}, then 200 again`,
        );
      }
      await server.kill();
      await server.restart();
      await compare(see, ledger, server, api);
    } finally {
      await server.dispose();
    }
  },
};

async function writeSome(api: Someone, ledger: Ledger, lives: number): Promise<void> {
  const enough = performance.now() + 20_000;
  const attempts = () =>
    ledger.acknowledged + [...ledger.refused.values()].reduce((sum, one) => sum + one, 0);
  const until = attempts() + lives * 6;
  await keepWriting(api, ledger, () => attempts() < until && performance.now() < enough);
}
