import { sql } from 'kysely';
import type { SemesterInput } from '../../contract/students/academics.ts';
import { DEFAULT_RULES } from '../../domain/grading/policy.ts';
import { NO_EQUIVALENTS } from '../../domain/schemes/equivalents.ts';
import { searchTerms } from '../../domain/search-text.ts';
import { BulkInserter } from '../db/bulk-insert.ts';
import { tuneForBulkLoad } from '../db/dialect/locks.ts';
import { analyzeTables, columnTypes, indexStatements } from '../db/dialect/sql.ts';
import type { Db, FamiliesTable, Schema, SemesterSubjectsTable, Tx } from '../db/schema.ts';
import { recordChange } from '../history/record-change.ts';
import { transact } from '../history/transaction.ts';
import { StartError } from '../start-error.ts';
import { CohortCounts } from '../students/derived/cohort-counts.ts';
import { deriveStudent } from '../students/derived/derive-student.ts';
import { deriveTexts, type StudentRow } from '../students/derived/derived-columns.ts';
import { countResults } from '../students/derived/result-counts.ts';
import { NEVER_NOTIFIED, type NotifiedColumns } from '../students/grading/standing-facts.ts';
import { studentColumns } from '../students/queries.ts';
import { type Subject, toSubjects } from '../students/semester-slots.ts';
import { GENERATOR, type GeneratedStudent, generateStudent } from './invent-faculty.ts';
import { seededRandom } from './random.ts';
import { FIRST_INTAKE, LATEST_INTAKE, register } from './registration.ts';
import { isEmpty, SEEDER, type SeedOptions, seedCatalogue } from './seed-faculty.ts';

type SemesterRow = Omit<
  Schema['semesters'],
  'academic_id' | 'is_provisional' | 'is_elsewhere' | keyof NotifiedColumns
>;

/** Stores students with all their rows in bulk: the same rows as if the staff had entered them. */
class FacultyLoader {
  readonly #tx: Tx;
  readonly #students;
  readonly #families;
  readonly #semesters;
  readonly #subjects;
  readonly #terms;
  readonly #counts = new CohortCounts();
  #results: Subject[] = [];

  static async open(tx: Tx): Promise<FacultyLoader> {
    const { text } = columnTypes(tx);
    await tx.schema
      .createTable('unsorted_terms')
      .temporary()
      .addColumn('term', text, (c) => c.notNull())
      .addColumn('student_id', text, (c) => c.notNull())
      .execute();
    return new FacultyLoader(tx);
  }

