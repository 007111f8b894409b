/** Documents: computing of one, a class of 500 in one file, delay of other requests meanwhile, and checks of codes. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import {
  documentBatch,
  documentsCreatedReply,
  type IssuedDocument,
  registerReply,
} from '../../src/contract/documents/documents.ts';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { computedMs, residentMib } from '../../tests/support/load/resident.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { rate, rateText, startBare } from '../support/bare/bare-rate.ts';
import { openFaculty, short } from '../support/faculty.ts';
import { timeWhile } from '../support/time-while.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS ?? 10_000);
const DOCUMENTS = 500;
const SINGLE = 20;
/** `delay`: maximum factor by which other requests may slow down. */
const LIMITS = { computedMs: 150, fileSeconds: 60, growthMib: 150, delay: 5, checks: 2_000 };
const IDLE_MS = 3_000;

const verdict = (value: number, limit: number) => `limit ${limit}, ${value <= limit ? 'ok' : 'OVER'}`;

/** The codes of documents, which no call answers. */
async function readCodes(file: string): Promise<string[]> {
  const database = (await loadSqliteEngine()).open(file);
  const rows = database.prepare('select code from documents order by serial').all() as { code: string }[];
  database.close();
  return rows.map(({ code }) => code);
}

const faculty = await openFaculty(STUDENTS);
const dataDir = mkdtempSync(path.join(tmpdir(), 'sims-bench-documents-'));
cpSync(faculty.dataDir, dataDir, { recursive: true });
const file = path.join(dataDir, 'sims.db');
const server = await Server.start({ LOG_LEVEL: 'warn', SIMS_DATA_DIR: dataDir });
try {
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);
  await api.nameInstitution();
  const { students } = await api.get<{ students: { id: string }[] }>(
    `/api/students?current_sem=8&sort=cgpa&direction=descending&limit=${DOCUMENTS}`,
  );
  const ids = students.map(({ id }) => id);
  const order = { kind: 'transcript', official: true };
  console.log(`Transcripts in a faculty of ${short(STUDENTS)}, ${ids.length} students of the last semester:`);

  const issueOne = async (id: string) =>
    documentsCreatedReply.parse(await api.post('/api/documents', { ...order, ids: [id] }));
  await issueOne(ids[0] ?? '');
  const before = computedMs(server.pid);
  const started = performance.now();
  for (const id of ids.slice(0, SINGLE)) await issueOne(id);
  const computed = (computedMs(server.pid) - before) / SINGLE;
  console.log(
    `  one: ${((performance.now() - started) / SINGLE).toFixed(0)} ms, ${computed.toFixed(0)} ms of computing (${verdict(computed, LIMITS.computedMs)})`,
  );

  const reading = { api, path: '/api/students', users: 1 };
  const idle = quantile((await timeWhile(reading, setTimeout(IDLE_MS))).times, 0.99);
  const resident = residentMib(server.pid) ?? 0;
  const issueAll = async () => {
    const begun = performance.now();
    const made = documentsCreatedReply.parse(await api.post('/api/documents', { ...order, ids }));
    const url = `/api/documents/batches/${made.batch_id}`;
    let highest = 0;
    for (;;) {
      highest = Math.max(highest, residentMib(server.pid) ?? 0);
      const { state } = documentBatch.parse(await api.get(url));
      if (state !== 'running') break;
      await setTimeout(200);
    }
    const issued = (performance.now() - begun) / 1_000;
    const fetched = performance.now();
    const response = await api.send('GET', `${url}.pdf`);
    if (response.status !== 200 || response.body === null) throw new Error(`Answered ${response.status}.`);
    let bytes = 0;
    for await (const piece of response.body) {
      bytes += piece.length;
      highest = Math.max(highest, residentMib(server.pid) ?? 0);
    }
    return { issued, written: (performance.now() - fetched) / 1_000, mib: bytes / 2 ** 20, highest };
  };
  const { result, times } = await timeWhile(reading, issueAll());
  const growth = result.highest - resident;
  const busy = quantile(times, 0.99);
  console.log(
    `  ${ids.length}: issued in ${result.issued.toFixed(1)} s; one file of ${result.mib.toFixed(1)} MiB in ${result.written.toFixed(1)} s (${verdict(result.written, LIMITS.fileSeconds)}); memory ${growth.toFixed(0)} MiB more at most (${verdict(growth, LIMITS.growthMib)})`,
  );
  console.log(
    `  first pages of the list meanwhile, p99: idle ${idle.toFixed(1)} ms, during it ${busy.toFixed(1)} ms of ${times.length}, ratio ${(busy / idle).toFixed(2)} (${verdict(busy / idle, LIMITS.delay)})`,
  );

  const [code = ''] = await readCodes(file);
  const [first]: IssuedDocument[] = registerReply.parse(await api.get('/api/documents?limit=1'));
  const bare = await startBare(file, first?.student_id ?? '');
  try {
    const own = await rate(`${server.url}/api/verify/${code}`);
    const isEnough = own >= LIMITS.checks ? `, and at least ${LIMITS.checks}/s: ok` : '';
    console.log(`  checks of a signed code: ${rateText(own, await rate(bare.url))}${isEnough}`);
  } finally {
    bare.process.kill();
  }
} finally {
  await server.dispose();
  rmSync(dataDir, { recursive: true });
}
