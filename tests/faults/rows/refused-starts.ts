import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backupInto } from '../../../src/server/backup/make-backup.ts';
import { openEmbedded } from '../../../src/server/db/open.ts';
import { Server } from '../../support/server.ts';
import type { Findings, Row } from '../support/row.ts';
import { someoneOn } from '../support/stored.ts';
import { smallDisk } from '../support/tools.ts';

const PAGE = 4096;

interface Refusal {
  what: string;
  folder: string;
  code: number;
  says: readonly string[];
}

/** A start that must end with this code and one line that says this, and leave the database as it was. */
async function refuses(see: Findings, { what, folder, code, says }: Refusal): Promise<void> {
  const file = path.join(folder, 'sims.db');
  const before = existsSync(file) ? readFileSync(file) : undefined;
  const begin = performance.now();
  const { code: ended, output } = await Server.refused(folder, { LOG_LEVEL: 'silent' });
  const ms = performance.now() - begin;
  see.must(ended === code, `${what}: exit ${code}, not ${ended}`);
  see.must(
    !output.includes('\n') && says.every((part) => output.includes(part)),
    `${what}: one line with ${says.join(', ')}, not "${output}"`,
  );
  const after = existsSync(file) ? readFileSync(file) : undefined;
  see.must(
    before === undefined ? after === undefined : after?.equals(before) === true,
    `${what}: the file is as it was`,
  );
  see.tell(`${what}: exit ${ended} after ${ms.toFixed(0)} ms`);
}

const DAMAGES: readonly [string, (file: string) => void][] = [
  ['page 2 flipped', (file) => flip(file, 2)],
  ['page 1 flipped', (file) => flip(file, 1)],
  ['cut in half', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2 / PAGE) * PAGE)],
  ['cut by a page', (file) => truncateSync(file, readFileSync(file).length - PAGE)],
  ['empty', (file) => truncateSync(file)],
  [
    'another program’s',
    (file) => writeFileSync(file, 'PK\u0003\u0004 no database of anybody '.repeat(2_000)),
  ],
];

function flip(file: string, page: number): void {
  const bytes = readFileSync(file);
  const from = (page - 1) * PAGE;
  writeFileSync(
    file,
    bytes.fill(Buffer.from(bytes.subarray(from, from + PAGE).map((byte) => byte ^ 0xff)), from, from + PAGE),
  );
}

export const refusedStarts: Row = {
  name: 'refused-starts',
  fault: 'A start on what is damaged, in use, newer, read-only or no folder',
  run: async (see) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const { dataDir: folder } = server;
    const file = path.join(folder, 'sims.db');
    const disk = await smallDisk(8);
    const newer = await mkdtemp(path.join(tmpdir(), 'sims-newer-'));
    try {
      const api = await someoneOn(server);
      for (let i = 0; i < 200; i += 1) await api.createStudent();
      const inUse = { what: 'in use', folder, code: 4, says: [`in use by pid ${server.pid},`] };
      const second = await Server.refused(folder, { LOG_LEVEL: 'silent' });
      see.must(
        second.code === 4 && second.output.includes(inUse.says[0] ?? ''),
        `a second process: exit 4, not ${second.code} "${second.output}"`,
      );
      see.tell(`in use: exit ${second.code}, "${second.output.slice(-80)}"`);
      const backup = await backupInto(path.join(folder, 'backups'), { kind: 'sqlite', folder }, 'asked');
      await server.stop();

      const whole = readFileSync(file);
      for (const [what, damage] of DAMAGES) {
        damage(file);
        await refuses(see, {
          what,
          folder,
          code: 3,
          says: [file, backup.file, 'node dist/server/cli/sims.js restore'],
        });
        writeFileSync(file, whole);
      }
      await tellWhatIsFound(see, file, whole);

      const database = await openEmbedded(newer);
      await database.write
        .insertInto('schema_versions')
        .values({ version: 999, name: 'later', applied_at: '' })
        .execute();
      await database.close();
      await refuses(see, { what: 'newer', folder: newer, code: 1, says: ['999', 'start a newer SIMS'] });
      if (existsSync('/proc/self')) {
        await refuses(see, {
          what: 'no folder',
          folder: '/proc/x',
          code: 1,
          says: ['/proc/x', "can't be made"],
        });
      }
      if (disk === undefined) see.tell('read-only: skipped, this user may not mount a file system here');
      else {
        await disk.makeReadOnly();
        const readOnly = path.join(disk.folder, 'data');
        await refuses(see, { what: 'read-only', folder: readOnly, code: 1, says: [readOnly] });
      }
      await server.restart();
      see.must((await api.send('GET', '/api/students?limit=1')).ok, 'the database that was put back serves');
    } finally {
      await server.dispose();
      await disk?.remove();
      await rm(newer, { recursive: true, force: true });
    }
  },
};

/** How much of any damage a start finds; the rest is for a full check. */
async function tellWhatIsFound(see: Findings, file: string, whole: Buffer): Promise<void> {
  const pages = whole.length / PAGE;
  let found = 0;
  const tried = 24;
  for (let i = 0; i < tried; i += 1) {
    flip(file, 1 + Math.floor(((i + 0.5) / tried) * pages));
    const folder = path.dirname(file);
    try {
      await (await openEmbedded(folder)).close();
    } catch {
      found += 1;
    }
    for (const part of ['-wal', '-shm']) await rm(`${file}${part}`, { force: true });
    writeFileSync(file, whole);
  }
  see.tell(`any one page flipped: a start finds ${found} of ${tried}`);
}
