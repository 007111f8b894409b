import { setTimeout as sleep } from 'node:timers/promises';
import { importCreatedReply, importPreview, importReply } from '../../../../src/contract/imports.ts';
import { equivalentPreview, equivalentReply } from '../../../../src/contract/schemes/equivalents.ts';
import {
  type Scheme,
  schemePreview,
  schemeReply,
  schemeSavedReply,
} from '../../../../src/contract/schemes/schemes.ts';
import { openEmbedded } from '../../../../src/server/db/sqlite/open-sqlite.ts';
import { CATALOGUE } from '../../../../src/server/seed/catalogue.ts';
import { fillFaculty } from '../../../../src/server/seed/fill-faculty.ts';
import { incorrectAverages } from '../../../../src/server/verify/derived-data.ts';
import { incorrectSchemes } from '../../../../src/server/verify/schemes.ts';
import { settingsWithoutHistory } from '../../../../src/server/verify/settings-history.ts';
import { Api, registerUser } from '../../../support/api.ts';
import { toCsv } from '../../../support/app/import-file.ts';
import { Server } from '../../../support/processes/server.ts';
import { outdatedDerivedData } from '../../support/derived-data.ts';
import type { Scenario } from '../../support/scenario.ts';

const STUDENTS = 6_000;
const INTAKES = 8;
const KILLS = 3;
const ROWS = 120;
/** Courses of the first semester, which every student has taken. */
const PAIR = { course_id: 1101, other_id: 1102 };

/** A change that is made as a whole or not at all. */
interface Act {
  name: string;
  /** Makes everything ready, so that the change is one call. */
  prepare: (api: Api) => Promise<{ make: () => Promise<number>; isMade: () => Promise<boolean> }>;
}

const draft = async (api: Api): Promise<Scheme> => {
  const body = { name: 'BE Computer', department: 'CE', degrees: null };
  return schemeSavedReply.parse(await api.post('/api/schemes', body)).scheme;
};

const readScheme = async (api: Api, { scheme_id }: Scheme) =>
  schemeReply.parse(await api.get(`/api/schemes/${scheme_id}`));

async function prepareImport(api: Api, scheme: Scheme): Promise<() => Promise<number>> {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const course = CATALOGUE[i % CATALOGUE.length];
    const hours = `${Math.min(3, course?.credits ?? 0)}+${Math.max(0, (course?.credits ?? 0) - 3)}`;
    return { semester: (i % 8) + 1, code: course?.code, hours };
  });
  const body = { kind: 'scheme', text: toCsv(rows), scheme_id: scheme.scheme_id };
  const { import_id } = importCreatedReply.parse(await api.post('/api/imports', body)).import;
  const url = `/api/imports/${import_id}`;
  const { fingerprint } = importPreview.parse(await api.post(`${url}/preview`, {}));
  return async () => {
    const { status } = await api.send('POST', `${url}/apply`, { fingerprint });
    return importReply.parse(await api.get(url)).state === 'applied' ? status : 0;
  };
}

const ACTS: readonly Act[] = [
  {
    name: 'an import of the rows of a scheme',
    prepare: async (api) => {
      const scheme = await draft(api);
      const make = await prepareImport(api, scheme);
      return {
        make,
        isMade: async () => {
          const { length } = (await readScheme(api, scheme)).rows;
          if (length !== 0 && length !== ROWS) throw new Error(`${length} rows are half of a scheme`);
          return length === ROWS;
        },
      };
    },
  },
  {
    name: 'a publication',
    prepare: async (api) => {
      const scheme = await draft(api);
      await (await prepareImport(api, scheme))();
      const path = `/api/schemes/${scheme.scheme_id}`;
      const { fingerprint } = schemePreview.parse(await api.get(`${path}/preview`));
      return {
        make: async () => (await api.send('POST', `${path}/publish`, { fingerprint })).status,
        isMade: async () => {
          const { number, published_at, in_force } = await readScheme(api, scheme);
          if ((number === null) === in_force || (number === null) !== (published_at === null))
            throw new Error('the scheme is half in force');
          return in_force;
        },
      };
    },
  },
  {
    name: 'two courses that count as one',
    prepare: async (api) => {
      const list = async () => equivalentReply.array().parse(await api.get('/api/equivalents'));
      for (const { equivalent_id } of await list()) {
        const path = `/api/equivalents/${equivalent_id}/removal`;
        const { fingerprint } = equivalentPreview.parse(await api.get(path));
        await api.post(path, { fingerprint });
      }
      const pair = { ...PAIR, degrees: ['46'] };
      const { fingerprint } = equivalentPreview.parse(await api.post('/api/equivalents/preview', pair));
      return {
        make: async () => (await api.send('POST', '/api/equivalents', { ...pair, fingerprint })).status,
        isMade: async () => (await list()).length > 0,
      };
    },
  },
];

export const schemeKilled: Scenario = {
  name: 'scheme-killed',
  fault: `The process is killed while a scheme is imported and published and courses are joined, ${KILLS} times each`,
  run: async (findings) => {
    const server = await Server.start({ LOG_LEVEL: 'silent' });
    try {
      await server.stop();
      const filled = await openEmbedded(server.dataDir);
      await fillFaculty(filled.write, { students: STUDENTS, seed: 3, intakes: INTAKES });
      await filled.close();
      await server.restart();
      const { token } = await registerUser(server.url);
      const api = new Api(server.url, token);
      for (const { name, prepare } of ACTS) {
        const usual = await prepare(api);
        const begun = performance.now();
        const status = await usual.make();
        const usualMs = performance.now() - begun;
        findings.must([200, 201].includes(status) && (await usual.isMade()), `${name} is made: ${status}`);
        let made = 0;
        for (let kill = 0; kill < KILLS; kill += 1) {
          const one = await prepare(api);
          const answered = one.make().catch(() => 0);
          await sleep((usualMs * (kill + Math.random())) / KILLS);
          await server.kill();
          const interrupted = await answered;
          await server.restart();
          const isMade = await one.isMade();
          made += Number(isMade);
          findings.must(
            interrupted < 300 && (interrupted === 0 || isMade),
            `${name}: what was acknowledged is stored`,
          );
          if (!isMade) findings.must((await one.make()) < 300, `${name}: it can be made after the restart`);
        }
        findings.report(
          `${name}: ${KILLS} kills in ${usualMs.toFixed(0)} ms, ${made} of them after it was stored`,
        );
      }
      await server.stop();

      const database = await openEmbedded(server.dataDir);
      const faults = [];
      for (const check of [incorrectAverages, incorrectSchemes, settingsWithoutHistory])
        for await (const fault of check(database.read)) faults.push(fault);
      faults.push(...(await outdatedDerivedData(database)));
      await database.close();
      findings.must(faults.length === 0, `nothing is half stored (${faults.slice(0, 5).join(' ')})`);
    } finally {
      await server.dispose();
    }
  },
};
