import { setTimeout as sleep } from 'node:timers/promises';
import { cgpaReply } from '../../../../src/contract/grading/grading.ts';
import { policyListReply, policyPreview } from '../../../../src/contract/grading/policies.ts';
import { recordReply } from '../../../../src/contract/students/students.ts';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { fillFaculty } from '../../../../src/server/seed/fill-faculty.ts';
import { reindexAll } from '../../../../src/server/students/derived/reindex.ts';
import { incorrectAverages, staleIndexRows } from '../../../../src/server/verify/derived-data.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { outdatedDerivedData } from '../../support/derived-data.ts';
import type { Scenario } from '../../support/scenario.ts';

const STUDENTS = 6_000;
const MOST_KILLS = 20;
/** Students whose explanation is compared with their record after each kill. */
const COMPARED = 40;

export const policyKilled: Scenario = {
  name: 'policy-killed',
  fault: `The process is killed again and again while a policy is applied to ${STUDENTS} students`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      await server.stop();
      const ids = await fill(server.dataDir);
      await server.restart();
      const { token } = await registerUser(server.url);
      const api = new Api(server.url, token);
      const policy = { degrees: null, rules: { repeat_policy: 'best' } };
      const preview = policyPreview.parse(await api.post('/api/policies/preview', policy));
      await api.post('/api/policies', { name: 'Best', ...policy, fingerprint: preview.fingerprint });

      const reached: number[] = [];
      for (let kills = 0; kills < MOST_KILLS; kills += 1) {
        await sleep(50 + 150 * Math.random());
        await server.kill();
        await server.restart();
        const done = await progress(api);
        if (done === null) break;
        reached.push(done);
        for (const id of sample(ids)) {
          const before = await readCgpa(api, id);
          if (before.semester === null) continue;
          const path = `/api/students/${id}/cgpa?semester=${before.semester}`;
          const explained = cgpaReply.parse(await api.get(path)).cgpa;
          // The policy may reach the student between the calls.
          const figures = [before.cgpa, (await readCgpa(api, id)).cgpa];
          findings.must(
            figures.includes(explained),
            `${id}: the explanation says ${explained}, the record ${figures.join(', then ')}`,
          );
        }
      }
      findings.must(reached.length > 0, 'at least one kill comes before the policy is applied');
      findings.must(
        reached.every((done, i) => done >= (reached[i - 1] ?? 0)),
        `no start begins again: ${reached.join(', ')}`,
      );
      while ((await progress(api)) !== null) await sleep(50);
      await server.stop();

      const database = await openEmbedded(server.dataDir);
      const faults: string[] = [];
      for await (const fault of incorrectAverages(database.read)) faults.push(fault);
      for await (const fault of staleIndexRows(database.read)) faults.push(fault);
      faults.push(...(await outdatedDerivedData(database)));
      await database.close();
      findings.must(
        faults.length === 0,
        `all figures are by the new policy (${faults.slice(0, 5).join(' ')})`,
      );
      findings.report(
        `${reached.length} kills at ${reached.join(', ')} students; all figures right after it`,
      );
    } finally {
      await server.dispose();
    }
  },
};

/** Everybody repeats a course in each semester, so that all CGPAs but the first change. Returns the IDs. */
async function fill(dataDir: string): Promise<string[]> {
  const database = await openEmbedded(dataDir);
  await fillFaculty(database.write, { students: STUDENTS, seed: 3 });
  await database.write.updateTable('semester_subjects').set({ course_id: 1 }).where('slot', '=', 1).execute();
  await database.write.transaction().execute(reindexAll);
  const rows = await database.read.selectFrom('students').select('id').execute();
  await database.close();
  return rows.map(({ id }) => id);
}

/** How many students the newest policy has reached; null once all. */
async function progress(api: Api): Promise<number | null> {
  const [latest] = policyListReply.parse(await api.get('/api/policies'));
  return latest?.progress?.done ?? null;
}

/** The CGPA shown on a record, and the last semester that it includes. */
async function readCgpa(api: Api, id: string) {
  const summary = recordReply.parse(await api.get(`/api/students/${id}`))?.academics_summary;
  return { cgpa: summary?.latest_cgpa ?? null, semester: summary?.latest_cgpa_semester ?? null };
}

const sample = (ids: readonly string[]) =>
  Array.from({ length: COMPARED }, () => ids[Math.floor(Math.random() * ids.length)] ?? '');
