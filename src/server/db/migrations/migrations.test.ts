import { type Insertable, sql } from 'kysely';
import { describe, expect } from 'vitest';
import { TestApp } from '../../../../tests/support/app/test-app.ts';
import { postgres, sqlite, type TestDatabase } from '../../../../tests/support/database/engines.ts';
import { testsFrom, withDatabase } from '../../../../tests/support/processes/transfer.ts';
import { aStudent } from '../../../../tests/support/records.ts';
import { naturalSortKey } from '../../../domain/search-text.ts';
import { EMPTY_TALLY } from '../../../domain/statistics.ts';
import { hashPassword } from '../../accounts/credentials/hash.ts';
import { transact } from '../../history/transaction.ts';
import { applyPendingPolicies } from '../../policies/apply.ts';
import { reindexAll } from '../../students/derived/reindex.ts';
import { studentColumns } from '../../students/queries.ts';
import { openCopyTarget } from '../../transfer/copy.ts';
import { runChecks } from '../../verify/checks.ts';
import { BulkInserter } from '../bulk-insert.ts';
import { hasTable, readCatalogue } from '../dialect/catalogue.ts';
import { parseLocation } from '../location.ts';
import { migrate } from '../migrate.ts';
import type { Db, DocumentsTable } from '../schema.ts';
import { COPIED_TABLES, UNCOPIED_TABLES } from '../tables.ts';
import { MIGRATIONS, type Migration } from './index.ts';

const FIRST_VERSION = 1;
const versionBefore = (migration: string) => MIGRATIONS.findIndex(({ name }) => name.endsWith(migration));

const VERSION_BEFORE_STATUS = MIGRATIONS.findIndex(({ name }) => name.endsWith('student-status'));

/** Opens an empty database at a schema version. */
const openAtVersion = ({ location }: TestDatabase, version: number) =>
  openCopyTarget(parseLocation('--to', location), version);

const TABLES = [...COPIED_TABLES, ...Object.keys(UNCOPIED_TABLES)].filter(
  (table) => table !== 'schema_versions',
);

type Row = Record<string, unknown>;
/** Columns by table, tables in the order of their references. */
type Columns = Map<string, string[]>;

async function readColumns(db: Db): Promise<Columns> {
  const catalogue = await readCatalogue(db);
  const named = TABLES.map((table): [string, string[]] => [
    table,
    catalogue.filter((column) => column.table === table).map(({ column }) => column),
  ]);
  return new Map(named.filter(([, columns]) => columns.length > 0));
}

async function readRows(db: Db, table: string, columns: readonly string[]): Promise<Row[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  return (await sql<Row>`select ${list} from ${sql.table(table)}`.execute(db)).rows;
}

/** The rows of each table as sorted JSON, in these columns. */
async function readContents(db: Db, columns: Columns): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  for (const [table, names] of columns) {
    contents[table] = (await readRows(db, table, names)).map((row) => JSON.stringify(row)).sort();
  }
  return contents;
}

/** Adds a row to each table that is not copied between databases and that the test installation leaves empty. */
async function fillUncopiedTables(db: Db): Promise<void> {
  const { user_id } = await db.selectFrom('users').select('id as user_id').executeTakeFirstOrThrow();
  const now = new Date().toISOString();
  const progress = { rows: 1, bytes: 10, total: 2, total_is: 'exact' as const };
  await db
    .insertInto('exports')
    .values({ id: 'export', user_id, is_over: 0, seen_at: now, ...progress })
    .execute();
  await db.insertInto('backup_schedule').values({ id: 1, begun_at: now, good_at: null }).execute();
  await db
    .insertInto('provider_sign_ins')
    .values({ browser_hash: 'a', state: 'b', nonce: 'c', verifier: 'd', expires_at: now })
    .execute();
}

const createTable = (name: string): Migration => ({
  name: `create-${name}`,
  up: async (tx) => {
    await tx.schema.createTable(name).addColumn('id', 'integer').execute();
  },
});

const failing: Migration = {
  name: 'failing',
  up: async (tx) => {
    await createTable('half_done').up(tx);
    throw new Error('the migration failed');
  },
};

/** Tables that `verify` reads because of the history, each after those that it references. Migrations make policy 1. */
const LATER_TABLES = [
  ...(['terms', 'openings', 'institution', 'policies', 'result_notifications'] as const),
  ...(['schemes', 'equivalents', 'scheme_exceptions', 'outside_credits', 'holds'] as const),
  ...(['signing_keys', 'document_batches', 'documents', 'document_files'] as const),
];

