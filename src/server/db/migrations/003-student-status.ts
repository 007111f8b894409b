import { sql } from 'kysely';
import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * The status of a student, by which lists and counts tell apart who is studying; the semester that the CGPA follows, and the
 * final CGPA. A student without any graded subject has no CGPA any more.
 */
export async function up(db: Tx): Promise<void> {
  await dropStudentIndexes(db);
  await addColumns(db);
  await computeCgpas(db);
  await createStudentIndexes(db);
  await replaceCounts(db);
}

const ORDERS = ['id_key', 'name_key', 'dob', 'degree_key', 'fsc_marks', 'matric_marks', 'cgpa'] as const;

async function dropStudentIndexes(db: Tx): Promise<void> {
  const others = [
    'students_by_gender_and_name',
    'students_by_degree_and_id',
    'students_by_cohort',
    'students_falling',
  ];
  for (const name of [...ORDERS.map((key) => `students_by_${key}`), ...others]) {
    await db.schema.dropIndex(name).execute();
  }
}

async function addColumns(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  const students = db.schema.alterTable('students');
  await students.addColumn('status', text, (c) => c.notNull().defaultTo('active')).execute();
  await students.addColumn('status_date', text).execute();
  await students.addColumn('status_reason', text).execute();
  // Derived from the record, for the list.
  await students.addColumn('cgpa_semester', int, (c) => c.notNull().defaultTo(0)).execute();
  await students.addColumn('final_cgpa', int, (c) => c.notNull().defaultTo(-1)).execute();
  await students.addColumn('is_active', int, (c) => c.notNull().defaultTo(1)).execute();
}

/**
 * The CGPA is that of the semester before the current one if something is graded up to it, else that of the latest recorded
 * one.
 */
async function computeCgpas(db: Tx): Promise<void> {
  await sql`
    update students set cgpa_semester = case
      when r.first_graded is null then 0
      when current_sem - 1 >= r.first_graded and current_sem - 1 <= r.last_recorded then current_sem - 1
      else r.last_recorded end
    from (
      select a.student_id, max(a.semester) as last_recorded, min(case when exists (
        select 1 from semester_subjects t where t.student_id = a.student_id and t.semester = a.semester
          and t.credits is not null and t.half_points is not null) then a.semester end) as first_graded
      from semesters a group by a.student_id) r
    where students.id = r.student_id`.execute(db);
  const cgpaAfter = (semester: ReturnType<typeof sql>) => sql`coalesce((
    select a.cgpa from semesters a where a.student_id = students.id and a.semester = ${semester}), -1)`;
  await sql`
    update students set
      cgpa = ${cgpaAfter(sql`students.cgpa_semester`)},
      final_cgpa = case when current_sem = 8 and cgpa_semester > 0 then ${cgpaAfter(sql`8`)} else -1 end
    where cgpa >= 0 or cgpa_semester > 0`.execute(db);
}

/**
 * Every order is within the active or the other students of a semester and department, so that the active ones come first by
 * walking along the index twice.
 */
async function createStudentIndexes(db: Tx): Promise<void> {
  const branch = ['current_sem', 'department', 'is_active'] as const;
  for (const key of ORDERS) {
    const decided = [
      'degree',
      'syn',
      'gender',
      'is_complete',
      'fall',
      ...(key === 'cgpa' ? [] : ['cgpa']),
      'status',
    ];
    await db.schema
      .createIndex(`students_by_${key}`)
      .on('students')
      .columns([...branch, key, 'id', ...decided])
      .execute();
  }
  const led = [
    ['students_by_gender_and_name', 'gender', 'name_key', 'degree'],
    ['students_by_degree_and_id', 'degree', 'id_key', 'gender'],
  ] as const;
  for (const [name, by, key, other] of led) {
    await db.schema
      .createIndex(name)
      .on('students')
      .columns([...branch, by, key, 'id', other, 'syn', 'is_complete', 'fall', 'cgpa', 'status'])
      .execute();
  }
  await db.schema
    .createIndex('students_by_cohort')
    .on('students')
    .columns(['current_sem', 'department', 'degree', 'syn', 'status', 'is_complete', 'cgpa', 'id'])
    .execute();
  await db.schema
    .createIndex('students_falling')
    .on('students')
    .columns(['department', 'is_active', 'fall'])
    .where('fall', '>', 0)
    .execute();
}

/** The counts get the status as part of their keys, which an engine can't add. */
async function replaceCounts(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  const cohort = ['department', 'degree', 'syn', 'current_sem', 'gender', 'is_complete'] as const;
  const counted = sql.raw(`department, degree, syn, current_sem, coalesce(gender, ''), is_complete`);
  const columns = sql.join(cohort.map((name) => sql.ref(name)));

  await db.schema.dropTable('cohorts').execute();
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
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('cohorts_key', [...cohort, 'status']),
    { clustered: true },
  ).execute();
  await sql`insert into cohorts (${columns}, status, students)
    select ${counted}, status, count(*) from students group by ${counted}, status`.execute(db);

  await db.schema.dropTable('cohort_cgpas').execute();
  await withTableOptions(
    db,
    db.schema
      .createTable('cohort_cgpas')
      .addColumn('tenth', int, (c) => c.notNull())
      .addColumn('is_final', int, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('department', text, (c) => c.notNull())
      .addColumn('degree', text, (c) => c.notNull())
      .addColumn('syn', text, (c) => c.notNull())
      .addColumn('current_sem', int, (c) => c.notNull())
      .addColumn('gender', text, (c) => c.notNull())
      .addColumn('is_complete', int, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('cohort_cgpas_key', ['tenth', 'is_final', 'status', ...cohort]),
    { clustered: true },
  ).execute();
  for (const [column, isFinal] of [
    ['cgpa', 0],
    ['final_cgpa', 1],
  ] as const) {
    const tenth = sql`${sql.ref(column)} / 10`;
    await sql`insert into cohort_cgpas (tenth, is_final, status, ${columns}, students)
      select ${tenth}, ${sql.lit(isFinal)}, status, ${counted}, count(*) from students
      where ${sql.ref(column)} >= 0 group by ${tenth}, status, ${counted}`.execute(db);
  }
}