  private constructor(tx: Tx) {
    this.#tx = tx;
    this.#students = new BulkInserter<StudentRow>(tx, 'students', [
      'id',
      'first_name',
      'last_name',
      'dob',
      'joining_date',
      'phone_number',
      'gender',
      'fsc_marks',
      'fsc_year',
      'fsc_div',
      'matric_marks',
      'matric_year',
      'matric_div',
      'current_sem',
      'department',
      'degree',
      'syn',
      'reason',
      'img',
      'version',
      'status',
      'status_date',
      'status_reason',
      'cgpa_semester',
      'final_cgpa',
      'is_active',
      'policy_id',
      'standing',
      'id_key',
      'name_key',
      'degree_key',
      'search_text',
      'word_bits',
      'cgpa',
      'fall',
      'is_complete',
    ]);
    this.#families = new BulkInserter<FamiliesTable>(tx, 'families', [
      'student_id',
      'father_name',
      'father_occupation',
      'mother_name',
      'mother_occupation',
      'number_siblings',
      'father_phone',
      'mother_phone',
      'home_phone',
      'address',
      'version',
    ]);
    this.#semesters = new BulkInserter<SemesterRow>(tx, 'semesters', [
      'student_id',
      'semester',
      'sgpa',
      'cgpa',
      'version',
    ]);
    this.#subjects = new BulkInserter<SemesterSubjectsTable>(tx, 'semester_subjects', [
      'student_id',
      'semester',
      'slot',
      'title',
      'course_id',
      'credits',
      'half_points',
    ]);
    this.#terms = new BulkInserter<Schema['student_terms']>(tx, 'unsorted_terms', ['term', 'student_id']);
  }

  /** Adds a student to the next batch. */
  add({ student, status, family, semesters }: GeneratedStudent): void {
    const results = deriveStudent(
      { row: { ...student, ...status }, hasFamily: family !== null, semesters: semesters.map(toGraded) },
      FIRST_POLICY,
    );
    const { father_name = null, father_phone = null } = family ?? {};
    const listing = { ...deriveTexts({ ...student, father_name, father_phone }), ...results.figures };
    const row = { ...studentColumns(student), ...status, ...listing, version: 1 };
    this.#students.add(row);
    if (family !== null) this.#families.add({ ...family, version: 1 });
    const student_id = student.id;
    for (const { row: semester, subjects } of results.semesters) {
      this.#semesters.add({ student_id, version: 1, ...semester });
      for (const subject of subjects) {
        this.#subjects.add({ student_id, semester: semester.semester, ...subject });
        this.#results.push(subject);
      }
    }
    for (const term of searchTerms(listing.search_text)) this.#terms.add({ term, student_id });
    this.#counts.add(row, 1);
  }

  /** Stores the batch. */
  async store(): Promise<void> {
    // In the order of the foreign keys.
    for (const rows of [this.#students, this.#families, this.#semesters, this.#subjects, this.#terms]) {
      await rows.store();
    }
    await countResults(this.#tx, { added: this.#results });
    this.#results = [];
  }

  async end(): Promise<void> {
    await this.store();
    await this.#counts.store(this.#tx);
    // Inserted in the order of the primary key, which is far faster than student by student.
    await sql`insert into student_terms (term, student_id)
      select term, student_id from unsorted_terms order by term, student_id`.execute(this.#tx);
    await this.#tx.schema.dropTable('unsorted_terms').execute();
  }
}

/** A semester as it is stored, but for the averages. */
const toGraded = (semester: SemesterInput) => ({
  row: { semester: semester.semester, sgpa: 0, cgpa: 0, is_provisional: 0, ...NEVER_NOTIFIED },
  subjects: toSubjects(semester),
});

/** An empty database has no other policy. */
const FIRST_POLICY = { policy_id: 1, rules: DEFAULT_RULES, groups: NO_EQUIVALENTS };

/** Students per batch. */
const BATCH_SIZE = 2_000;

/**
 * Fills an empty database with a faculty of any size, including former students: the same people and rows as `seedFaculty`,
 * many times faster. One transaction: if it is interrupted, the database stays empty. The history gets a single entry with
 * the options from which all students can be generated again.
 */
export async function fillFaculty(
  db: Db,
  { students, seed, intakes = LATEST_INTAKE - FIRST_INTAKE + 1, onProgress }: SeedOptions,
): Promise<void> {
  await transact(db, async (tx) => {
    if (!(await isEmpty(tx))) throw new StartError('So many students go into an empty database only.');
    await tuneForBulkLoad(tx);
    const random = seededRandom(seed);
    await seedCatalogue(tx, random);
    const createIndexes = await dropIndexes(tx, ['students', 'semester_subjects']);
    const faculty = await FacultyLoader.open(tx);
    let done = 0;
    for (const registration of register(random, { students, intakes })) {
      faculty.add(generateStudent(random, registration));
      done += 1;
      if (done % BATCH_SIZE === 0) await faculty.store();
      onProgress?.(done);
    }
    await faculty.end();
    await createIndexes();
    await recordChange(tx, SEEDER, {
      action: 'create',
      entity: 'student',
      // Not a valid student ID.
      entityId: '*',
      after: { students, seed, intakes, generator: GENERATOR },
    });
  });
  await analyzeTables(db);
}

/** Drops the indexes of these tables and returns a function that creates them again: faster than updating them row by row. */
async function dropIndexes(tx: Tx, tables: readonly (keyof Schema)[]): Promise<() => Promise<void>> {
  const indexes: { name: string; statement: string }[] = [];
  for (const table of tables) indexes.push(...(await indexStatements(tx, table)));
  for (const { name } of indexes) await tx.schema.dropIndex(name).execute();
  return async () => {
    for (const { statement } of indexes) await sql.raw(statement).execute(tx);
  };
}
