import { copyFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadSqliteEngine } from '../../../../src/server/db/sqlite/engine.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import { Ledger, waitFor } from '../../support/ledger.ts';
import type { Findings, Scenario } from '../../support/scenario.ts';
import { checked, isHealthy, readHealth, registerOn, storedOn } from '../../support/stored.ts';
import { smallDisk, strace, traced } from '../../support/tools.ts';
import { keepWriting } from '../../support/writers.ts';

const NO_MOUNT = 'this user may not mount a file system here.';

export const diskFull: Scenario = {
  name: 'disk-full',
  fault: 'The disk (8 MiB) is full under 8 writers, the server is stopped on it, and space is freed',
  run: async (findings) => {
    const disk = await smallDisk(8);
    if (disk === undefined) return findings.skip(NO_MOUNT);
    const server = await Server.start({ LOG_LEVEL: 'silent' }, path.join(disk.folder, 'data'));
    const ledger = new Ledger();
    try {
      const api = await registerOn(server);
      const filler = path.join(disk.folder, 'filler');
      const freeBytes = () => Number(statfsSync(disk.folder).bavail) * Number(statfsSync(disk.folder).bsize);
      // Leaves little space, so that the disk becomes full while they write.
      writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes() - 2 ** 20)));
      const isFull = () => (ledger.refused.get(507) ?? 0) >= 40;
      const writers = Array.from({ length: 8 }, () => keepWriting(api, ledger, () => !isFull()));
      await Promise.race([Promise.all(writers), waitFor(async () => isFull(), 60_000)]);
      findings.must(isFull(), 'writes answer 507 once the disk is full');
      await Promise.all(writers);

      const refused = await api.send('POST', '/api/students', aStudent({ reason: 'x'.repeat(9_000) }));
      const { message } = (await refused.json()) as { message: string };
      findings.must(
        refused.status === 507 && message === 'Storage is full.',
        `507, not ${refused.status} "${message}"`,
      );
      const list = await api.send('GET', '/api/students?limit=5');
      await list.arrayBuffer();
      findings.must(list.status === 200, `reads answer 200, not ${list.status}`);
      const health = await readHealth(server);
      findings.must(health === 503, `health answers 503, not ${health}`);

      const startedAt = performance.now();
      const code = await server.stop();
      const duration = performance.now() - startedAt;
      findings.must(
        code === 0 && duration <= 10_000,
        `SIGTERM on the full disk: exit 0 within 10 s, not ${code} after ${duration.toFixed(0)} ms`,
      );
      findings.report(`SIGTERM on the full disk: exit ${code} after ${duration.toFixed(0)} ms`);
      rmSync(filler);
      await server.restart();
      await compare(findings, ledger, server, api);
      writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes() - 2 ** 20)));
      const before = ledger.refused.get(507) ?? 0;
      const isFullAgain = () => (ledger.refused.get(507) ?? 0) >= before + 8;
      await Promise.race([
        Promise.all(Array.from({ length: 8 }, () => keepWriting(api, ledger, () => !isFullAgain()))),
        waitFor(async () => isFullAgain(), 60_000),
      ]);

      rmSync(filler);
      const recoveryMs = await waitFor(
        async () => (await api.send('POST', '/api/students', aStudent())).ok,
        10_000,
      );
      findings.must(recoveryMs !== undefined, 'writes work again without a restart once there is space');
      findings.must((await readHealth(server)) === 200, 'health answers 200 again');
      const only507 = [...ledger.refused.keys()].every((status) => status === 507);
      findings.must(only507, `failed writes answer only 507: ${JSON.stringify([...ledger.refused])}`);
      await compare(findings, ledger, server, api);
      findings.report(
        `${ledger.refused.get(507)} × 507, health ${health}, recovered ${recoveryMs?.toFixed(0)} ms after space was freed`,
      );
    } finally {
      await server.stop();
      await disk.remove();
    }
  },
};

type Client = Awaited<ReturnType<typeof registerOn>>;

async function compare(findings: Findings, ledger: Ledger, server: Server, api: Client): Promise<void> {
  const { found, lost, half, cameThrough } = await ledger.compare(storedOn(api), { all: true });
  for (const line of [...lost, ...half]) findings.must(false, line);
  const verdict = await checked(path.join(server.dataDir, 'sims.db'), 'integrity_check');
  findings.must(verdict === 'ok', `the database is intact, not "${verdict}"`);
  findings.report(
    `${ledger.acknowledged} acknowledged, ${found} records found, ${lost.length} lost, ${half.length} partial, ${cameThrough} refused but stored`,
  );
}

/** System calls and the errors that strace makes them return. */
const FAILURES = [
  'pwrite64:error=EIO',
  'fsync,fdatasync:error=EIO',
  // A disk that turns out to be full between commit and sync.
  'fdatasync:error=ENOSPC',
  'pwrite64:error=EROFS',
];

export const diskFails: Scenario = {
  name: 'disk-fails',
  fault: 'The disk fails (EIO) or turns read-only (EROFS) while the server runs',
  run: async (findings) => {
    if (strace === undefined) return findings.skip('strace is missing and cannot be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const ledger = new Ledger();
    try {
      const api = await registerOn(server);
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
        const student = aStudent();
        const refused = await api.send('POST', '/api/students', student);
        await refused.arrayBuffer();
        const retryAfter = refused.headers.get('retry-after');
        findings.must(
          refused.status === 503 && retryAfter !== null,
          `${failure}: 503 with Retry-After, not ${refused.status} ${retryAfter}`,
        );
        const read = await api.send('GET', '/api/students?limit=5');
        await read.arrayBuffer();
        findings.must(read.status === 200, `${failure}: reads answer 200, not ${read.status}`);
        const health = await readHealth(server);
        findings.must(health === 503, `${failure}: health answers 503, not ${health}`);
        await writeSome(api, ledger, 2);
        await trace.end();
        const recoveryMs = await waitFor(() => isHealthy(server), 10_000);
        findings.must(recoveryMs !== undefined, `${failure}: health answers 200 after the fault`);
        // The system may have dropped pages of the log that it could not sync.
        const isMoved = !call.includes('sync') || (await isInFile(server, student.id));
        findings.must(isMoved, `${failure}: the content of the log is moved to the database file`);
        await writeSome(api, ledger, 2);
        findings.report(
          `${failure}: ${refused.status}, Retry-After ${retryAfter}, reads ${read.status}, health ${health}, then 200 again`,
        );
      }
      await server.kill();
      await server.restart();
      await compare(findings, ledger, server, api);
    } finally {
      await server.dispose();
    }
  },
};

/** Whether the database file has a student without its log. */
async function isInFile({ dataDir }: Server, id: string): Promise<boolean> {
  const copy = path.join(dataDir, 'copy.db');
  copyFileSync(path.join(dataDir, 'sims.db'), copy);
  const database = (await loadSqliteEngine()).open(copy);
  try {
    return database.prepare('select 1 from students where id = ?').all(id).length === 1;
  } finally {
    database.close();
    rmSync(copy);
  }
}

async function writeSome(api: Client, ledger: Ledger, rounds: number): Promise<void> {
  const deadline = performance.now() + 20_000;
  const attempts = () =>
    ledger.acknowledged + [...ledger.refused.values()].reduce((sum, one) => sum + one, 0);
  const target = attempts() + rounds * 6;
  await keepWriting(api, ledger, () => attempts() < target && performance.now() < deadline);
}
