import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { figuresText, type PaperFigures, type PaperRecord } from '../../../domain/documents/paper.ts';
import { DEPARTMENTS } from '../../../domain/student.ts';
import type { Db, StudentsTable } from '../../db/schema.ts';
import { loadPolicy } from '../../students/grading/policies.ts';
import { type ResultParts, resultColumns, semesterTuples, subjectTuples } from '../../students/queries.ts';

/** A record as papers are made of it, with what else a paper may show. */
export interface StoredRecord extends PaperRecord {
  policyId: number;
  /** URL of the portrait. */
  portrait: string | null;
}

/** The columns of {@link recordColumns}. */
export interface RecordRow
  extends ResultParts,
    Pick<
      StudentsTable,
      'id' | 'first_name' | 'last_name' | 'dob' | 'joining_date' | 'degree' | 'department' | 'img'
    > {
  father_name: string | null;
}

/** Of a student of the table `s` with the family `f`. */
export const recordColumns = (db: Db) => sql`
  s.id, s.first_name, s.last_name, s.dob, s.joining_date, s.degree, s.department, s.img, f.father_name,
  ${resultColumns(db)}`;

export async function toRecord(db: Db, row: RecordRow): Promise<StoredRecord> {
  const { id, first_name, last_name, dob, joining_date, degree, department, father_name, img } = row;
  const { rules } = await loadPolicy(db, row.policy_id);
  return {
    student: {
      ...{ id, first_name, last_name, father_name, dob, joining_date, degree },
      department: DEPARTMENTS[department],
    },
    semesters: semesterTuples(row).map(([, semester, sgpa, cgpa]) => ({
      semester,
      sgpa: sgpa / 100,
      cgpa: cgpa / 100,
    })),
    // A spread would take several times as long.
    subjects: subjectTuples(row).map(([semester, slot, title, course_id, credits, half_points]) => {
      const points = half_points === null ? null : half_points / 2;
      return { semester, slot, title, course_id, credits, points };
    }),
    repeat_policy: rules.repeat_policy,
    policyId: row.policy_id,
    portrait: img,
  };
}

/** What is stored of the figures of a paper, to find out whether the record still has them. */
export const hashFigures = (figures: PaperFigures): string =>
  createHash('sha256').update(figuresText(figures)).digest('hex');
