import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { freshApps } from '../../../tests/support/app/test-app.ts';
import { readCatalogue } from './dialect/catalogue.ts';
import { isPostgres } from './dialect/sql.ts';
import type { Db, Schema } from './schema.ts';

/**
 * The owner of the rows of each table, which permits distributing students over several databases later. Tables of
 * student data have the student's id in a unique key, so that lookups and constraints need only one database.
 */
const OWNERS: Record<keyof Schema, 'student' | 'named student' | 'account' | 'course' | 'all'> = {
  students: 'student',
  policies: 'all',
  families: 'student',
  semesters: 'student',
  semester_subjects: 'student',
  student_terms: 'student',
  student_former_ids: 'student',
  // The file of a document belongs to its entry in the register.
  documents: 'student',
  scheme_exceptions: 'student',
  outside_credits: 'student',
  holds: 'student',
  // Through `entity_id`; the links and marks of an entry belong to it.
  history: 'named student',
  users: 'account',
  sessions: 'account',
  password_resets: 'account',
  email_verifications: 'account',
  known_networks: 'account',
  attempts: 'account',
  second_factors: 'account',
  recovery_codes: 'account',
  identities: 'account',
  provider_sign_ins: 'account',
  saved_views: 'account',
  idempotency_keys: 'account',
  exports: 'account',
  // Of the person who sent the file, or asked for the documents.
  imports: 'account',
  import_rows: 'account',
  document_batches: 'account',
  import_columns: 'account',
  sheet_people: 'account',
  sheet_rows: 'student',
  sheet_removed_rows: 'student',
  sheet_results: 'student',
  sheets: 'course',
  // Of the sheet.
  sheet_registrations: 'student',
  openings: 'course',
  sheet_teachers: 'course',
  courses: 'course',
  course_marks: 'course',
  replaced_marks: 'course',
  terms: 'all',
  schemes: 'all',
  equivalents: 'all',
  result_notifications: 'all',
  institution: 'all',
  signing_keys: 'all',
  document_files: 'all',
  // Counts of students, which can be added up over databases.
  cohorts: 'all',
  batch_counts: 'all',
  cohort_cgpas: 'all',
  course_results: 'all',
  // Identified by a hash of their contents.
  pictures: 'all',
  bulk_changes: 'all',
  history_links: 'all',
  history_head: 'all',
  history_pending: 'all',
  backup_schedule: 'all',
  schema_versions: 'all',
};

/** Columns of each unique key, primary ones too, as `table: column, column`. */
async function uniqueKeys(db: Db): Promise<string[]> {
  const query = isPostgres(db)
    ? sql<{ key: string }>`
        select t.relname || ': ' || string_agg(a.attname, ', ' order by k.place) as key
        from pg_index x join pg_class t on t.oid = x.indrelid
          cross join lateral unnest(x.indkey) with ordinality as k(attnum, place)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
        where x.indisunique and t.relnamespace = current_schema()::regnamespace
        group by x.indexrelid, t.relname`
    : sql<{ key: string }>`
        select t.name || ': ' || group_concat(c.name, ', ' order by c.seqno) as key
        from sqlite_schema t join pragma_index_list(t.name) i join pragma_index_info(i.name) c
        where t.type = 'table' and i."unique" = 1
        group by t.name, i.name`;
  return (await query.execute(db)).rows.map(({ key }) => key);
}

describe.each(freshApps())('every table of student data, on $name', ({ test }) => {
  test('has the student’s id in a unique key', async ({ app }) => {
    const columns = await readCatalogue(app.db.read);
    expect([...new Set(columns.map(({ table }) => table))].sort()).toEqual(Object.keys(OWNERS).sort());
    const owned = Object.entries(OWNERS).flatMap(([table, owner]) => (owner === 'student' ? [table] : []));
    const keys = await uniqueKeys(app.db.read);
    const getKeyColumn = (table: string) => (table === 'students' ? 'id' : 'student_id');
    for (const table of owned) {
      const withOwner = keys.filter((key) =>
        new RegExp(`^${table}: .*\\b${getKeyColumn(table)}\\b`).test(key),
      );
      expect(withOwner, table).not.toEqual([]);
    }
    // Every table with a student's id is listed as student data.
    const carrying = columns.filter(({ column }) => column === 'student_id').map(({ table }) => table);
    expect(carrying.sort()).toEqual(owned.filter((table) => table !== 'students').sort());
  });
});
