import { sql } from 'kysely';
import { columnTypes, endTable } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What the list of students is sorted, filtered, searched and counted by, at any number of them. */
export async function up(db: Db): Promise<void> {
  const { text, int, bigint } = columnTypes(db);

  for (const column of ['id_key', 'name_key', 'degree_key', 'search_text']) {
    await db.schema
      .alterTable('students')
      .addColumn(column, text, (c) => c.notNull().defaultTo(''))
      .execute();
  }
  for (const [column, none] of [['cgpa', -1] as const, ['fall', 0] as const, ['is_complete', 0] as const]) {
    await db.schema
      .alterTable('students')
      .addColumn(column, int, (c) => c.notNull().defaultTo(none))
      .execute();
  }

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

  await endTable(
    db,
    db.schema
      .createTable('student_terms')
      .addColumn('term', text, (c) => c.notNull())
      .addColumn('student_id', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('student_terms_key', ['term', 'student_id']),
    { clustered: true },
  ).execute();

  const cohort = ['department', 'degree', 'syn', 'current_sem', 'gender', 'is_complete'] as const;
  await endTable(
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
  await endTable(
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
  await endTable(
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
