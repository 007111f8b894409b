import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quantile } from '../../../bench/support/closed-loop.ts';
import { openEmbedded } from '../../../src/server/db/open.ts';
import { fillFaculty } from '../../../src/server/seed/fill-faculty.ts';
import { aStudent } from '../../support/records.ts';
import { Server } from '../../support/server.ts';
import type { Row } from '../support/row.ts';
import { someoneOn } from '../support/stored.ts';

const SIMS = fileURLToPath(new URL('../../../dist/server/cli/sims.js', import.meta.url));
const WRITERS = 8;
/** Milliseconds between two saves of one of them: people who enter records, not a load test. */
const PAUSE = 20;
const STUDENTS = 20_000;
const BACKUPS = 5;
/** Milliseconds in which 99 of 100 saves are acknowledged. */
const LIMIT = 250;

export const backedUp: Row = {
  name: 'backed-up',
  fault: `Backups of ${STUDENTS} students are made, ${BACKUPS} one after the other, while ${WRITERS} people write`,
  run: async (see) => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'sims-backed-up-'));
    const folder = path.join(scratch, 'data');
    const filled = await openEmbedded(folder);
    await fillFaculty(filled.write, { students: STUDENTS, seed: 3, intakes: 4 });
    await filled.close();
    const server = await Server.start({ LOG_LEVEL: 'silent' }, folder);
    const sims = async (...args: string[]) => {
      const env = { PATH: process.env.PATH, SIMS_DATA_DIR: folder };
      await promisify(execFile)(process.execPath, [SIMS, ...args], { env });
    };
    try {
      const api = await someoneOn(server);
      const saves: { id: string; began: number; ended: number }[] = [];
      let isOver = false;
      const writers = Array.from({ length: WRITERS }, async () => {
        while (!isOver) {
          const student = aStudent();
          const began = performance.now();
          const answer = await api.send('POST', '/api/students', student);
          await answer.arrayBuffer();
          see.must(answer.status === 201, `a save during a backup is acknowledged, not ${answer.status}`);
          saves.push({ id: student.id, began, ended: performance.now() });
          await sleep(PAUSE);
        }
      });
      await sleep(3_000);
      const begin = performance.now();
      const acknowledged = saves.map(({ id }) => id);
      for (let i = 1; i <= BACKUPS; i += 1) await sims('backup', '--to', path.join(scratch, `${i}.backup`));
      const end = performance.now();
      isOver = true;
      await Promise.all(writers);
      await server.stop();

      await sims('restore', '--force', path.join(scratch, '1.backup'));
      const restored = await openEmbedded(folder);
      const ids = await restored.read.selectFrom('students').select('id').execute();
      await restored.close();
      const held = new Set(ids.map(({ id }) => id));
      const missing = acknowledged.filter((id) => !held.has(id));
      see.must(missing.length === 0, `what was acknowledged before is in it: ${missing.join(', ')}`);

      const timesOf = (some: typeof saves) => some.map(({ began, ended }) => ended - began);
      const before = timesOf(saves.filter(({ ended }) => ended < begin));
      const during = timesOf(saves.filter(({ began, ended }) => ended > begin && began < end));
      const p99 = quantile(during, 0.99);
      see.must(p99 < LIMIT, `99 of 100 saves are acknowledged in ${LIMIT} ms, not ${p99.toFixed(0)}`);
      see.tell(
        `${BACKUPS} backups in ${((end - begin) / 1_000).toFixed(1)} s; ${acknowledged.length} acknowledged before the first, ${missing.length} not in it`,
      );
      see.tell(
        `saves p50 ${quantile(before, 0.5).toFixed(0)} ms, p99 ${quantile(before, 0.99).toFixed(0)} ms before; ${quantile(during, 0.5).toFixed(0)} and ${p99.toFixed(0)} ms of ${during.length} during`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};
