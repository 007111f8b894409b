/**
 * The assignment that an audit rests on; the audit of one student, compared with a bare server that runs the same statements and sends
 * as many bytes; two courses joined for 2,000 students, compared with a bare update of their CGPAs; the audit of a class and the
 * preview of two courses in a large faculty.
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { policyListReply, policyPreview } from '../../src/contract/grading/policies.ts';
import { equivalentPreview, MOST_CHANGED_STUDENTS } from '../../src/contract/schemes/equivalents.ts';
import { type AssignableCourse, assignCourses } from '../../src/domain/schemes/assignment.ts';
import type { Db } from '../../src/server/db/schema.ts';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { fillFaculty } from '../../src/server/seed/fill-faculty.ts';
import { readAudit } from '../../src/server/students/audit/read-audit.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aCourse } from '../../tests/support/records.ts';
import { rate, rateText, startBare } from '../support/bare/bare-rate.ts';
import { openFaculty } from '../support/faculty.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS || 1_000_000);
const SMALL = 10_000;
const MATCHING_MS = 5;
const CLASS_MS = 300;
/** Joining two courses may take this many times as long as the bare update. */
const JOIN_LIMIT = 3;
const TURNS = 20;
const RATE_TURNS = 3;

const told = (name: string, ms: number, most: number) =>
  console.log(`${name}: ${ms.toFixed(1)} ms (limit ${most}, ${ms <= most ? 'ok' : 'OVER'})`);

async function timed(act: () => unknown): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** The median of several turns, after three to warm up. */
async function median(act: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let turn = -3; turn < TURNS; turn += 1) {
    const time = await timed(act);
    if (turn >= 0) times.push(time);
  }
  return quantile(times, 0.5);
}

async function measureAssignment(): Promise<void> {
  const states = ['passed', 'passed', 'passed', 'in-progress', 'failed'] as const;
  const courses = Array.from({ length: 200 }, (_, i): AssignableCourse => {
    const rows = new Set([i % 60, (i * 7) % 60, (i * 11) % 60]);
    return { state: states[i % states.length] ?? 'passed', rows: [...rows] };
  });
  const time = await median(() => assignCourses(60, courses));
  told('Matching of 60 rows against 200 courses', time, MATCHING_MS);
}

