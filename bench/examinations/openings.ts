/** A term opened for 16 classes of 40 in one act, a student added to a mark sheet with all checks, and a teacher's Home. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { openingPreview, openingUndo } from '../../src/contract/marksheets/openings.ts';
import { sheetListReply } from '../../src/contract/marksheets/sheets.ts';
import { schemePreview, schemeSavedReply } from '../../src/contract/schemes/schemes.ts';
import { termSavedReply } from '../../src/contract/terms.ts';
import { loadSqliteEngine } from '../../src/server/db/sqlite/engine.ts';
import { Api, registerUser } from '../../tests/support/api.ts';
import { quantile, timeCalls } from '../../tests/support/load/closed-loop.ts';
import { Server } from '../../tests/support/processes/server.ts';
import { aCourse, aStudent, aTerm, unique } from '../../tests/support/records.ts';
import { openFaculty, short } from '../support/faculty.ts';
import { timeWhile } from '../support/time-while.ts';

const STUDENTS = Number(process.env.SIMS_BENCH_STUDENTS ?? 10_000);
const CLASS_SIZE = 40;
const ADDED = 40;
const SEMESTERS = [2, 4, 6, 8];
const COURSES_EACH = 6;
const LIMIT = { previewMs: 1_000, openMs: 3_000, othersRatio: 5, addMs: 10, homeMs: 20 };
const DEPARTMENTS = ['CE', 'EE', 'ME', 'MTS'] as const;

const report = (what: string, figure: string, share: number) =>
  console.log(`${what.padEnd(42)} ${figure}; ${share.toFixed(2)} of the limit${share > 1 ? ', OVER' : ''}`);

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; ms: number }> {
  const begin = performance.now();
  const result = await work;
  return { result, ms: performance.now() - begin };
}

// A copy, as what is opened and registered stays.
const faculty = await openFaculty(STUDENTS);
const dataDir = await mkdtemp(path.join(tmpdir(), 'sims-openings-'));
await copyFile(path.join(faculty.dataDir, 'sims.db'), path.join(dataDir, 'sims.db'));
const server = await Server.start({ SIMS_DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
try {
  const boss = await registerUser(server.url);
  // The first account of a kept faculty may be there already.
  const database = (await loadSqliteEngine()).open(path.join(dataDir, 'sims.db'));
  database.prepare("update users set role = 'admin' where id = ?").run(boss.user.id);
  database.close();
  const admin = new Api(server.url, boss.token);
  const degrees = SEMESTERS.map(unique);
  const rows: object[] = [];
  for (const semester of SEMESTERS) {
    for (let i = 0; i < COURSES_EACH; i += 1) {
      const course = aCourse();
      await admin.post('/api/courses', course);
      rows.push({ semester, theory: 3, lab: 0, options: [course.course_id] });
    }
  }
  const classes = [];
  const late: string[] = [];
  for (const department of DEPARTMENTS) {
    for (const [i, degree] of degrees.entries()) {
      const current_sem = SEMESTERS[i] ?? 2;
      for (let n = 0; n < CLASS_SIZE; n += 1)
        await admin.post('/api/students', aStudent({ department, degree, syn: 'A', current_sem }));
      classes.push({ department, degree, semester: current_sem });
    }
    const head = { name: 'Bench', department, degrees };
    const { scheme } = schemeSavedReply.parse(await admin.post('/api/schemes', head));
    await admin.put(`/api/schemes/${scheme.scheme_id}`, { ...head, rows });
    const { fingerprint } = schemePreview.parse(await admin.get(`/api/schemes/${scheme.scheme_id}/preview`));
    await admin.post(`/api/schemes/${scheme.scheme_id}/publish`, { fingerprint });
  }
  for (let n = 0; n < ADDED; n += 1) {
    const student = aStudent({ department: 'CE', degree: degrees[0] ?? '', syn: 'B', current_sem: 1 });
    await admin.post('/api/students', student);
    late.push(student.id);
  }
  const added = termSavedReply.parse(await admin.post('/api/terms', aTerm()));
  const openings = `/api/terms/${added.term.term_id}/openings`;
  const categories = [
    { name: 'Final', weight: 100, best_of: null, components: [{ name: 'Final', max: 100 }] },
  ];
  const body = { classes, choices: [], categories };

  const others = { api: admin, path: '/api/students?limit=50', users: 4 };
  const idle = quantile(
    (await timeWhile(others, new Promise((done) => setTimeout(done, 3_000)))).times,
    0.99,
  );
  const preview = await timed(admin.post(`${openings}/preview`, body));
  const { fingerprint, totals } = openingPreview.parse(preview.result);
  console.log(`${totals.create} mark sheets of ${CLASS_SIZE}, in a faculty of ${short(STUDENTS)}:`);
  report('Preview', `${preview.ms.toFixed(0)} ms`, preview.ms / LIMIT.previewMs);
  const opened = await timeWhile(others, timed(admin.post(openings, { ...body, fingerprint })));
  report(
    'Opening, beside four readers',
    `${opened.result.ms.toFixed(0)} ms`,
    opened.result.ms / LIMIT.openMs,
  );
  const ratio = quantile(opened.times, 0.99) / idle;
  report('p99 of the readers', `${ratio.toFixed(1)} x idle`, ratio / LIMIT.othersRatio);

  const sheets = sheetListReply.parse(await admin.get(`/api/sheets?term_id=${added.term.term_id}`));
  const [sheet] = sheets.filter(({ department, semester }) => department === 'CE' && semester === 2);
  const adds: number[] = [];
  for (const id of late) {
    const { ms } = await timed(
      admin.post(`/api/sheets/${sheet?.sheet_id}/students`, {
        ids: [id],
        reasons: {},
        reason: 'Agreed with the batch adviser.',
      }),
    );
    adds.push(ms);
  }
  const add = quantile(adds, 0.5);
  report('A student added with all checks, median', `${add.toFixed(1)} ms`, add / LIMIT.addMs);

  const account = await registerUser(server.url, 'Sumaira Naz');
  await admin.put(`/api/users/${account.user.id}`, {
    ...account.user,
    role: 'teacher',
    password: boss.password,
  });
  for (const { sheet_id } of sheets.slice(0, 6))
    await admin.put(`/api/sheets/${sheet_id}/teachers`, { ids: [account.user.id] });
  const { token } = z
    .object({ token: z.string() })
    .parse(await admin.post('/api/login', { email: account.user.email, password: account.password }));
  const home = quantile(
    (await timeCalls(server.url, ['/api/home'], { users: 1, seconds: 3, token })).times,
    0.5,
  );
  report('Home of a teacher of six, median', `${home.toFixed(1)} ms`, home / LIMIT.homeMs);

  const { opening_id } = z
    .object({ opening: z.object({ opening_id: z.int() }) })
    .parse(opened.result.result).opening;
  const undo = openingUndo.parse(await admin.get(`/api/openings/${opening_id}/undo`));
  const undone = await timed(
    admin.post(`/api/openings/${opening_id}/undo`, { fingerprint: undo.fingerprint }),
  );
  console.log(`Undo of ${undo.undone}: ${undone.ms.toFixed(0)} ms`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
