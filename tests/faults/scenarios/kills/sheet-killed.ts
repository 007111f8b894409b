import { setTimeout as sleep } from 'node:timers/promises';
import { historyReply } from '../../../../src/contract/history.ts';
import { confirmPreview } from '../../../../src/contract/marksheets/confirmation.ts';
import { checksReply } from '../../../../src/contract/marksheets/grading.ts';
import { type Sheet, sheetSavedReply, sheetShowReply } from '../../../../src/contract/marksheets/sheets.ts';
import { termSavedReply } from '../../../../src/contract/terms.ts';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { runChecks } from '../../../../src/server/verify/checks.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { Server } from '../../../support/processes/server.ts';
import { aCourse, aStudent, aTerm, unique } from '../../../support/records.ts';
import type { Scenario } from '../../support/scenario.ts';

const STUDENTS = 200;
const KILLS = 6;
/** Students without semester 1: their rows are left at the confirmation, and recorded later. */
const LATE = 60;

export const sheetKilled: Scenario = {
  name: 'sheet-killed',
  fault: `The process is killed while it confirms a mark sheet of ${STUDENTS} students, ${KILLS} times, and while it records what was left`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      const { token } = await registerUser(server.url);
      const api = new Api(server.url, token);
      const degree = unique();
      const ids = Array.from({ length: STUDENTS }, (_, i) => `${degree}-${i}`);
      const late = Array.from({ length: LATE }, (_, i) => `${degree}-late-${i}`);
      for (const id of [...ids, ...late]) {
        await api.post('/api/students', aStudent({ id, degree, department: 'CE', current_sem: 1 }));
      }
      const { term_id } = termSavedReply.parse(await api.post('/api/terms', aTerm())).term;

      /** A submitted sheet in a course of its own; each fills the next free slot of semester 1. */
      const prepare = async (listed: readonly string[] = ids) => {
        const course = aCourse();
        await api.post('/api/courses', course);
        const body = {
          ...{ course_id: course.course_id, term_id, title: unique(), credits: 3, semester: 1 },
          ...{ department: 'CE', degree, ids: listed },
          categories: [
            { name: 'Final', weight: 100, best_of: null, components: [{ name: 'Final', max: 100 }] },
          ],
        };
        const { sheet } = sheetSavedReply.parse(await api.post('/api/sheets', body));
        const path = `/api/sheets/${sheet.sheet_id}`;
        const component_id = sheet.categories[0]?.components[0]?.component_id;
        const cells = listed.map((student_id, i) => ({
          ...{ student_id, component_id, value: 50 + (i % 50), was: null },
        }));
        await api.send('PUT', `${path}/cells`, { cells });
        const { warnings } = checksReply.parse(await api.get(`${path}/checks`));
        const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the board']));
        await api.post(`${path}/submit`, { reasons });
        return path;
      };
      const confirm = async (path: string) => {
        const { fingerprint } = confirmPreview.parse(await api.get(`${path}/confirm`));
        return (await api.send('POST', `${path}/confirm`, { fingerprint })).status;
      };
      const read = async (path: string): Promise<Sheet> => sheetShowReply.parse(await api.get(path)).sheet;
      /** Students whose record has the result of the sheet. */
      const countResults = async ({ title }: Sheet, listed: readonly string[] = ids) => {
        const subjects = await Promise.all(
          listed.map(async (id) => JSON.stringify(await api.get(`/api/students/${id}/cgpa`))),
        );
        return subjects.filter((text) => text.includes(`"${title}"`)).length;
      };

      const undisturbed = await prepare();
      const startedAt = performance.now();
      const status = await confirm(undisturbed);
      const usualMs = performance.now() - startedAt;
      findings.must(status === 200, `an undisturbed confirmation answers 200, not ${status}`);

      const states: string[] = [];
      for (let i = 0; i < KILLS; i += 1) {
        const path = await prepare();
        const { fingerprint } = confirmPreview.parse(await api.get(`${path}/confirm`));
        const confirmed = api.send('POST', `${path}/confirm`, { fingerprint }).then(
          (answer) => answer.status,
          () => 0,
        );
        await sleep(usualMs * (0.05 + (i + Math.random()) / KILLS));
        await server.kill();
        const interruptedStatus = await confirmed;
        await server.restart();
        const sheet = await read(path);
        const results = await countResults(sheet);
        states.push(sheet.state);
        findings.must(
          (sheet.state === 'submitted' && results === 0) ||
            (sheet.state === 'confirmed' && results === STUDENTS),
          `none or all, and the state says which: ${results} and ${sheet.state}`,
        );
        findings.must(
          interruptedStatus !== 200 || sheet.state === 'confirmed',
          'an acknowledged confirmation is stored',
        );
        if (sheet.state === 'submitted') {
          const again = await confirm(path);
          findings.must(again === 200, `it can be confirmed after the restart: ${again}`);
        }
      }

      // Their rows are blocked while they are deleted.
      const path = await prepare([...ids, ...late]);
      for (const id of late) await api.send('DELETE', `/api/students/${id}`);
      const { fingerprint } = confirmPreview.parse(await api.get(`${path}/confirm`));
      const left = await api.send('POST', `${path}/confirm`, { fingerprint, leave: late });
      findings.must(left.status === 200, `blocked rows can be left: ${left.status}`);
      for (const id of late) {
        const { entries } = historyReply.parse(await api.get(`/api/students/${id}/history`));
        await api.post(`/api/history/${entries[0]?.id}/restore?state=before`, {});
      }
      const remainders: number[] = [];
      for (let i = 0; i < KILLS; i += 1) {
        const preview = confirmPreview.parse(await api.get(`${path}/remaining`));
        const recording = api.send('POST', `${path}/remaining`, { fingerprint: preview.fingerprint }).then(
          (answer) => answer.status,
          () => 0,
        );
        await sleep((usualMs * LATE * (i + Math.random())) / STUDENTS / KILLS);
        await server.kill();
        const interruptedStatus = await recording;
        await server.restart();
        const sheet = await read(path);
        const results = await countResults(sheet, late);
        const recorded = sheet.rows.filter((row) => row.recorded && late.includes(row.student_id)).length;
        remainders.push(results);
        findings.must(
          results === recorded && (results === 0 || results === LATE),
          `what was left is recorded as a whole: ${results} results, ${recorded} rows`,
        );
        findings.must(interruptedStatus !== 200 || results === LATE, 'an acknowledged record is stored');
        if (results === LATE) break;
      }
      if (remainders.at(-1) !== LATE) {
        const rest = confirmPreview.parse(await api.get(`${path}/remaining`));
        const again = await api.send('POST', `${path}/remaining`, { fingerprint: rest.fingerprint });
        findings.must(again.status === 200, `it can be recorded after the restart: ${again.status}`);
      }
      await server.stop();
      const db = await openEmbedded(server.dataDir);
      const faults = await runChecks(db.read, () => {});
      await db.close();
      findings.must(
        faults.length === 0,
        `every check is in order: ${faults.map(({ title }) => title).join()}`,
      );
      findings.report(`after ${KILLS} kills: ${states.join(', ')}; of those left ${remainders.join(', ')}`);
    } finally {
      await server.dispose();
    }
  },
};