/** The statements that an audit sends. */
async function recordStatements(
  db: Db,
  id: string,
): Promise<{ sql: string; parameters: readonly unknown[] }[]> {
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const recording = new Proxy(db, {
    get(target, name) {
      if (name === 'executeQuery')
        return (query: { sql: string; parameters: readonly unknown[] }) => {
          sent.push({ sql: query.sql, parameters: query.parameters });
          return target.executeQuery(query as Parameters<Db['executeQuery']>[0]);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await readAudit(recording, id, {});
  return sent;
}

interface JoinedStudent {
  student_id: string;
  semester: number;
  cgpa: number;
}

/** Gives 2,000 students who have results of all semesters two courses of their own. */
async function fill(
  dataDir: string,
  pair: { course_id: number; other_id: number },
): Promise<JoinedStudent[]> {
  const db = await openEmbedded(dataDir);
  await fillFaculty(db.write, { students: SMALL, seed: 1 });
  const full = db.read.selectFrom('semesters').select('student_id').where('semester', '=', 8);
  const ids = await full.orderBy('student_id').limit(MOST_CHANGED_STUDENTS).execute();
  for (const [semester, course_id] of [
    [1, pair.course_id],
    [2, pair.other_id],
  ] as const) {
    await db.write
      .updateTable('semester_subjects')
      .set({ course_id })
      .where('slot', '=', 1)
      .where('semester', '=', semester)
      .where(
        'student_id',
        'in',
        ids.map(({ student_id }) => student_id),
      )
      .execute();
  }
  const rows = await db.read
    .selectFrom('semesters')
    .select(['student_id', 'semester', 'cgpa'])
    .where(
      'student_id',
      'in',
      ids.map(({ student_id }) => student_id),
    )
    .orderBy('student_id')
    .orderBy('semester')
    .execute();
  await db.close();
  return rows;
}

/** The baseline: every CGPA of these students by prepared updates in a durable transaction. */
async function bareUpdate(file: string, rows: readonly JoinedStudent[]): Promise<number> {
  const database = (await loadSqliteEngine()).open(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const updateCgpa = database.prepare('update semesters set cgpa = ? where student_id = ? and semester = ?');
  const updateStudent = database.prepare('update students set cgpa = ? where id = ?');
  const time = await timed(() => {
    database.exec('begin');
    for (const { student_id, semester, cgpa } of rows) {
      updateCgpa.run(cgpa === 400 ? 399 : cgpa + 1, student_id, semester);
      if (semester === 8) updateStudent.run(cgpa === 400 ? 399 : cgpa + 1, student_id);
    }
    database.exec('commit');
  });
  database.close();
  return time;
}

/** The better attempt counts, so that joined attempts change CGPAs. */
async function makePolicy(api: Api): Promise<void> {
  const policy = { degrees: null, rules: { repeat_policy: 'best' } };
  const { fingerprint } = policyPreview.parse(await api.post('/api/policies/preview', policy));
  await api.post('/api/policies', { name: 'Best', ...policy, fingerprint });
  for (;;) {
    const [latest] = policyListReply.parse(await api.get('/api/policies'));
    if (latest?.progress === null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function measureSmall(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-bench-'));
  const server = await Server.start({ LOG_LEVEL: 'warn' });
  try {
    await server.stop();
    const [one, other] = [aCourse(), aCourse()];
    const pair = { course_id: one.course_id, other_id: other.course_id };
    const rows = await fill(server.dataDir, pair);
    const id = rows[0]?.student_id ?? '';
    const file = path.join(server.dataDir, 'sims.db');
    const statements = path.join(folder, 'statements.json');
    const db = await openEmbedded(server.dataDir);
    await writeFile(statements, JSON.stringify(await recordStatements(db.read, id)));
    await db.close();
    await server.restart();
    const { token } = await registerUser(server.url);
    const api = new Api(server.url, token);
    await measureStudent(server, token, { id, file, statements });

    for (const course of [one, other]) await api.post('/api/courses', course);
    await makePolicy(api);
    const asked = { ...pair, degrees: null };
    const preview = equivalentPreview.parse(await api.post('/api/equivalents/preview', asked));
    const copy = path.join(folder, 'bare.db');
    await server.stop();
    await copyFile(file, copy);
    await server.restart();
    const { fingerprint } = preview;
    const own = await timed(() => api.post('/api/equivalents', { ...asked, fingerprint }));
    const limit = await bareUpdate(copy, rows);
    const ratio = own / limit;
    console.log(
      `Two courses joined for ${preview.changed_students} students: ${own.toFixed(0)} ms, bare update ${limit.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (limit ${JOIN_LIMIT}, ${ratio <= JOIN_LIMIT ? 'ok' : 'OVER'})`,
    );
  } finally {
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureStudent(
  server: Server,
  token: string,
  { id, file, statements }: { id: string; file: string; statements: string },
): Promise<void> {
  const url = `${server.url}/api/students/${id}/audit`;
  const bare = await startBare(file, id, statements);
  try {
    await rate(url, token); // warm
    const headers = { authorization: `Bearer ${token}` };
    const { byteLength } = await (await fetch(url, { headers })).arrayBuffer();
    const [own, limit] = [[] as number[], [] as number[]];
    // In turns, since the speed of the machine changes.
    for (let turn = 0; turn < RATE_TURNS; turn += 1) {
      own.push(await rate(url, token));
      limit.push(await rate(`${bare.url}/statements?bytes=${byteLength}`, token));
    }
    const text = rateText(quantile(own, 0.5), quantile(limit, 0.5));
    console.log(`The audit of a student of 8 semesters: ${text}`);
  } finally {
    bare.process.kill('SIGTERM');
  }
}

async function measureLarge(): Promise<void> {
  const faculty = await openFaculty(STUDENTS);
  const db = await openEmbedded(faculty.dataDir);
  const { department, degree, syn, students } = await db.read
    .selectFrom('students')
    .select(['department', 'degree', 'syn', (eb) => eb.fn.countAll<number>().as('students')])
    .where('current_sem', '=', 7)
    .groupBy(['department', 'degree', 'syn'])
    .orderBy('students', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.close();
  const server = await Server.start({ SIMS_DATA_DIR: faculty.dataDir, LOG_LEVEL: 'warn' });
  try {
    const { token } = await registerUser(server.url);
    const api = new Api(server.url, token);
    const report = `/api/reports/audit?department=${department}&degree=${degree}&syn=${syn}`;
    const perStudent = (await median(() => api.get(report))) / Number(students);
    told(`Audit of a class, for 60 of ${students} students`, perStudent * 60, CLASS_MS);
    const pair = { course_id: 5101, other_id: 5121 };
    for (const degrees of [[degree], null]) {
      const preview = await timed(() => api.post('/api/equivalents/preview', { ...pair, degrees }));
      const batches = degrees === null ? 'all batches' : 'one batch';
      console.log(`Preview of two electives, ${batches}: ${preview.toFixed(0)} ms`);
    }
  } finally {
    await server.dispose();
  }
}

await measureAssignment();
await measureSmall();
await measureLarge();
