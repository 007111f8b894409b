/**
 * Explanation and standing of one student, compared with a bare server that runs the same statements and sends as
 * many bytes; a policy applied to a
 * whole faculty, compared with a bare update of its CGPAs; and the share of the policies in a save.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { policyListReply, policyPreview } from '../../src/contract/grading/policies.ts';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { fillFaculty } from '../../src/server/seed/fill-faculty.ts';
import { loadPolicies } from '../../src/server/students/grading/policies.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aSemester } from '../../tests/support/records.ts';
import { rate, rateText, startBare } from '../support/bare/bare-rate.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS || 10_000);
/** A policy may take this many times as long as the bare update. */
const APPLY_LIMIT = 3;
/** Students per commit of the product, and so of the bare update. */
const PIECE = 50;
const TURNS = 5;
const LOOK_UPS = 2_000;
const SAVES = 200;

/** The baseline: every CGPA, and the policy of every student, by prepared updates in as many durable transactions. */
async function bareUpdate(file: string): Promise<number> {
  const database = (await loadSqliteEngine()).open(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const rows = database
    .prepare('select student_id, semester, cgpa from semesters order by student_id')
    .all() as {
    student_id: string;
    semester: number;
    cgpa: number;
  }[];
  const students = new Map<string, typeof rows>();
  for (const row of rows) {
    const own = students.get(row.student_id);
    if (own === undefined) students.set(row.student_id, [row]);
    else own.push(row);
  }
  const updateCgpa = database.prepare('update semesters set cgpa = ? where student_id = ? and semester = ?');
  const updateStudent = database.prepare('update students set policy_id = ?, cgpa = ? where id = ?');
  const before = performance.now();
  for (const [i, [id, semesters]] of [...students].entries()) {
    if (i % PIECE === 0) database.exec(i === 0 ? 'begin' : 'commit; begin');
    for (const { semester, cgpa } of semesters) updateCgpa.run(cgpa === 400 ? 399 : cgpa + 1, id, semester);
    updateStudent.run(2, (semesters.at(-1)?.cgpa ?? 0) + 1, id);
  }
  database.exec('commit');
  const time = performance.now() - before;
  database.close();
  return time;
}

/** Everybody repeats a course in each semester after the first, so that all later CGPAs change with the repeat policy. */
async function fill(dataDir: string): Promise<string> {
  const db = await openEmbedded(dataDir);
  await fillFaculty(db.write, { students: STUDENTS, seed: 1 });
  await db.write.updateTable('semester_subjects').set({ course_id: 1 }).where('slot', '=', 1).execute();
  const { student_id } = await db.read
    .selectFrom('semesters')
    .select('student_id')
    .where('semester', '=', 8)
    .orderBy('student_id')
    .executeTakeFirstOrThrow();
  const times: number[] = [];
  for (let i = 0; i < LOOK_UPS; i += 1) {
    const before = performance.now();
    await loadPolicies(db.read);
    times.push(performance.now() - before);
  }
  console.log(`Looking up the policies: median ${(1_000 * quantile(times, 0.5)).toFixed(0)} µs`);
  await db.close();
  return student_id;
}

async function applyPolicy(api: Api): Promise<number> {
  const policy = { degrees: null, rules: { repeat_policy: 'best' } };
  const start = performance.now();
  const preview = policyPreview.parse(await api.post('/api/policies/preview', policy));
  const previewed = performance.now();
  console.log(
    `Preview: ${preview.changed_students} of ${preview.students} students in ${(previewed - start).toFixed(0)} ms`,
  );
  await api.post('/api/policies', { name: 'Bench', ...policy, fingerprint: preview.fingerprint });
  // The reply comes after one more preview, which is the greater part of it; the pieces follow.
  const made = performance.now();
  for (;;) {
    const [latest] = policyListReply.parse(await api.get('/api/policies'));
    if (latest?.progress === null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log(`The call: ${(made - previewed).toFixed(0)} ms`);
  return performance.now() - made;
}

const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-'));
const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  await server.stop();
  const id = await fill(server.dataDir);
  const file = path.join(server.dataDir, 'sims.db');
  const copy = path.join(folder, 'bare.db');
  await copyFile(file, copy);
  await server.restart();
  const { token } = await registerUser(server.url);
  const api = new Api(server.url, token);

  const bare = await startBare(file, id);
  try {
    for (const [title, call] of [
      ['The explanation of a CGPA', 'cgpa'],
      ['The standing of a student', 'standing'],
    ]) {
      const url = `${server.url}/api/students/${id}/${call}`;
      await rate(url, token); // warm
      const { byteLength } = await (
        await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      ).arrayBuffer();
      const [own, limit] = [[] as number[], [] as number[]];
      // In turns, since the speed of the machine changes.
      for (let turn = 0; turn < TURNS; turn += 1) {
        own.push(await rate(url, token));
        limit.push(await rate(`${bare.url}/results?bytes=${byteLength}`, token));
      }
      console.log(`${title} of 8 semesters: ${rateText(quantile(own, 0.5), quantile(limit, 0.5))}`);
    }
  } finally {
    bare.process.kill('SIGTERM');
  }

  const saved = await api.createRecord([[], []]);
  const times: number[] = [];
  const record = (await api.get(`/api/students/${saved.id}`)) as { academics: { academic_id: number }[] };
  const url = `/api/students/academics/${record.academics[0]?.academic_id}`;
  for (let i = 0; i < SAVES; i += 1) {
    const subjects = [{ title: 'Statics', credits: 3, grade: i % 2 === 0 ? 'A' : 'B' }] as const;
    const before = performance.now();
    await api.send('PUT', url, aSemester(saved.id, 1, subjects));
    times.push(performance.now() - before);
  }
  console.log(`A save of a semester, with that look-up: median ${quantile(times, 0.5).toFixed(2)} ms`);

  const own = await applyPolicy(api);
  const limit = await bareUpdate(copy);
  const ratio = own / limit;
  console.log(
    `A policy applied to ${STUDENTS.toLocaleString('en')} students: ${own.toFixed(0)} ms, bare update ${limit.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (limit ${APPLY_LIMIT}, ${ratio <= APPLY_LIMIT ? 'ok' : 'OVER'})`,
  );
} finally {
  await server.dispose();
  await rm(folder, { recursive: true, force: true });
}
