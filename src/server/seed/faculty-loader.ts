import { sql } from 'kysely';
import type { SemesterInput } from '../../contract/academics.ts';
import { gpaStanding } from '../../domain/gpa.ts';
import { searchTerms } from '../../domain/search-text.ts';
import { countResults } from '../academics/course-results.ts';
import type { Subject } from '../academics/semester-json.ts';
import { graded, subjectsOf } from '../academics/subjects.ts';
import { columnTypes } from '../db/dialect.ts';
import { RowLoader } from '../db/row-loader.ts';
import type { FamiliesTable, Schema, SemesterSubjectsTable, Tx } from '../db/schema.ts';
import { CohortCounts, listingOf, type SemesterFacts, type StudentRow } from '../students/listing.ts';
import { studentColumns } from '../students/present.ts';
import type { Invented } from './invent-student.ts';

type SemesterRow = Omit<Schema['semesters'], 'academic_id'>;

/** Stores students with every row that they have part in, as staff's own entries would have left them. */
export class FacultyLoader {
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
    this.#students = new RowLoader<StudentRow>(tx, 'students', [
      ...(['id', 'first_name', 'last_name', 'dob', 'joining_date', 'phone_number', 'gender'] as const),
      ...(['fsc_marks', 'fsc_year', 'fsc_div', 'matric_marks', 'matric_year', 'matric_div'] as const),
      ...(['current_sem', 'department', 'degree', 'syn', 'reason', 'img', 'version'] as const),
      ...(['id_key', 'name_key', 'degree_key', 'search_text', 'cgpa', 'fall', 'is_complete'] as const),
    ]);
    this.#families = new RowLoader<FamiliesTable>(tx, 'families', [
      ...(['student_id', 'father_name', 'father_occupation', 'mother_name', 'mother_occupation'] as const),
      ...(['number_siblings', 'father_phone', 'mother_phone', 'home_phone', 'address', 'version'] as const),
    ]);
    this.#semesters = new RowLoader<SemesterRow>(tx, 'semesters', [
      ...(['student_id', 'semester', 'sgpa', 'cgpa', 'version'] as const),
    ]);
    this.#subjects = new RowLoader<SemesterSubjectsTable>(tx, 'semester_subjects', [
      ...(['student_id', 'semester', 'slot', 'title', 'course_id', 'credits', 'half_points'] as const),
    ]);
    this.#terms = new RowLoader<Schema['student_terms']>(tx, 'unsorted_terms', ['term', 'student_id']);
  }

  /** Takes a student, to be stored with others. */
  add({ student, family, semesters }: Invented): void {
    const results = resultsOf(semesters);
    const listing = listingOf(
      { ...student, father_name: family?.father_name ?? null, father_phone: family?.father_phone ?? null },
      family !== null,
      results.map(({ facts }) => facts),
    );
    const row = { ...studentColumns(student), ...listing, version: 1 };
    this.#students.add(row);
    if (family !== null) this.#families.add({ ...family, version: 1 });
    const student_id = student.id;
    for (const { facts, subjects } of results) {
      this.#semesters.add({ student_id, version: 1, ...facts });
      for (const subject of subjects) {
        this.#subjects.add({ student_id, semester: facts.semester, ...subject });
        this.#results.push(subject);
      }
    }
    for (const term of searchTerms(listing.search_text)) this.#terms.add({ term, student_id });
    this.#counts.add(row, 1);
  }

  /** Stores all that have been taken since the last time. */
  async store(): Promise<void> {
    // In the order in which they refer to one another.
    for (const rows of [this.#students, this.#families, this.#semesters, this.#subjects, this.#terms]) {
      await rows.store();
    }
    await countResults(this.#tx, { added: this.#results });
    this.#results = [];
  }

  async end(): Promise<void> {
    await this.store();
    await this.#counts.store(this.#tx);
    // Kept in the order of the words, which those of one student after the other are far from.
    await sql`insert into student_terms (term, student_id)
      select term, student_id from unsorted_terms order by term, student_id`.execute(this.#tx);
    await this.#tx.schema.dropTable('unsorted_terms').execute();
  }
}

function resultsOf(semesters: readonly SemesterInput[]): { facts: SemesterFacts; subjects: Subject[] }[] {
  const subjects = semesters.map(subjectsOf);
  const standing = gpaStanding(subjects.map((own) => own.map(graded)));
  return semesters.map(({ semester }, i) => {
    const own = subjects[i] ?? [];
    return {
      facts: {
        semester,
        sgpa: Math.round((standing[i]?.sgpa ?? 0) * 100),
        cgpa: Math.round((standing[i]?.cgpa ?? 0) * 100),
        graded: own.filter(({ credits, half_points }) => credits !== null && half_points !== null).length,
      },
      subjects: own,
    };
  });
}
