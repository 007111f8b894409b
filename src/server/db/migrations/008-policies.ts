import { sql } from 'kysely';
import { columnTypes, withTableOptions } from '../dialect/sql.ts';
import type { Tx } from '../schema.ts';

/**
 * Grading policies, of which the first has the rules that held so far, and the academic standing of each student. The server
 * computes the standings of stored records when it applies the first policy, at its next start.
 */
export async function up(db: Tx): Promise<void> {
  await createPolicies(db);
  await dropStudentIndexes(db);
  const { text, int } = columnTypes(db);
  const students = db.schema.alterTable('students');
  await students.addColumn('policy_id', int, (c) => c.notNull().defaultTo(1)).execute();
  await students.addColumn('standing', text, (c) => c.notNull().defaultTo('')).execute();
  await createStudentIndexes(db);
  await replaceCounts(db);
}

/** The rules of policy 1, as they were decided with this migration. */
const FIRST_RULES = {
  repeat_policy: 'all',
  warning_sgpa: 2,
  probation_cgpa: 2,
  review_fails: 7,
  review_probations: 4,
  review_first_fails: 5,
  deans_list_sgpa: 3.5,
  degree_credits: 136,
  degree_cgpa: 2,
  four_eyes: true,
  recheck_days: 14,
  grading_method: 'absolute',
  absolute_boundaries: [85, 80, 75, 70, 65, 60, 50],
  k: [0.9, 0.4, -0.1, -0.6, -1.1, -1.6, -2.1],
  quotas: [0.15, 0.15, 0.2, 0.2, 0.15, 0.1, 0.03],
  pass_floor: 40,
  pass_guarantee: null,
  a_guarantee: null,
  relative_min: 10,
  relative_full: 30,
  max_a_share: 0.2,
  max_f_share: 0.15,
  boundary_step: 0.01,
};

async function createPolicies(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  await db.schema
    .createTable('policies')
    .addColumn('policy_id', int, (c) => c.primaryKey())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('degrees', text)
    .addColumn('rules', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('user_id', int)
    .addColumn('user_name', text)
    .addColumn('students', int, (c) => c.notNull())
    .addColumn('applied', int, (c) => c.notNull())
    .addColumn('applied_to', text)
    .execute();
  const now = new Date().toISOString();
  // Nothing to apply in an empty database.
  await sql`insert into policies (policy_id, name, rules, created_at, students, applied, applied_to)
    select 1, 'As specified', ${JSON.stringify(FIRST_RULES)}, ${now}, count(*), 0,
      case when count(*) > 0 then '' end from students`.execute(db);
}

const ORDERS = ['id_key', 'name_key', 'dob', 'degree_key', 'fsc_marks', 'matric_marks', 'cgpa'] as const;

async function dropStudentIndexes(db: Tx): Promise<void> {
  const others = ['students_by_gender_and_name', 'students_by_degree_and_id', 'students_by_cohort'];
  for (const name of [...ORDERS.map((key) => `students_by_${key}`), ...others]) {
    await db.schema.dropIndex(name).execute();
  }
}

/** As before, with the standing, so that a filter by it reads the index alone. */
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
      'standing',
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
    const decided = ['syn', 'is_complete', 'fall', 'cgpa', 'status', 'standing'];
    await db.schema
      .createIndex(name)
      .on('students')
      .columns([...branch, by, key, 'id', other, ...decided])
      .execute();
  }
  await db.schema
    .createIndex('students_by_cohort')
    .on('students')
    .columns([
      ...['current_sem', 'department', 'degree', 'syn', 'status', 'is_complete', 'standing', 'cgpa', 'id'],
    ])
    .execute();
}

/** The counts get the standing as part of their keys, which an engine can't add. */
async function replaceCounts(db: Tx): Promise<void> {
  const { text, int } = columnTypes(db);
  const cohort = [
    ...(['department', 'degree', 'syn', 'current_sem', 'gender', 'is_complete', 'status'] as const),
  ];
  const counted = sql.raw(
    `department, degree, syn, current_sem, coalesce(gender, ''), is_complete, status, standing`,
  );
  const columns = sql.join([...cohort, 'standing'].map((name) => sql.ref(name)));

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
      .addColumn('standing', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('cohorts_key', [...cohort, 'standing']),
    { clustered: true },
  ).execute();
  await sql`insert into cohorts (${columns}, students)
    select ${counted}, count(*) from students group by ${counted}`.execute(db);

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
      .addColumn('standing', text, (c) => c.notNull())
      .addColumn('students', int, (c) => c.notNull())
      .addPrimaryKeyConstraint('cohort_cgpas_key', [
        ...(['tenth', 'is_final', 'status', 'department', 'degree', 'syn', 'current_sem'] as const),
        ...(['gender', 'is_complete', 'standing'] as const),
      ]),
    { clustered: true },
  ).execute();
  for (const [column, isFinal] of [
    ['cgpa', 0],
    ['final_cgpa', 1],
  ] as const) {
    const tenth = sql`${sql.ref(column)} / 10`;
    await sql`insert into cohort_cgpas (tenth, is_final, ${columns}, students)
      select ${tenth}, ${sql.lit(isFinal)}, ${counted}, count(*) from students
      where ${sql.ref(column)} >= 0 group by ${tenth}, ${counted}`.execute(db);
  }
}
