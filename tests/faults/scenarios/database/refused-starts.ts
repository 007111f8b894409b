import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backupInto } from '../../../../src/server/backup/make-backup.ts';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { Server } from '../../../support/processes/server.ts';
import type { Findings, Scenario } from '../../support/scenario.ts';
import { registerOn } from '../../support/stored.ts';
import { smallDisk } from '../../support/tools.ts';

/** Bytes of a page of the database file. */
const PAGE = 4096;

interface Refusal {
  what: string;
  folder: string;
  code: number;
  says: readonly string[];
}

/** Checks that a start exits with `code`, prints one line that contains `says` and leaves the database file unchanged. */
async function checkRefusal(findings: Findings, { what, folder, code, says }: Refusal): Promise<void> {
  const file = path.join(folder, 'sims.db');
  const before = existsSync(file) ? readFileSync(file) : undefined;
  const startedAt = performance.now();
  const { code: ended, output } = await Server.refused(folder, { LOG_LEVEL: 'silent' });
  const ms = performance.now() - startedAt;
  findings.must(ended === code, `${what}: exit ${code}, not ${ended}`);
  findings.must(
    !output.includes('\n') && says.every((part) => output.includes(part)),
    `${what}: one line with ${says.join(', ')}, not "${output}"`,
  );
  const after = existsSync(file) ? readFileSync(file) : undefined;
  findings.must(
    before === undefined ? after === undefined : after?.equals(before) === true,
    `${what}: the file is unchanged`,
  );
  findings.report(`${what}: exit ${ended} after ${ms.toFixed(0)} ms`);
}

const DAMAGE: readonly [string, (file: string) => void][] = [
  ['page 2 inverted', (file) => invertPage(file, 2)],
  ['page 1 inverted', (file) => invertPage(file, 1)],
  [
    'truncated to half',
    (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2 / PAGE) * PAGE),
  ],
  ['truncated by a page', (file) => truncateSync(file, readFileSync(file).length - PAGE)],
  ['empty', (file) => truncateSync(file)],
  [
    'of another program',
    (file) => writeFileSync(file, 'PK\u0003\u0004 no database of anybody '.repeat(2_000)),
  ],
];

function invertPage(file: string, page: number): void {
  const bytes = readFileSync(file);
  const from = (page - 1) * PAGE;
  writeFileSync(
    file,
    bytes.fill(Buffer.from(bytes.subarray(from, from + PAGE).map((byte) => byte ^ 0xff)), from, from + PAGE),
  );
}

export const refusedStarts: Scenario = {
  name: 'refused-starts',
  fault: 'A start on data that is damaged, missing, in use, newer, read-only or not a folder',
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const { dataDir: folder } = server;
    const file = path.join(folder, 'sims.db');
    const disk = await smallDisk(8);
    const newerFolder = await mkdtemp(path.join(tmpdir(), 'sims-newer-'));
    try {
      const api = await registerOn(server);
      for (let i = 0; i < 200; i += 1) await api.createStudent();
      const inUse = { what: 'in use', folder, code: 4, says: [`in use by pid ${server.pid},`] };
      const second = await Server.refused(folder, { LOG_LEVEL: 'silent' });
      findings.must(
        second.code === 4 && second.output.includes(inUse.says[0] ?? ''),
        `a second process: exit 4, not ${second.code} "${second.output}"`,
      );
      findings.report(`in use: exit ${second.code}, "${second.output.slice(-80)}"`);
      const backup = await backupInto(path.join(folder, 'backups'), { kind: 'sqlite', folder }, 'asked');
      await server.stop();

      const intact = readFileSync(file);
      for (const [what, damage] of DAMAGE) {
        damage(file);
        await checkRefusal(findings, {
          what,
          folder,
          code: 3,
          says: [file, backup.file, 'node dist/server/cli/sims.js restore'],
        });
        writeFileSync(file, intact);
      }
      rmSync(file);
      await checkRefusal(findings, {
        what: 'missing',
        folder,
        code: 3,
        says: [folder, backup.file, 'migrate --new'],
      });
      writeFileSync(file, intact);
      await reportDetectedPages(findings, file, intact);

      const database = await openEmbedded(newerFolder);
      await database.write
        .insertInto('schema_versions')
        .values({ version: 999, name: 'later', applied_at: '' })
        .execute();
      await database.close();
      await checkRefusal(findings, {
        what: 'newer',
        folder: newerFolder,
        code: 1,
        says: ['999', 'start a newer SIMS'],
      });
      if (existsSync('/proc/self')) {
        await checkRefusal(findings, {
          what: 'not a folder',
          folder: '/proc/x',
          code: 1,
          says: ['/proc/x', "can't be created"],
        });
      }
      if (disk === undefined)
        findings.report('read-only: skipped, this user may not mount a file system here');
      else {
        await disk.makeReadOnly();
        const readOnly = path.join(disk.folder, 'data');
        await checkRefusal(findings, { what: 'read-only', folder: readOnly, code: 1, says: [readOnly] });
      }
      await server.restart();
      findings.must(
        (await api.send('GET', '/api/students?limit=1')).ok,
        'the server works with the restored database file',
      );
    } finally {
      await server.dispose();
      await disk?.remove();
      await rm(newerFolder, { recursive: true, force: true });
    }
  },
};

/** Reports how many of some corrupted pages a start detects. Only a full check detects all of them. */
async function reportDetectedPages(findings: Findings, file: string, intact: Buffer): Promise<void> {
  const pages = intact.length / PAGE;
  let found = 0;
  const attempts = 24;
  for (let i = 0; i < attempts; i += 1) {
    invertPage(file, 1 + Math.floor(((i + 0.5) / attempts) * pages));
    const folder = path.dirname(file);
    try {
      await (await openEmbedded(folder)).close();
    } catch {
      found += 1;
    }
    for (const part of ['-wal', '-shm']) await rm(`${file}${part}`, { force: true });
    writeFileSync(file, intact);
  }
  findings.report(`one corrupted page: a start detects ${found} of ${attempts}`);
}