describe.each([sqlite, postgres])('migrations, on $name', (engine) => {
  const test = engine.isMissing ? testsFrom(sqlite).skip : testsFrom(engine);

  test('update a database of the first schema to the newest version with every row', async ({
    house: { database },
    prepare,
  }) => {
    const target = await prepare(engine);
    const first = await openAtVersion(target, FIRST_VERSION);
    const columns = await readColumns(first.read);
    // A migration counts these again, by more values than the first schema.
    for (const counts of ['cohorts', 'cohort_cgpas']) columns.delete(counts);
    const statuses = await withDatabase(database, async ({ read, write }) => {
      await fillUncopiedTables(write);
      for (const [table, names] of columns) {
        const rows = await readRows(read, table, names);
        expect(rows, table).not.toEqual([]);
        await first.write.transaction().execute(async (tx) => {
          const inserter = new BulkInserter<Row>(tx, table, names);
          for (const row of rows) inserter.add(row);
          await inserter.store();
        });
      }
      return read
        .selectFrom('students')
        .select(['id', 'status', 'status_date', 'status_reason'])
        .where('status', '!=', 'active')
        .execute();
    });
    const before = await readContents(first.read, columns);
    await first.close();
    const { courses, later } = await withDatabase(database, async ({ read }) => {
      const newest = await readColumns(read);
      const tables = LATER_TABLES.map((table) => ({ table, names: newest.get(table) ?? [] }));
      return {
        courses: await read.selectFrom('courses').select(['course_id', 'credits']).execute(),
        later: await Promise.all(
          tables.map(async (one) => ({ ...one, rows: await readRows(read, one.table, one.names) })),
        ),
      };
    });

    await withDatabase(target, async ({ read, write }) => {
      expect(await readContents(read, columns)).toEqual(before);
      // The history of the test installation knows of records for which the first schema has no table, and of credit hours.
      await write.transaction().execute(async (tx) => {
        for (const { table, names, rows } of later) {
          const inserter = new BulkInserter<Row>(tx, table, names);
          for (const row of rows.filter(({ policy_id }) => table !== 'policies' || policy_id !== 1))
            inserter.add(row);
          await inserter.store();
        }
      });
      for (const { course_id, credits } of courses) {
        await write.updateTable('courses').set({ credits }).where('course_id', '=', course_id).execute();
      }
      await transact(write, async (tx) => {
        // The rows come from a newer database, whose history knows of what the first schema has no column for.
        for (const { id, ...status } of statuses) {
          await tx.updateTable('students').set(status).where('id', '=', id).execute();
        }
        await reindexAll(tx);
      });
      const lines: string[] = [];
      await runChecks(read, (line) => lines.push(line));
      expect(lines.filter((line) => !line.endsWith(': in order'))).toEqual([]);
      const versions = await read
        .selectFrom('schema_versions')
        .select(['version', 'name'])
        .orderBy('version')
        .execute();
      expect(versions).toEqual(MIGRATIONS.map(({ name }, i) => ({ version: i + 1, name })));
    });
  });

  test('leave existing accounts verified and approved', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('account-guards'));
    const password = 'seven wet umbrellas';
    const account = { name: 'Sana Malik', email: 'Sana@x.example', email_key: 'sana@x.example' };
    const password_hash = await hashPassword(password);
    const created_at = new Date().toISOString();
    await older.write
      .insertInto('users')
      .values({ ...account, role: 'staff', password_hash, version: 1, created_at })
      .execute();
    await older.close();
    const app = await TestApp.open(engine, { database, settings: { registration: { kind: 'approval' } } });
    try {
      const rows = await app.db.read.selectFrom('users').select(['email', 'waiting_for']).execute();
      expect(rows).toEqual([{ email: account.email, waiting_for: null }]);
      const body = { email: account.email, password };
      expect((await app.call('POST', '/api/login', { body })).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  test('make every student active, and take the CGPA from those without a grade', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, VERSION_BEFORE_STATUS);
    /** Semesters of one subject each, with its half-points, or null without a grade; `cgpa` as it was. */
    const students = [
      { id: 'new', current_sem: 1, grades: [], cgpa: -1, now: [-1, 0, -1] },
      { id: 'ungraded', current_sem: 3, grades: [null, null], cgpa: 0, now: [-1, 0, -1] },
      { id: 'failed', current_sem: 2, grades: [0], cgpa: 0, now: [0, 1, -1] },
      { id: 'later', current_sem: 2, grades: [null, 4], cgpa: 0, now: [200, 2, -1] },
      { id: 'missing', current_sem: 5, grades: [6, 4], cgpa: 250, now: [250, 2, -1] },
      { id: 'seventh', current_sem: 8, grades: [8, 8, 8, 8, 8, 8, 8], cgpa: 400, now: [400, 7, -1] },
      { id: 'done', current_sem: 8, grades: [8, 8, 8, 8, 8, 8, 8, 0], cgpa: 400, now: [400, 7, 350] },
    ];
    for (const { id, current_sem, grades, cgpa } of students) {
      const place = { department: 'CE', degree: '44', syn: 'A', current_sem } as const;
      const is_complete = 0;
      await older.write
        .insertInto('students')
        .values({
          ...{ ...studentColumns(aStudent({ id, ...place, gender: null })), version: 1 },
          ...{ id_key: id, name_key: id, cgpa, is_complete },
        })
        .execute();
      for (const [i, half_points] of grades.entries()) {
        const semester = { student_id: id, semester: i + 1 };
        const graded = grades.slice(0, i + 1).filter((one) => one !== null);
        const sum = graded.reduce((total, one) => total + one, 0);
        const averages = {
          sgpa: (half_points ?? 0) * 50,
          cgpa: graded.length === 0 ? 0 : Math.floor((100 * sum + graded.length) / (2 * graded.length)),
        };
        await older.write
          .insertInto('semesters')
          .values({ ...semester, ...averages, version: 1 })
          .execute();
        const subject = { slot: 1, title: 'Statics', course_id: null, credits: 3, half_points } as const;
        await older.write
          .insertInto('semester_subjects')
          .values({ ...semester, ...subject })
          .execute();
      }
    }
    await older.close();
    await withDatabase(database, async ({ read, write }) => {
      const rows = await read
        .selectFrom('students')
        .select(['id', 'status', 'status_date', 'is_active', 'cgpa', 'cgpa_semester', 'final_cgpa'])
        .execute();
      const stored = rows.map(({ id, cgpa, cgpa_semester, final_cgpa, ...status }) => {
        expect(status).toEqual({ status: 'active', status_date: null, is_active: 1 });
        return [id, [cgpa, cgpa_semester, final_cgpa]] as const;
      });
      expect(Object.fromEntries(stored)).toEqual(
        Object.fromEntries(students.map(({ id, now }) => [id, now])),
      );
      const readCounts = async () => ({
        cohorts: await readRows(read, 'cohorts', [
          ...['degree', 'current_sem', 'status', 'standing', 'students'],
        ]),
        batches: await readRows(read, 'batch_counts', [
          ...['degree', 'current_sem', 'gender', 'is_complete', 'status', 'students'],
        ]),
        cgpas: await readRows(read, 'cohort_cgpas', [
          ...['tenth', 'is_final', 'current_sem', 'status', 'standing', 'students'],
        ]),
      });
      // The server does this at its start.
      await applyPendingPolicies(write, () => false);
      const standings = await read.selectFrom('students').select(['id', 'standing']).execute();
      expect(Object.fromEntries(standings.map(({ id, standing }) => [id, standing]))).toEqual({
        ...{ new: '', ungraded: '', failed: 'warning', later: 'good', missing: 'good', seventh: 'good' },
        ...{ done: 'warning' },
      });
      const migrated = await readCounts();
      await transact(write, reindexAll);
      const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
      const rebuilt = await readCounts();
      const counted = (rows: readonly Row[]) => sorted(rows.filter(({ students: count }) => count !== 0));
      expect(counted(migrated.cohorts)).toEqual(sorted(rebuilt.cohorts));
      expect(counted(migrated.batches)).toEqual(sorted(rebuilt.batches));
      expect(counted(migrated.cgpas)).toEqual(sorted(rebuilt.cgpas));
    });
  });

  test('leave existing courses without credit hours, which can then be entered', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('course-credits'));
    const course = { course_id: 7, course_code: 'ME-211', course_name: 'Statics', course_description: null };
    const tally = JSON.stringify(EMPTY_TALLY);
    await older.write
      .insertInto('courses')
      .values({ ...course, tally, version: 1 })
      .execute();
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const staff = await app.register();
      expect((await staff.get('/api/courses/7')).body).toMatchObject({
        course: { ...course, credits: null },
      });
      const changed = await staff.put('/api/courses/7', { ...course, credits: 4 });
      expect(changed.body).toMatchObject({ course: { credits: 4 } });
    } finally {
      await app.close();
    }
  });

  test('index students again, so that they are found by the end of a number and in either script', async ({
    prepare,
  }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('former-ids'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent({ id: '409318', first_name: 'علي' });
    const row = { ...student, fsc_marks: 90_000, matric_marks: 90_000, phone_number: '+92 300 1234567' };
    await older.write
      .insertInto('students')
      .values({ ...row, version: 1, id_key: naturalSortKey(row.id), search_text: ' 409318' })
      .execute();
    await older.write.insertInto('student_terms').values({ term: 'outdated', student_id: row.id }).execute();
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const admin = await app.register();
      for (const q of ['علی', '0300 123', '4567', '318']) {
        const { body } = await admin.get(`/api/students?${new URLSearchParams({ q })}`);
        expect(body, q).toMatchObject({ students: [{ id: '409318' }] });
      }
      const lines: string[] = [];
      await runChecks(app.db.read, (line) => lines.push(line));
      expect(lines.filter((line) => line.startsWith('List of students'))).toEqual([
        'List of students: in order',
      ]);
    } finally {
      await app.close();
    }
  });

  test('add terms and the institution, of which nothing is known yet', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('terms'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent();
    await older.write
      .insertInto('students')
      .values({ ...student, fsc_marks: 90_000, matric_marks: 90_000, version: 1 })
      .execute();
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const admin = await app.register();
      expect((await admin.get('/api/terms')).body).toEqual([]);
      const { body } = await admin.get('/api/institution');
      expect(body).toMatchObject({ name: null, signatories: [], version: 0 });
      expect((await admin.put('/api/institution', { name: 'Rohtas College' })).status).toBe(200);
      const term = { name: 'Fall 2026', starts_on: '2026-09-07', ends_on: '2027-01-22' };
      expect((await admin.post('/api/terms', term)).status).toBe(201);
    } finally {
      await app.close();
    }
  });

  test('leave the institution as it was, whose codes lead where they led before', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('public-address'));
    const signatories = [{ name: 'Farhan Jogi', title: 'Registrar' }];
    const known = { name: 'Rohtas College', short_name: 'RC', address: 'Jhelum', logo: null, version: 3 };
    await sql`insert into institution (id, name, short_name, address, logo, version, signatories)
      values (1, ${known.name}, ${known.short_name}, ${known.address}, ${known.logo}, ${known.version},
        ${JSON.stringify(signatories)})`.execute(older.write);
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const admin = await app.register();
      expect((await admin.get('/api/institution')).body).toEqual({
        ...{ ...known, signatories, public_url: null, programmes: [] },
      });
    } finally {
      await app.close();
    }
  });

  test('add mark sheets, of which results and marks that are recorded know nothing', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('marksheets'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent();
    await older.write
      .insertInto('students')
      .values({ ...student, fsc_marks: 90_000, matric_marks: 90_000, version: 1 })
      .execute();
    await sql`insert into semesters (student_id, semester, sgpa, cgpa, version)
      values (${student.id}, 1, 350, 350, 1)`.execute(older.write);
    const course = { course_id: 7, course_code: 'ME-211', course_name: 'Statics', course_description: null };
    await older.write
      .insertInto('courses')
      .values({ ...course, tally: JSON.stringify(EMPTY_TALLY), version: 1 })
      .execute();
    await sql`insert into course_marks (course_id, piece, marks) values (7, 1, '[50]')`.execute(older.write);
    await older.close();
    await withDatabase(database, async ({ read }) => {
      expect(await read.selectFrom('semesters').select('is_provisional').execute()).toEqual([
        { is_provisional: 0 },
      ]);
      expect(await read.selectFrom('course_marks').select(['marks', 'sheet_id']).execute()).toEqual([
        { marks: '[50]', sheet_id: null },
      ]);
      expect(await read.selectFrom('sheets').selectAll().execute()).toEqual([]);
    });
  });

  test('leave no row of a confirmed sheet for later, and rows without attendance', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('left-rows'));
    const at = new Date().toISOString();
    await older.write
      .insertInto('terms')
      .values({
        term_id: 1,
        name: 'Fall',
        name_key: 'fall',
        starts_on: '2026-09-01',
        ends_on: '2027-01-31',
        version: 1,
      })
      .execute();
    await older.write
      .insertInto('sheets')
      .values({
        ...{ sheet_id: 1, course_id: 7, course_code: 'ME-211', course_name: 'Statics', term_id: 1 },
        ...{ title: 'Statics', credits: 3, semester: 1, department: 'ME', degree: '44', syn: '[]' },
        ...{ state: 'confirmed', version: 3, setup_version: 3, categories: '[]', last_component_id: 2 },
        ...{ created_by: null, created_name: 'Somebody', created_at: at },
      })
      .execute();
    const row = {
      sheet_id: 1,
      student_id: '1',
      status: 'graded',
      cells: '{"2":80}',
      filled: 1,
      total: 8000,
    } as const;
    await older.write
      .insertInto('sheet_rows')
      .values({ ...row, is_absent: 0, version: 2 })
      .execute();
    await older.close();
    await withDatabase(database, async ({ read }) => {
      expect(await read.selectFrom('sheet_rows').selectAll().execute()).toMatchObject([
        { ...row, is_left: 0, attendance: null },
      ]);
      expect(await read.selectFrom('sheet_removed_rows').selectAll().execute()).toEqual([]);
    });
  });

  test('put every student under the first policy, and count them by a standing', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('policies'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent({ current_sem: 8, gender: null });
    for (const [id, cgpa, final_cgpa] of [
      ['one', 255, -1],
      ['two', 257, -1],
      ['three', -1, -1],
      ['graduate', 255, 350],
    ] as const) {
      await older.write
        .insertInto('students')
        .values({ ...student, id, fsc_marks: 90_000, matric_marks: 90_000, cgpa, final_cgpa, version: 1 })
        .execute();
    }
    await older.close();
    await withDatabase(database, async ({ read }) => {
      const policies = await readRows(read, 'policies', ['policy_id', 'students', 'applied', 'applied_to']);
      expect(policies).toEqual([{ policy_id: 1, students: 4, applied: 0, applied_to: '' }]);
      const rows = await readRows(read, 'students', ['policy_id', 'standing']);
      expect(rows).toEqual(Array.from({ length: 4 }, () => ({ policy_id: 1, standing: '' })));
      expect(await readRows(read, 'cohorts', ['current_sem', 'gender', 'standing', 'students'])).toEqual([
        { current_sem: 8, gender: '', standing: '', students: 4 },
      ]);
      const cgpas = await readRows(read, 'cohort_cgpas', ['is_final', 'tenth', 'standing', 'students']);
      expect(cgpas.toSorted((a, b) => Number(a.is_final) - Number(b.is_final))).toEqual([
        { is_final: 0, tenth: 25, standing: '', students: 3 },
        { is_final: 1, tenth: 35, standing: '', students: 1 },
      ]);
    });
  });

  test('add up the counts of the cohorts over syndicates and standings', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('batch-counts'));
    const batch = { department: 'CE', degree: '44', current_sem: 3, gender: '', is_complete: 1 } as const;
    const counted = [
      { syn: 'A', status: 'active', standing: 'good', students: 2 },
      { syn: 'A', status: 'active', standing: 'warning', students: 3 },
      { syn: 'B', status: 'active', standing: 'good', students: 5 },
      { syn: 'B', status: 'graduated', standing: 'good', students: 7 },
      { syn: 'C', status: 'withdrawn', standing: 'good', students: 0 },
    ] as const;
    await older.write
      .insertInto('cohorts')
      .values(counted.map((row) => ({ ...batch, ...row })))
      .execute();
    await older.close();
    await withDatabase(database, async ({ read }) => {
      const rows = await readRows(read, 'batch_counts', [...Object.keys(batch), 'status', 'students']);
      expect(rows.toSorted((a, b) => Number(b.students) - Number(a.students))).toEqual([
        { ...batch, status: 'active', students: 10 },
        { ...batch, status: 'graduated', students: 7 },
      ]);
    });
  });

  test('index students again, so that they are found by any spelling of their names', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('word-bits'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent();
    const marks = { fsc_marks: 90_000, matric_marks: 90_000, version: 1 };
    const people = [
      { ...student, id: 'A1', first_name: 'Mohammad', last_name: 'Husein' },
      { ...student, id: 'A2', first_name: 'Mu\u00adhammad', last_name: 'Yousafzai' },
    ];
    const insert = people.map((one) => ({ ...one, ...marks, id_key: naturalSortKey(one.id) }));
    await older.write
      .insertInto('students')
      .values(insert.map((one) => ({ ...one, search_text: ' outdated' })))
      .execute();
    await older.write.insertInto('student_terms').values({ term: 'outdated', student_id: 'A1' }).execute();
    await older.close();
    const app = await TestApp.open(engine, { database });
    try {
      const admin = await app.register();
      const find = async (q: string) => {
        const { body } = await admin.get(`/api/students?${new URLSearchParams({ q })}`);
        return (body as { students: { id: string }[] }).students.map(({ id }) => id).toSorted();
      };
      expect(await find('muhamad')).toEqual(['A1', 'A2']);
      expect(await find('mohd hussain')).toEqual(['A1']);
      expect(await find('yusuf')).toEqual(['A2']);
      expect(await find('outdated')).toEqual([]);
      const lines: string[] = [];
      await runChecks(app.db.read, (line) => lines.push(line));
      expect(lines.filter((line) => line.startsWith('List of students'))).toEqual([
        'List of students: in order',
      ]);
    } finally {
      await app.close();
    }
  });

  test('leave recorded semesters taken here, and previewed imports without a reason', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('elsewhere'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent();
    await older.write
      .insertInto('students')
      .values({ ...student, fsc_marks: 90_000, matric_marks: 90_000, version: 1 })
      .execute();
    const semester = { student_id: student.id, semester: 1, sgpa: 350, cgpa: 350, version: 4 };
    await older.write.insertInto('semesters').values(semester).execute();
    await older.write
      .insertInto('imports')
      .values({
        ...{ kind: 'results', state: 'previewed', rows: 1, created_at: '2026-11-01T08:00:00.000Z' },
        ...{ preview: 1, done: 0, is_partial: 0, fingerprint: 'abc' },
      })
      .execute();
    await older.close();
    await withDatabase(database, async ({ read }) => {
      expect(await readRows(read, 'semesters', [...Object.keys(semester), 'is_elsewhere'])).toEqual([
        { ...semester, is_elsewhere: 0 },
      ]);
      expect(await readRows(read, 'imports', ['fingerprint', 'needs_reason'])).toEqual([
        { fingerprint: 'abc', needs_reason: null },
      ]);
    });
  });

  test('keep mark sheets as they are, none of them taken back', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('open-sheets'));
    const term = { name: 'Fall 2025', name_key: 'fall 2025', starts_on: '2025-09-01', ends_on: '2026-01-20' };
    await older.write
      .insertInto('terms')
      .values({ ...term, term_id: 1, version: 1 })
      .execute();
    const sheet = {
      ...{ sheet_id: 4, course_id: 1, course_code: 'CS-101', course_name: 'Statics', term_id: 1 },
      ...{ title: 'Statics', credits: 3, semester: 1, department: 'CE' as const, degree: '48', syn: '[]' },
      ...{ state: 'draft' as const, version: 3, setup_version: 2, categories: '[]', last_component_id: 0 },
      ...{ submitted_at: '2025-12-01T08:00:00.000Z', submitted_name: 'Asad' },
      ...{ created_name: 'Asad', created_at: '2025-11-01T08:00:00.000Z' },
    };
    await older.write.insertInto('sheets').values(sheet).execute();
    await older.close();
    await withDatabase(database, async ({ read }) => {
      expect(await readRows(read, 'sheets', [...Object.keys(sheet), 'taken_back'])).toEqual([
        { ...sheet, taken_back: null },
      ]);
    });
  });

  test('name no teachers of sheets that are there, and leave terms undated', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('sheet-teachers'));
    const term = { name: 'Fall 2025', name_key: 'fall 2025', starts_on: '2025-09-01', ends_on: '2026-01-20' };
    await older.write
      .insertInto('terms')
      .values({ ...term, term_id: 1, version: 3 })
      .execute();
    await older.close();
    await withDatabase(database, async ({ read }) => {
      const days = { add_until: null, drop_until: null, withdraw_until: null };
      expect(await read.selectFrom('terms').selectAll().execute()).toEqual([
        { ...term, ...days, term_id: 1, version: 3, summer: 0 },
      ]);
      for (const table of ['sheet_teachers', 'sheet_registrations', 'openings'] as const)
        expect(await read.selectFrom(table).selectAll().execute()).toEqual([]);
    });
  });

  test('store the standing of notified semesters by the policy of that time', async ({ prepare }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('notified-standing'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent({ degree: '44' });
    const ids = ['by-sheets', 'by-hand'];
    for (const id of ids) {
      await older.write
        .insertInto('students')
        .values({ ...student, id, fsc_marks: 90_000, matric_marks: 90_000, version: 1 })
        .execute();
    }
    await sql`insert into policies
        (policy_id, name, degrees, rules, created_at, user_id, user_name, students, applied, applied_to)
      select 2, 'Stricter', '["44"]', replace(rules, '"warning_sgpa":2,', '"warning_sgpa":3,'),
        '2026-06-01T08:00:00.000Z', null, null, 0, 0, null from policies where policy_id = 1`.execute(
      older.write,
    );
    await sql`insert into terms (term_id, name, name_key, starts_on, ends_on, version)
      values (1, 'Fall 2025', 'fall 2025', '2025-09-01', '2026-01-20', 1)`.execute(older.write);
    /** The semesters: when they were notified, whether they are provisional, and the half-points of their subject. */
    const semesters = [
      { at: '2026-03-01T08:00:00.000Z', is_provisional: 0, half_points: 5 },
      { at: '2026-07-01T08:00:00.000Z', is_provisional: 0, half_points: 5 },
      { at: '2026-08-01T08:00:00.000Z', is_provisional: 0, half_points: null },
      { at: null, is_provisional: 1, half_points: 5 },
    ];
    for (const [i, { at, is_provisional, half_points }] of semesters.entries()) {
      const semester = i + 1;
      const number = at === null ? null : semester;
      if (at !== null) {
        await sql`insert into result_notifications
            (number, term_id, department, degree, semester, students, notified_at, user_id, user_name)
          values (${number}, 1, 'CE', '44', ${semester}, 1, ${at}, null, 'Admin')`.execute(older.write);
      }
      await sql`insert into sheets (sheet_id, course_id, course_code, course_name, term_id, title, credits, semester,
          department, degree, syn, state, version, setup_version, categories, last_component_id, notification,
          created_name, created_at)
        values (${semester}, 7, 'ME-211', 'Statics', 1, 'Statics', 3, ${semester}, 'CE', '44', '[]', 'confirmed', 1, 1,
          '[]', 0, ${number}, 'Staff', '2026-01-01T08:00:00.000Z')`.execute(older.write);
      for (const id of ids) {
        const provisional = id === 'by-sheets' ? is_provisional : 0;
        await sql`insert into semesters (student_id, semester, sgpa, cgpa, version, is_provisional)
          values (${id}, ${semester}, 250, 250, 1, ${provisional})`.execute(older.write);
        await sql`insert into semester_subjects (student_id, semester, slot, title, course_id, credits, half_points)
          values (${id}, ${semester}, 1, 'Statics', 7, 3, ${half_points})`.execute(older.write);
      }
      await sql`insert into sheet_results (student_id, semester, slot, course_id, sheet_id, half_points)
        values ('by-sheets', ${semester}, 1, 7, ${semester}, ${half_points})`.execute(older.write);
    }
    await older.close();
    await withDatabase(database, async ({ read }) => {
      const columns = ['semester', 'notified_policy', 'notified_standing', 'notified_clause'];
      const rows = await readRows(read, 'semesters', ['student_id', ...columns]);
      const stored = ids.map((id) =>
        rows
          .filter(({ student_id }) => student_id === id)
          .toSorted((a, b) => Number(a.semester) - Number(b.semester))
          .map((row) => columns.slice(1).map((column) => row[column])),
      );
      expect(stored).toEqual([
        [
          [1, 'good', null],
          [2, 'warning', 'SGPA 2.50 is below 3.00.'],
          [2, '', null],
          [null, null, null],
        ],
        semesters.map(() => [null, null, null]),
      ]);
    });
  });

  test('add schemes and what belongs to them, of which records and imports that are there have nothing', async ({
    prepare,
  }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('schemes'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent();
    await older.write
      .insertInto('students')
      .values({ ...student, fsc_marks: 90_000, matric_marks: 90_000, version: 1 })
      .execute();
    const semester = { student_id: student.id, semester: 1, sgpa: 150, cgpa: 150, version: 4 };
    await older.write.insertInto('semesters').values(semester).execute();
    const subject = { student_id: student.id, semester: 1, title: 'Statics', credits: 3 } as const;
    const subjects = [
      { ...subject, slot: 1, course_id: 1, half_points: 0 },
      { ...subject, slot: 2, course_id: 2, half_points: 6 },
    ] as const;
    await older.write.insertInto('semester_subjects').values(subjects).execute();
    const imported = {
      ...{
        kind: 'results' as const,
        state: 'previewed' as const,
        rows: 1,
        preview: 1,
        done: 0,
        is_partial: 0,
      },
      created_at: '2026-11-01T08:00:00.000Z',
    };
    await older.write.insertInto('imports').values(imported).execute();
    await older.close();
    await withDatabase(database, async ({ read, write }) => {
      expect(await readRows(read, 'semesters', Object.keys(semester))).toEqual([semester]);
      expect(await readRows(read, 'semester_subjects', ['slot', 'course_id', 'half_points'])).toEqual(
        subjects.map(({ slot, course_id, half_points }) => ({ slot, course_id, half_points })),
      );
      expect(await readRows(read, 'imports', ['kind', 'scheme_id'])).toEqual([
        { kind: 'results', scheme_id: null },
      ]);
      for (const table of ['schemes', 'equivalents', 'scheme_exceptions', 'outside_credits'] as const)
        expect(await read.selectFrom(table).selectAll().execute()).toEqual([]);
      // What a student has is gone with the record.
      const credit = { title: 'Physics', credits: 3, institution: 'UET', version: 1 };
      await write
        .insertInto('outside_credits')
        .values({ ...credit, student_id: student.id })
        .execute();
      await write.deleteFrom('students').where('id', '=', student.id).execute();
      expect(await readRows(read, 'outside_credits', ['title'])).toEqual([]);
    });
    const app = await TestApp.open(engine, { database });
    const admin = await app.register();
    expect((await admin.get('/api/schemes')).body).toEqual([]);
    await app.close();
  });

  test('let a register of before holds stay as it is, and take holds with a deleted record', async ({
    prepare,
  }) => {
    const database = await prepare(engine);
    const older = await openAtVersion(database, versionBefore('-holds'));
    const { fsc_marks: _, matric_marks: __, ...student } = aStudent();
    await older.write
      .insertInto('students')
      .values({ ...student, fsc_marks: 90_000, matric_marks: 90_000, version: 1 })
      .execute();
    const issued = {
      ...{
        serial: '2026-000001',
        kind: 'transcript' as const,
        semester: 1,
        student_id: student.id,
        batch_id: 1,
      },
      ...{
        issued_at: '2026-11-01T08:00:00.000Z',
        user_id: null,
        user_name: 'x',
        issued_to: null,
        purpose: null,
      },
      ...{ figures: 'f', content: '{}', content_hash: 'h', code: 'c', hand_code: 'k', revocation: null },
    };
    const batch = {
      ...{
        batch_id: 1,
        kind: 'transcript' as const,
        is_official: 1,
        choices: '{}',
        students: '[]',
        refused: '[]',
      },
      ...{ done: 1, of: 1, state: 'done' as const, created_at: issued.issued_at, seen_at: issued.issued_at },
      ...{ user_id: 1, user_name: 'x' },
    };
    await older.write.insertInto('document_batches').values(batch).execute();
    // Without the column that came with holds.
    const row: Insertable<DocumentsTable> = { ...issued };
    await older.write.insertInto('documents').values(row).execute();
    await older.close();
    await withDatabase(database, async ({ read, write }) => {
      expect(await readRows(read, 'documents', [...Object.keys(issued), 'override'])).toEqual([
        { ...issued, override: null },
      ]);
      expect(await readRows(read, 'holds', ['hold_id'])).toEqual([]);
      const hold = {
        ...{
          student_id: student.id,
          kind: 'fees' as const,
          reason: 'Dues are open.',
          blocks: '["certificate"]',
        },
        ...{ starts_on: '2026-11-02', placed_at: '2026-11-02T08:00:00.000Z', placed_name: 'Accounts' },
        ...{ overrides: '[]', version: 1 },
      };
      await write.insertInto('holds').values(hold).execute();
      await write.deleteFrom('students').where('id', '=', student.id).execute();
      expect(await readRows(read, 'holds', ['hold_id'])).toEqual([]);
    });
  });

  test('run once each, in order', async ({ prepare }) => {
    await withDatabase(await prepare(engine), async ({ write }) => {
      const migrations = [...MIGRATIONS, createTable('one'), createTable('two')];
      await migrate(write, { migrations });
      await migrate(write, { migrations });
      const rows = await write.selectFrom('schema_versions').select('name').orderBy('version').execute();
      expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    });
  });

  test('change nothing when one of them fails', async ({ prepare }) => {
    await withDatabase(await prepare(engine), async ({ write }) => {
      const migrations = [...MIGRATIONS, createTable('one'), failing];
      await expect(migrate(write, { migrations })).rejects.toThrow('the migration failed');
      expect(await hasTable(write, 'one')).toBe(false);
      expect(await hasTable(write, 'half_done')).toBe(false);
      expect(await write.selectFrom('schema_versions').select('name').execute()).toHaveLength(
        MIGRATIONS.length,
      );
    });
  });

  test('reject a database of a newer program', async ({ prepare }) => {
    await withDatabase(await prepare(engine), async ({ write }) => {
      await migrate(write, { migrations: [...MIGRATIONS, createTable('one')] });
      await expect(migrate(write)).rejects.toThrow(
        `The database has schema version ${MIGRATIONS.length + 1}, but this program knows only ${MIGRATIONS.length}`,
      );
    });
  });
});
