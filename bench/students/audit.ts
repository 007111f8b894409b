/** The audit of a class by a scheme in force, the assignment that it rests on, and equivalents that change many CGPAs. */
import { performance } from 'node:perf_hooks';
import { type AssignableCourse, assignCourses } from '../../src/domain/schemes/assignment.ts';
import { openEmbedded } from '../../src/server/db/sqlite/open-sqlite.ts';
import { seedFaculty } from '../../src/server/seed/seed-faculty.ts';
import { registerUser } from '../../tests/support/api.ts';
import { quantile } from '../../tests/support/load/closed-loop.ts';
import { Server } from '../../tests/support/processes/server.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS || 1_000_000);
const MATCHING_MS = 5;
const CLASS_MS = 300;
const TURNS = 20;

const told = (name: string, ms: number, most: number) =>
  console.log(`${name}: ${ms.toFixed(1)} ms (limit ${most}, ${ms <= most ? 'ok' : 'OVER'})`);

/** The median of several turns, after three to warm up. */
async function median(act: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let turn = -3; turn < TURNS; turn += 1) {
    const begun = performance.now();
    await act();
    if (turn >= 0) times.push(performance.now() - begun);
  }
  return quantile(times, 0.5);
}

const states = ['passed', 'passed', 'passed', 'in-progress', 'failed'] as const;
const courses = Array.from({ length: 200 }, (_, i): AssignableCourse => {
  const rows = new Set([i % 60, (i * 7) % 60, (i * 11) % 60]);
  return { state: states[i % states.length] ?? 'passed', rows: [...rows] };
});
told('Matching of 60 rows against 200 courses', await median(() => assignCourses(60, courses)), MATCHING_MS);

const server = await Server.start({ LOG_LEVEL: 'warn' });
try {
  await server.stop();
  const db = await openEmbedded(server.dataDir);
  await seedFaculty(db.write, { students: STUDENTS, seed: 1 });
  const largest = await db.read
    .selectFrom('students')
    .select(['department', 'degree', 'syn', (eb) => eb.fn.countAll<number>().as('students')])
    .where('current_sem', '=', 8)
    .groupBy(['department', 'degree', 'syn'])
    .orderBy('students', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { department, degree, syn } = largest;
  const taken = await db.read
    .selectFrom('semester_subjects as t')
    .innerJoin('students as s', 's.id', 't.student_id')
    .select(['t.semester', 't.title', 't.course_id'])
    .distinct()
    .where('s.department', '=', department)
    .where('s.degree', '=', degree)
    .where('s.syn', '=', syn)
    .orderBy('t.semester')
    .limit(60)
    .execute();
  const rows = taken.map(({ semester, title, course_id }, i) => ({
    ...{ key: `R-${i}`, semester, title, theory: 3, lab: 0 },
    ...{ options: [course_id ?? i + 1], needs: [] },
  }));
  await db.write
    .insertInto('schemes')
    .values({
      ...{ number: 1, name: 'Bench', department, degrees: null, rows: JSON.stringify(rows), version: 2 },
      ...{ created_at: new Date().toISOString(), created_name: 'Bench' },
      ...{ published_at: new Date().toISOString(), published_name: 'Bench' },
    })
    .execute();
  await db.close();
  await server.restart();
  const { token } = await registerUser(server.url);
  const read = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    return answer.json();
  };
  const path = `/api/reports/audit?department=${department}&degree=${degree}&syn=${syn}`;
  const perStudent = (await median(() => read(path))) / Number(largest.students);
  told(`Audit of a class, for 60 of ${largest.students} students`, perStudent * 60, CLASS_MS);
} finally {
  await server.dispose();
}
