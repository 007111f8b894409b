import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { fillFaculty } from '../../../../src/server/seed/fill-faculty.ts';
import { quantile } from '../../../support/load/closed-loop.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerOn } from '../../support/stored.ts';

const SIMS = fileURLToPath(new URL('../../../../dist/server/cli/sims.js', import.meta.url));
const WRITERS = 8;
/** Milliseconds between two saves of one writer: simulates people who enter records, not maximum load. */
const PAUSE_MS = 20;
const STUDENTS = 20_000;
const BACKUPS = 5;
/** Before each backup. */
const QUIET_MS = 3_000;
/** The slowest of 100 saves may take so many times as long as without a backup, on the same machine. */
const MAX_SLOWDOWN = 4;

export const backedUp: Scenario = {
  name: 'backed-up',
  fault: `${BACKUPS} backups of ${STUDENTS} students are made in succession while ${WRITERS} users save records`,
  run: async (findings) => {
    const scratchFolder = mkdtempSync(path.join(tmpdir(), 'sims-backed-up-'));
    const folder = path.join(scratchFolder, 'data');
    const database = await openEmbedded(folder);
    await fillFaculty(database.write, { students: STUDENTS, seed: 3, intakes: 4 });
    await database.close();
    const server = await Server.start({ LOG_LEVEL: 'silent' }, folder);
    const runSims = async (...args: string[]) => {
      const env = { PATH: process.env.PATH, SIMS_DATA_DIR: folder };
      await promisify(execFile)(process.execPath, [SIMS, ...args], { env });
    };
    try {
      const api = await registerOn(server);
      const saves: { id: string; began: number; ended: number }[] = [];
      let isOver = false;
      const writers = Array.from({ length: WRITERS }, async () => {
        while (!isOver) {
          const student = aStudent();
          const began = performance.now();
          const answer = await api.send('POST', '/api/students', student);
          const text = await answer.text();
          findings.must(
            answer.status === 201,
            `a save during a backup is acknowledged, not ${answer.status}: ${text}`,
          );
          saves.push({ id: student.id, began, ended: performance.now() });
          await sleep(PAUSE_MS);
        }
      });
      let acknowledged: string[] = [];
      const backups: { began: number; ended: number }[] = [];
      // In turns, so that whatever else keeps the machine busy slows down both.
      for (let i = 1; i <= BACKUPS; i += 1) {
        await sleep(QUIET_MS);
        if (i === 1) acknowledged = saves.map(({ id }) => id);
        const began = performance.now();
        await runSims('backup', '--to', path.join(scratchFolder, `${i}.backup`));
        backups.push({ began, ended: performance.now() });
      }
      isOver = true;
      await Promise.all(writers);
      await server.stop();

      await runSims('restore', '--force', path.join(scratchFolder, '1.backup'));
      const restored = await openEmbedded(folder);
      const ids = await restored.read.selectFrom('students').select('id').execute();
      await restored.close();
      const storedIds = new Set(ids.map(({ id }) => id));
      const missing = acknowledged.filter((id) => !storedIds.has(id));
      findings.must(
        missing.length === 0,
        `the backup holds all writes acknowledged before it, missing: ${missing.join(', ')}`,
      );

      const getDurations = (some: typeof saves) => some.map(({ began, ended }) => ended - began);
      const isBeside = ({ began, ended }: (typeof saves)[number]) =>
        backups.some((backup) => ended > backup.began && began < backup.ended);
      const between = getDurations(saves.filter((save) => !isBeside(save)));
      const during = getDurations(saves.filter(isBeside));
      const p99 = quantile(during, 0.99);
      const limit = MAX_SLOWDOWN * quantile(between, 0.99);
      const seconds = backups.reduce((sum, { began, ended }) => sum + ended - began, 0) / 1_000;
      findings.must(
        p99 < limit,
        `99 of 100 saves are acknowledged within ${limit.toFixed(0)} ms, ${MAX_SLOWDOWN} times as long as without a backup, not ${p99.toFixed(0)}`,
      );
      findings.report(
        `${BACKUPS} backups in ${seconds.toFixed(1)} s; ${acknowledged.length} saves acknowledged before the first, ${missing.length} missing from it`,
      );
      findings.report(
        `saves p50 ${quantile(between, 0.5).toFixed(0)} ms, p99 ${quantile(between, 0.99).toFixed(0)} ms of ${between.length} between them; ${quantile(during, 0.5).toFixed(0)} and ${p99.toFixed(0)} ms of ${during.length} during`,
      );
    } finally {
      await server.dispose();
      await rm(scratchFolder, { recursive: true, force: true });
    }
  },
};
