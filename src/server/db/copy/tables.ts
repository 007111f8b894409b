import { catalogueOf } from '../dialect-tables.ts';
import type { Db, Schema } from '../schema.ts';

interface HowToCopy {
  /** Its primary key, by which it is read and gone on with. */
  key: readonly string[];
  /** Rows held in memory at once, where each may be large. */
  atOnce?: number;
}

/** Tables that are not copied, and why. */
export const LEFT_OUT = {
  sessions: 'whoever is signed in is so at the old place; everybody signs in again at the new one',
  backup_schedule: 'each place has its own backups',
  exports: 'they are being fetched from the old place',
  provider_sign_ins: 'each lasts minutes, and leads back to the old place',
  schema_versions: 'says when each database was made and brought up to date',
} as const satisfies Partial<Record<keyof Schema, string>>;

const cohort = ['department', 'degree', 'syn', 'current_sem', 'gender', 'is_complete'] as const;

/** Every other table, each after those that it refers to. */
const COPIED: Record<Exclude<keyof Schema, keyof typeof LEFT_OUT>, HowToCopy> = {
  users: { key: ['id'] },
  password_resets: { key: ['token_hash'] },
  attempts: { key: ['key'] },
  second_factors: { key: ['user_id'] },
  recovery_codes: { key: ['code_hash'] },
  identities: { key: ['issuer', 'subject'] },
  idempotency_keys: { key: ['user_id', 'key'], atOnce: 500 },
  saved_views: { key: ['id'] },
  courses: { key: ['course_id'] },
  course_marks: { key: ['course_id', 'piece'], atOnce: 20 },
  pictures: { key: ['id'], atOnce: 20 },
  students: { key: ['id'] },
  families: { key: ['student_id'] },
  semesters: { key: ['academic_id'] },
  semester_subjects: { key: ['student_id', 'semester', 'slot'] },
  student_terms: { key: ['term', 'student_id'] },
  cohorts: { key: cohort },
  cohort_cgpas: { key: ['tenth', ...cohort] },
  course_results: { key: ['course_id', 'half_points'] },
  bulk_changes: { key: ['id'] },
  history: { key: ['id'], atOnce: 2_000 },
  history_links: { key: ['number'] },
  history_head: { key: ['id'] },
  replaced_marks: { key: ['history_id', 'piece'], atOnce: 20 },
};

export const COPIED_TABLES: readonly string[] = Object.keys(COPIED);

export interface Table extends HowToCopy {
  name: string;
  columns: readonly string[];
  /** The column that the engine numbers. */
  numbered: string | undefined;
}

/** The tables to copy, in this order, with the columns that the database has; one of an older version lacks some. */
export async function tablesOf(db: Db): Promise<Table[]> {
  const catalogue = await catalogueOf(db);
  return Object.entries(COPIED).flatMap(([name, how]) => {
    const columns = catalogue.filter(({ table }) => table === name);
    if (columns.length === 0) return [];
    const numbered = columns.find(({ is_numbered }) => is_numbered === 1)?.column;
    return [{ ...how, name, columns: columns.map(({ column }) => column), numbered }];
  });
}
