import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { Api } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { aStudent } from '../../../support/records.ts';
import { outdatedDerivedData } from '../../support/derived-data.ts';
import type { Scenario } from '../../support/scenario.ts';
import { registerPatiently, storedOn } from '../../support/stored.ts';
import { strace, traced } from '../../support/tools.ts';

const ROUNDS = 20;
const SYNC_MS = 100;

export const savedTogether: Scenario = {
  name: 'saved-together',
  fault: `Of ten saves that share a sync of ${SYNC_MS} ms, two are refused and two clients go away, ${ROUNDS} times`,
  run: async (findings) => {
    if (strace === undefined) return findings.skip('strace is missing and cannot be installed here.');
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    const scratch = await mkdtemp(path.join(tmpdir(), 'sims-strace-'));
    try {
      const { token } = await registerPatiently(server);
      const api = new Api(server.url, token);
      const { id: taken } = await api.createStudent();
      const output = path.join(scratch, 'calls');
      const trace = await traced(server.pid ?? 0, [
        ...['-e', 'trace=fdatasync', '-e', `inject=fdatasync:delay_exit=${SYNC_MS}000`, '-o', output],
      ]);
      const create = async (id: string, leavesAfterMs?: number) => {
        const response = await fetch(`${server.url}/api/students`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(aStudent({ id })),
          ...(leavesAfterMs === undefined ? {} : { signal: AbortSignal.timeout(leavesAfterMs) }),
        }).catch(() => undefined);
        await response?.arrayBuffer();
        return response?.status ?? 0;
      };
      const ids: string[] = [];
      let [refused, left] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [kept, abandoned] = [6, 2].map((length) => Array.from({ length }, () => aStudent().id));
        const [saves, refusals, leavers] = await Promise.all([
          Promise.all((kept ?? []).map((id) => create(id))),
          Promise.all([taken, taken].map((id) => create(id))),
          Promise.all(
            (abandoned ?? []).map((id) => create(id, 10 + Math.floor(Math.random() * 3 * SYNC_MS))),
          ),
        ]);
        const isAsRequired =
          saves.every((status) => status === 201) && refusals.every((status) => status === 422);
        findings.must(isAsRequired, `six × 201 and two × 422, not ${saves.join()} and ${refusals.join()}`);
        ids.push(...(kept ?? []));
        refused += refusals.length;
        left += leavers.filter((status) => status === 0).length;
      }
      await trace.end();
      const syncs = (await readFile(output, 'utf8')).match(/= 0 \(DELAYED\)/g)?.length ?? 0;
      findings.must(syncs > 0 && syncs < ids.length, `${ids.length} saves share syncs, but had ${syncs}`);
      await server.kill();
      await server.restart();
      for (const id of ids) {
        findings.must((await storedOn(api)(`student/${id}`)) !== null, `${id} is stored after a kill`);
      }
      await server.stop();
      const database = await openEmbedded(server.dataDir);
      const outdated = await outdatedDerivedData(database);
      await database.close();
      findings.must(outdated.length === 0, `the list equals a recomputed one (${outdated.join()})`);
      findings.report(
        `${ids.length} saved, ${refused} refused, ${left} clients left, with ${syncs} syncs; the list equals a recomputed one`,
      );
    } finally {
      await server.dispose();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};
