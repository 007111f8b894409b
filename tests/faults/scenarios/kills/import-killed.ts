import { setTimeout as sleep } from 'node:timers/promises';
import { importCreatedReply, importPreview, importReply } from '../../../../src/contract/imports.ts';
import { inventFaculty } from '../../../../src/server/seed/invent-faculty.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { toCsv } from '../../../support/app/import-file.ts';
import { Server } from '../../../support/processes/server.ts';
import type { Scenario } from '../../support/scenario.ts';

const STUDENTS = 3_000;
const KILLS = 5;

/** Base records as CSV, with IDs that no other file has. */
function buildFile(prefix: string): string {
  const rows: object[] = [];
  for (const { student } of inventFaculty({ students: STUDENTS, seed: 1, intakes: 8 })) {
    const { img: _, ...base } = student;
    rows.push({ ...base, id: `${prefix}-${student.id}` });
  }
  return toCsv(rows);
}

export const importKilled: Scenario = {
  name: 'import-killed',
  fault: `The process is killed while it applies an import of ${STUDENTS} students, ${KILLS} times`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      const api = new Api(server.url, token);
      const prepare = async (name: string) => {
        const body = { kind: 'students', text: buildFile(name) };
        const { import_id } = importCreatedReply.parse(await api.post('/api/imports', body)).import;
        const url = `/api/imports/${import_id}`;
        return { url, preview: importPreview.parse(await api.post(`${url}/preview`, {})) };
      };
      const apply = async ({ url, preview: { fingerprint } }: Awaited<ReturnType<typeof prepare>>) =>
        (await api.send('POST', `${url}/apply`, { fingerprint })).status;
      const countStudents = async () => (await api.get<{ total: number }>('/api/students?limit=1')).total;

      const usual = await prepare('usual');
      const startedAt = performance.now();
      const status = await apply(usual);
      const usualMs = performance.now() - startedAt;
      findings.must(status === 200, `an undisturbed import answers 200, not ${status}`);

      const states: string[] = [];
      for (let i = 0; i < KILLS; i += 1) {
        const before = await countStudents();
        const one = await prepare(`kill${i}`);
        const applied = apply(one).catch(() => 0);
        await sleep(usualMs * (0.1 + (2 * (i + Math.random())) / KILLS));
        await server.kill();
        const interruptedStatus = await applied;
        await server.restart();
        const { state } = importReply.parse(await api.get(one.url));
        const added = (await countStudents()) - before;
        states.push(state);
        findings.must(
          (state === 'previewed' && added === 0) || (state === 'applied' && added === STUDENTS),
          `none or all, and the state says which: ${added} and ${state}`,
        );
        findings.must(interruptedStatus !== 200 || state === 'applied', 'an acknowledged import is stored');
        if (state === 'previewed') {
          const again = await apply(one);
          findings.must(again === 200, `it can be applied after the restart: ${again}`);
        }
      }
      findings.report(`after ${KILLS} kills: ${states.join(', ')}`);
    } finally {
      await server.dispose();
    }
  },
};
