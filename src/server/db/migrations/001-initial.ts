import { sql } from 'kysely';
import { autoIncrementKey, columnTypes, makeAppendOnly, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * The whole first schema. Frozen: installations have it, so every later change of the schema is a migration of its own.
 * It imports no feature code, so changes there cannot change it.
 */
export async function up(db: Tx): Promise<void> {
  await createAccountTables(db);
  await createStudentTables(db);
  await createStudentIndexes(db);
  await createCourseTables(db);
  await createHistoryTables(db);
  await createProcessTables(db);
}

/** Accounts, sessions, links, second factors, the sign-in provider and what belongs to a person. */
async function createAccountTables(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);

  await withTableOptions(
    db,
    db.schema
      .createTable('users')
      .addColumn('id', autoIncrementKey(db))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('email', text, (c) => c.notNull())
      .addColumn('email_key', text, (c) => c.notNull().unique())
      .addColumn('role', text, (c) => c.notNull())
      .addColumn('password_hash', text, (c) => c.notNull())
      .addColumn('picture', text)
      .addColumn('version', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('locked_at', text),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('sessions')
      .addColumn('token_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('last_used_at', text, (c) => c.notNull())
      .addColumn('expires_at', text, (c) => c.notNull())
      .addColumn('address', text)
      .addColumn('user_agent', text)
      .addColumn('written_up_to', text),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('password_resets')
      .addColumn('token_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expires_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('password_resets_by_user').on('password_resets').column('user_id').execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('attempts')
      .addColumn('key', text, (c) => c.primaryKey().notNull())
      .addColumn('failures', int, (c) => c.notNull())
      .addColumn('window_ends_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('second_factors')
      .addColumn('user_id', int, (c) => c.primaryKey().notNull().references('users.id').onDelete('cascade'))
      .addColumn('secret', text, (c) => c.notNull())
      .addColumn('begun_at', text, (c) => c.notNull())
      .addColumn('confirmed_at', text)
      .addColumn('last_step', int)
      .addColumn('failures', int, (c) => c.notNull()),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('recovery_codes')
      .addColumn('code_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade')),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('identities')
      .addColumn('issuer', text, (c) => c.notNull())
      .addColumn('subject', text, (c) => c.notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('linked_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
      .addUniqueConstraint('identities_of_user', ['user_id', 'issuer']),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('provider_sign_ins')
      .addColumn('browser_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('state', text, (c) => c.notNull())
      .addColumn('nonce', text, (c) => c.notNull())
      .addColumn('verifier', text, (c) => c.notNull())
      .addColumn('identity', text)
      .addColumn('ticket_hash', text)
      .addColumn('expires_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('saved_views')
      .addColumn('id', autoIncrementKey(db))
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('name_key', text, (c) => c.notNull())
      .addColumn('view', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addUniqueConstraint('saved_views_names', ['user_id', 'name_key']),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('idempotency_keys')
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('key', text, (c) => c.notNull())
      .addColumn('fingerprint', text, (c) => c.notNull())
      .addColumn('etag', text, (c) => c.notNull())
      .addColumn('reply', text, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_key', ['user_id', 'key']),
  ).execute();
  await db.schema
    .createIndex('idempotency_keys_by_age')
    .on('idempotency_keys')
    .column('created_at')
    .execute();
}

/** Records, and what the list and the insights keep of them. */
async function createStudentTables(db: Tx): Promise<void> {
  const { text, int, bigint, bytes } = columnTypes(db);

  await withTableOptions(
    db,
    db.schema
      .createTable('students')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('first_name', text, (c) => c.notNull())
      .addColumn('last_name', text, (c) => c.notNull())
      .addColumn('dob', text, (c) => c.notNull())
      .addColumn('joining_date', text, (c) => c.notNull())
      .addColumn('phone_number', text)
      .addColumn('gender', text)
      .addColumn('fsc_marks', int, (c) => c.notNull())
      .addColumn('fsc_year', int, (c) => c.notNull())
      .addColumn('fsc_div', int, (c) => c.notNull())
      .addColumn('matric_marks', int, (c) => c.notNull())
      .addColumn('matric_year', int, (c) => c.notNull())
      .addColumn('matric_div', int, (c) => c.notNull())
      .addColumn('current_sem', int, (c) => c.notNull())
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('syn', text, (c) => c.notNull())
      .addColumn('reason', text)
      .addColumn('img', text)
      .addColumn('version', int, (c) => c.notNull())
      // Derived from the record, for the list.
      .addColumn('id_key', text, (c) => c.notNull().defaultTo(''))
      .addColumn('name_key', text, (c) => c.notNull().defaultTo(''))
      .addColumn('degree_key', text, (c) => c.notNull().defaultTo(''))
      .addColumn('search_text', text, (c) => c.notNull().defaultTo(''))
      .addColumn('cgpa', int, (c) => c.notNull().defaultTo(-1))
      .addColumn('fall', int, (c) => c.notNull().defaultTo(0))
      .addColumn('is_complete', int, (c) => c.notNull().defaultTo(0)),
    { clustered: true },
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('families')
      .addColumn('student_id', text, (c) =>
        c.primaryKey().notNull().references('students.id').onDelete('cascade'),
      )
      .addColumn('father_name', text, (c) => c.notNull())
      .addColumn('father_occupation', text, (c) => c.notNull())
      .addColumn('mother_name', text)
      .addColumn('mother_occupation', text)
      .addColumn('number_siblings', bigint)
      .addColumn('father_phone', text)
      .addColumn('mother_phone', text)
      .addColumn('home_phone', text)
      .addColumn('address', text)
      .addColumn('version', int, (c) => c.notNull()),
    { clustered: true },
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('semesters')
      .addColumn('academic_id', autoIncrementKey(db))
      .addColumn('student_id', text, (c) => c.notNull().references('students.id').onDelete('cascade'))
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('sgpa', int, (c) => c.notNull())
      .addColumn('cgpa', int, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addUniqueConstraint('semesters_of_student', ['student_id', 'semester']),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('semester_subjects')
      .addColumn('student_id', text, (c) => c.notNull())
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('slot', int, (c) => c.notNull())
      .addColumn('title', text, (c) => c.notNull())
      .addColumn('course_id', bigint)
      .addColumn('credits', int)
      .addColumn('half_points', int)
      .addPrimaryKeyConstraint('semester_subjects_key', ['student_id', 'semester', 'slot'])
      .addForeignKeyConstraint(
        'semester_subjects_semester',
        ['student_id', 'semester'],
        'semesters',
        ['student_id', 'semester'],
        (key) => key.onDelete('cascade'),
      ),
    { clustered: true },
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('pictures')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('data', bytes, (c) => c.notNull()),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('student_terms')
      .addColumn('term', text, (c) => c.notNull())
      .addColumn('student_id', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('student_terms_key', ['term', 'student_id']),
    { clustered: true },
  ).execute();

  const cohort = ['department', 'degree', 'syn', 'current_sem', 'gender', 'is_complete'] as const;
  await withTableOptions(
    db,
    db.schema
      .createTable('cohorts')
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('syn', text, (c) => c.notNull())
      .addColumn('current_sem', int, (c) => c.notNull())
      .addColumn('gender', text, (c) => c.notNull())
      .addColumn('is_complete', int, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('cohorts_key', [...cohort]),
    { clustered: true },
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('cohort_cgpas')
      .addColumn('tenth', int, (c) => c.notNull())
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('syn', text, (c) => c.notNull())
      .addColumn('current_sem', int, (c) => c.notNull())
      .addColumn('gender', text, (c) => c.notNull())
      .addColumn('is_complete', int, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('cohort_cgpas_key', ['tenth', ...cohort]),
    { clustered: true },
  ).execute();
}

/** What the list of students and the insights are sorted, filtered and counted by, at any number of them. */
async function createStudentIndexes(db: Tx): Promise<void> {
  // Each order within a semester of a department: the list merges as many of these as are asked for. What follows the
  // key lets every other filter be decided from the index alone.
  for (const key of ['id_key', 'name_key', 'dob', 'degree_key', 'fsc_marks', 'matric_marks', 'cgpa']) {
    const decided = ['degree', 'syn', 'gender', 'is_complete', 'fall', ...(key === 'cgpa' ? [] : ['cgpa'])];
    await db.schema
      .createIndex(`students_by_${key}`)
      .on('students')
      .columns(['current_sem', 'department', key, 'id', ...decided])
      .execute();
  }
  // Names go along with the gender, IDs with the degree: on the way to some of the one may be a hundred thousand of the
  // other.
  const led = [
    ['students_by_gender_and_name', 'gender', 'name_key', 'degree'],
    ['students_by_degree_and_id', 'degree', 'id_key', 'gender'],
  ] as const;
  for (const [name, by, key, other] of led) {
    await db.schema
      .createIndex(name)
      .on('students')
      .columns(['current_sem', 'department', by, key, 'id', other, 'syn', 'is_complete', 'fall', 'cgpa'])
      .execute();
  }
  // Few among many: found by what they have in common, then put in order.
  await db.schema
    .createIndex('students_by_cohort')
    .on('students')
    .columns(['current_sem', 'department', 'degree', 'syn', 'is_complete', 'cgpa', 'id'])
    .execute();
  await db.schema
    .createIndex('students_by_fall')
    .on('students')
    .columns(['fall', 'id'])
    .where('fall', '>', 0)
    .execute();
  await db.schema
    .createIndex('failed_subjects')
    .on('semester_subjects')
    .columns(['course_id', 'student_id'])
    .where(sql<boolean>`half_points = 0`)
    .execute();

  await db.schema
    .createIndex('students_falling')
    .on('students')
    .columns(['department', 'fall'])
    .where('fall', '>', 0)
    .execute();
}

/** The catalogue with its marks. */
async function createCourseTables(db: Tx): Promise<void> {
  const { text, int, bigint } = columnTypes(db);

  await withTableOptions(
    db,
    db.schema
      .createTable('courses')
      .addColumn('course_id', bigint, (c) => c.primaryKey().notNull())
      .addColumn('course_code', text, (c) => c.notNull())
      .addColumn('course_name', text, (c) => c.notNull())
      .addColumn('course_description', text)
      .addColumn('tally', text, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull()),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('course_marks')
      .addColumn('course_id', bigint, (c) => c.notNull().references('courses.course_id').onDelete('cascade'))
      .addColumn('piece', int, (c) => c.notNull())
      .addColumn('marks', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('course_marks_key', ['course_id', 'piece']),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('course_results')
      .addColumn('course_id', bigint, (c) => c.notNull())
      .addColumn('half_points', int, (c) => c.notNull())
      .addColumn('results', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('course_results_key', ['course_id', 'half_points']),
    { clustered: true },
  ).execute();
}

/** Who changed what, append-only and chained by hashes. */
async function createHistoryTables(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);

  await withTableOptions(
    db,
    db.schema
      .createTable('bulk_changes')
      .addColumn('id', autoIncrementKey(db))
      .addColumn('at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addColumn('undo', text),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('history')
      .addColumn('id', autoIncrementKey(db))
      .addColumn('at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('user_name', text)
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('entity', text, (c) => c.notNull())
      .addColumn('entity_id', text, (c) => c.notNull())
      .addColumn('before', text)
      .addColumn('after', text)
      .addColumn('bulk_id', int, (c) => c.references('bulk_changes.id')),
  ).execute();
  await db.schema
    .createIndex('history_of_entity')
    .on('history')
    .columns(['entity', 'entity_id', 'id'])
    .execute();
  await makeAppendOnly(db, 'history');
  await db.schema
    .createIndex('history_of_bulk')
    .on('history')
    .columns(['bulk_id', 'id'])
    .where('bulk_id', 'is not', null)
    .execute();
  const kind = ['entity', 'action', 'at', 'id'] as const;
  await db.schema
    .createIndex('history_by_kind')
    .on('history')
    .columns([...kind])
    .execute();
  await db.schema
    .createIndex('history_by_person')
    .on('history')
    .columns(['user_id', ...kind])
    .execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('history_links')
      .addColumn('number', int, (c) => c.primaryKey().notNull())
      .addColumn('history_id', int, (c) => c.notNull().unique())
      .addColumn('hash', text, (c) => c.notNull()),
  ).execute();
  await makeAppendOnly(db, 'history_links', 'number');

  await withTableOptions(
    db,
    db.schema
      .createTable('history_head')
      .addColumn('id', int, (c) => c.primaryKey().notNull())
      .addColumn('number', int, (c) => c.notNull())
      .addColumn('hash', text, (c) => c.notNull()),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('replaced_marks')
      .addColumn('history_id', int, (c) => c.notNull().references('history.id'))
      .addColumn('piece', int, (c) => c.notNull())
      .addColumn('marks', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('replaced_marks_key', ['history_id', 'piece']),
  ).execute();
}

/** State shared by the processes of an installation. */
async function createProcessTables(db: Tx): Promise<void> {
  const { text, int, bigint } = columnTypes(db);

  await withTableOptions(
    db,
    db.schema
      .createTable('backup_schedule')
      .addColumn('id', int, (c) => c.primaryKey().notNull())
      .addColumn('begun_at', text, (c) => c.notNull())
      .addColumn('good_at', text),
  ).execute();

  await withTableOptions(
    db,
    db.schema
      .createTable('exports')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('rows', bigint, (c) => c.notNull())
      .addColumn('bytes', bigint, (c) => c.notNull())
      .addColumn('total', bigint, (c) => c.notNull())
      .addColumn('total_is', text, (c) => c.notNull())
      .addColumn('is_over', int, (c) => c.notNull())
      .addColumn('seen_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('exports_of_user').on('exports').column('user_id').execute();
}
