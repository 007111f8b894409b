import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makePolicy } from '../../../../tests/support/app/grading-policies.ts';
import { aStudentRow, importRows } from '../../../../tests/support/app/import-file.ts';
import {
  aClass,
  confirmSheet,
  createSheet,
  fillSheet,
  submitSheet,
} from '../../../../tests/support/app/mark-sheets.ts';
import { type Person, TestApp } from '../../../../tests/support/app/test-app.ts';
import { sqlite } from '../../../../tests/support/database/engines.ts';
import { aCourse, aStudent } from '../../../../tests/support/records.ts';
import { importUndoPreview } from '../../../contract/imports.ts';
import { bulkPreview, bulkReply } from '../../../contract/students/bulk.ts';
import { DEFAULT_RULES } from '../../../domain/grading/policy.ts';
import { loadSqliteEngine, type SqliteDatabase } from './engine.ts';

const statements = vi.hoisted(() => new Set<string>());

vi.mock('./engine.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./engine.ts')>();
  const recording = (database: SqliteDatabase): SqliteDatabase => ({
    get isTransaction() {
      return database.isTransaction;
    },
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      statements.add(sql);
      return database.prepare(sql);
    },
    close: () => database.close(),
  });
  return {
    ...original,
    loadSqliteEngine: async () => {
      const engine = await original.loadSqliteEngine();
      return {
        open: (...parameters: Parameters<typeof engine.open>) => recording(engine.open(...parameters)),
      };
    },
  };
});

/** Tables that grow with every class. Courses are compared by their codes, which have no index. */
const LARGE = [
  'students',
  'families',
  'semesters',
  'semester_subjects',
  'student_terms',
  'import_rows',
].concat(['sheet_rows', 'sheet_results', 'history']);

/** The tables of which a statement reads all rows. */
function findScanned(database: SqliteDatabase, statement: string): string[] {
  const steps = database.prepare(`explain query plan ${statement}`).all() as { detail: string }[];
  return steps.flatMap(({ detail }) => {
    const [, name] = /^SCAN (\w+)/.exec(detail) ?? [];
    if (name === undefined) return [];
    const alias = new RegExp(`\\b(?:from|join|update) "?(\\w+)"? (?:as )?"?${name}\\b`).exec(statement);
    return alias?.[1] ?? name;
  });
}

async function importEveryKind(by: Person, rows: number): Promise<void> {
  const each = <Row>(make: (i: number) => Row) => Array.from({ length: rows }, (_, i) => make(i));
  const students = each(() => aStudentRow({ current_sem: '1' }));
  await importRows(by, 'students', students);
  // Twice, since what is there is changed by other statements.
  await importRows(
    by,
    'students',
    students.map((row) => ({ ...row, father_occupation: 'Farmer', syn: 'B' })),
  );
  const courses = each(() => aCourse());
  await importRows(by, 'courses', courses);
  await importRows(
    by,
    'courses',
    courses.map((course) => ({ ...course, course_name: 'Renamed' })),
  );
  const results = students.map(({ id }, i) => ({
    ...{ student_id: id, semester: 1, title: 'Statics', course_id: courses[i]?.course_id },
    ...{ credits: 3, grade: '3.5' },
  }));
  const imported = await importRows(by, 'results', results);
  const { fingerprint } = importUndoPreview.parse(
    (await by.get(`/api/imports/${imported.import_id}/undo`)).body,
  );
  const undone = await by.post(`/api/imports/${imported.import_id}/undo`, { fingerprint });
  expect(undone.status, undone.text).toBe(200);
}

async function confirmClass(app: TestApp, [admin, staff]: [Person, Person], students: number) {
  const ofClass = await aClass({ app, admin }, students);
  const sheet = await createSheet(staff, ofClass);
  const filled = await fillSheet(
    staff,
    sheet,
    sheet.rows.map((_, i) => 40 + (i % 50)),
  );
  await submitSheet(staff, filled);
  await confirmSheet(admin, filled);
  return ofClass.degree;
}

async function changeClass(by: Person, degree: string): Promise<void> {
  const body = { action: 'syndicate', syn: 'C', filter: { degree } };
  const preview = await by.post('/api/students/bulk/preview', body);
  expect(preview.status, preview.text).toBe(200);
  const { fingerprint } = bulkPreview.parse(preview.body);
  const applied = await by.post('/api/students/bulk', { ...body, fingerprint });
  expect(applied.status, applied.text).toBe(201);
  const undone = await by.post(`/api/students/bulk/${bulkReply.parse(applied.body).change.id}/undo`);
  expect(undone.status, undone.text).toBe(200);
}

/** Every way in which one call writes many rows. */
async function writeMany(app: TestApp, people: [Person, Person], size: number): Promise<void> {
  expect((await people[0].post('/api/students', aStudent())).status).toBe(201);
  await importEveryKind(people[0], size);
  const degree = await confirmClass(app, people, size);
  await changeClass(people[0], degree);
  await makePolicy(people[0], { degrees: [degree], rules: { ...DEFAULT_RULES, repeat_policy: 'best' } });
}

describe('a statement that writes many rows', () => {
  // Covers A131
  test('reads no large table as a whole, also if its tables were small at an earlier start', async () => {
    const engine = await loadSqliteEngine();
    const database = await sqlite.prepare({ isMade: true });
    const open = () => engine.open(path.join(database.folder, 'sims.db'));
    const first = await TestApp.open(sqlite, { database });
    const accounts = [await first.register(), await first.register()] as const;
    await writeMany(first, [accounts[0], accounts[1]], 3);
    await first.app.close();
    await first.db.close();
    const outside = open();
    outside.exec('analyze');
    outside.close();

    const app = await TestApp.open(sqlite, { database });
    const people: [Person, Person] = [await app.signIn(accounts[0]), await app.signIn(accounts[1])];
    statements.clear();
    await writeMany(app, people, 300);
    const own = open();
    const scans = [...statements]
      .filter((statement) => /\b(select|insert|update|delete)\b/.test(statement))
      .flatMap((statement) =>
        findScanned(own, statement)
          .filter((table) => LARGE.includes(table))
          .map((table) => `${table}: ${statement}`),
      );
    expect(scans).toEqual([]);
    own.close();
    await app.app.close();
    await app.db.close();
    await database.remove();
  });
});
