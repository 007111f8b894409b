import { columnTypes, endTable, makeAppendOnly, numberedKey } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Accounts, records, the course catalogue and the history. */
export async function up(db: Db): Promise<void> {
  const { text, int, bigint, bytes } = columnTypes(db);

  await endTable(
    db,
    db.schema
      .createTable('users')
      .addColumn('id', numberedKey(db))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('email', text, (c) => c.notNull())
      .addColumn('email_key', text, (c) => c.notNull().unique())
      .addColumn('role', text, (c) => c.notNull())
      .addColumn('password_hash', text, (c) => c.notNull())
      .addColumn('picture', text)
      .addColumn('version', int, (c) => c.notNull())
      .addColumn('created_at', text, (c) => c.notNull()),
  ).execute();

  await endTable(
    db,
    db.schema
      .createTable('sessions')
      .addColumn('token_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', text, (c) => c.notNull())
      .addColumn('last_used_at', text, (c) => c.notNull())
      .addColumn('expires_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute();

  await endTable(
    db,
    db.schema
      .createTable('password_resets')
      .addColumn('token_hash', text, (c) => c.primaryKey().notNull())
      .addColumn('user_id', int, (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expires_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();
  await db.schema.createIndex('password_resets_by_user').on('password_resets').column('user_id').execute();

  await endTable(
    db,
    db.schema
      .createTable('attempts')
      .addColumn('key', text, (c) => c.primaryKey().notNull())
      .addColumn('failures', int, (c) => c.notNull())
      .addColumn('window_ends_at', text, (c) => c.notNull()),
    { clustered: true },
  ).execute();

  await endTable(
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
      .addColumn('version', int, (c) => c.notNull()),
    { clustered: true },
  ).execute();

  await endTable(
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

  await endTable(
    db,
    db.schema
      .createTable('semesters')
      .addColumn('academic_id', numberedKey(db))
      .addColumn('student_id', text, (c) => c.notNull().references('students.id').onDelete('cascade'))
      .addColumn('semester', int, (c) => c.notNull())
      .addColumn('sgpa', int, (c) => c.notNull())
      .addColumn('cgpa', int, (c) => c.notNull())
      .addColumn('version', int, (c) => c.notNull())
      .addUniqueConstraint('semesters_of_student', ['student_id', 'semester']),
  ).execute();

  await endTable(
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

  await endTable(
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

  await endTable(
    db,
    db.schema
      .createTable('course_marks')
      .addColumn('course_id', bigint, (c) => c.notNull().references('courses.course_id').onDelete('cascade'))
      .addColumn('piece', int, (c) => c.notNull())
      .addColumn('marks', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('course_marks_key', ['course_id', 'piece']),
  ).execute();

  await endTable(
    db,
    db.schema
      .createTable('pictures')
      .addColumn('id', text, (c) => c.primaryKey().notNull())
      .addColumn('data', bytes, (c) => c.notNull()),
  ).execute();

  await endTable(
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

  await endTable(
    db,
    db.schema
      .createTable('history')
      .addColumn('id', numberedKey(db))
      .addColumn('at', text, (c) => c.notNull())
      .addColumn('user_id', int)
      .addColumn('user_name', text)
      .addColumn('action', text, (c) => c.notNull())
      .addColumn('entity', text, (c) => c.notNull())
      .addColumn('entity_id', text, (c) => c.notNull())
      .addColumn('before', text)
      .addColumn('after', text),
  ).execute();
  await db.schema
    .createIndex('history_of_entity')
    .on('history')
    .columns(['entity', 'entity_id', 'id'])
    .execute();
  await makeAppendOnly(db, 'history');

  await endTable(
    db,
    db.schema
      .createTable('replaced_marks')
      .addColumn('history_id', int, (c) => c.notNull().references('history.id'))
      .addColumn('piece', int, (c) => c.notNull())
      .addColumn('marks', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('replaced_marks_key', ['history_id', 'piece']),
  ).execute();
}
