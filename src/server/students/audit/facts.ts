import { sql } from 'kysely';
import type { Exception, OutsideCredit } from '../../../contract/schemes/audit.ts';
import { toGradePoints } from '../../../domain/grading/gpa.ts';
import type { CourseGroups } from '../../../domain/schemes/equivalents.ts';
import type { Attempt, SheetEntry } from '../../../domain/schemes/taken-courses.ts';
import { jsonArray, jsonElements, jsonRows } from '../../db/dialect/sql.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import { type ResultParts, resultColumns, subjectTuples } from '../queries.ts';
import type { SchemeClass } from './schemes.ts';

/** What an audit reads of a student of the table `s`, as JSON. */
export interface AuditParts {
  exceptions: string;
  outside: string;
  entries: string;
}

const refs = (db: Db, ...names: readonly string[]) =>
  jsonArray(
    db,
    names.map((name) => sql.ref(name)),
  );

/** {@link AuditParts}: ranges of indexes. */
export function auditColumns(db: Db) {
  const exception = refs(
    db,
    ...['x.exception_id', 'x.row_key', 'x.course_id', 'x.reason', 'x.made_at', 'x.made_by', 'x.made_name'],
  );
  const outside = refs(
    db,
    ...['o.outside_id', 'o.title', 'o.credits', 'o.institution', 'o.grade', 'o.row_key', 'o.version'],
  );
  const entry = jsonArray(db, [
    ...['h.sheet_id', 'h.course_id', 'h.title', 'h.credits'].map((name) => sql.ref(name)),
    sql`coalesce(r.semester, h.semester)`,
  ]);
  return sql`
    (select ${jsonRows(db, exception, sql`x.exception_id`)}
      from scheme_exceptions x where x.student_id = s.id) as exceptions,
    (select ${jsonRows(db, outside, sql`o.outside_id`)} from outside_credits o where o.student_id = s.id) as outside,
    (select ${jsonRows(db, entry, sql`h.sheet_id`)}
      from sheet_rows r join sheets h on h.sheet_id = r.sheet_id
      where r.student_id = s.id and r.status in ('graded', 'incomplete')
        and h.state <> 'confirmed' and h.rectifies is null) as entries`;
}

type ExceptionTuple = [
  ...[exception_id: number, row: string, course_id: number | null, reason: string],
  ...[at: string, by: number | null, name: string],
];
type OutsideTuple = [
  ...[outside_id: number, title: string, credits: number, institution: string],
  ...[grade: string | null, row: string | null, version: number],
];
type EntryTuple = [sheet_id: number, course_id: number, title: string, credits: number, semester: number];

const NONE = '[]';

/** What an audit follows from beside the results. */
export interface SchemeFacts {
  exceptions: Exception[];
  outside: OutsideCredit[];
  entries: SheetEntry[];
}

export function toSchemeFacts(parts: AuditParts): SchemeFacts {
  const exceptions: ExceptionTuple[] = parts.exceptions === NONE ? [] : JSON.parse(parts.exceptions);
  const outside: OutsideTuple[] = parts.outside === NONE ? [] : JSON.parse(parts.outside);
  const entries: EntryTuple[] = parts.entries === NONE ? [] : JSON.parse(parts.entries);
  return {
    exceptions: exceptions.map(([exception_id, row, course_id, reason, at, by, name]) => ({
      exception_id,
      row,
      course_id,
      reason,
      by: { id: by, name },
      at,
    })),
    outside: outside.map(([outside_id, title, credits, institution, grade, row, version]) => ({
      outside_id,
      title,
      credits,
      institution,
      grade,
      row,
      version,
    })),
    entries: entries.map(([sheet_id, course_id, title, credits, semester]) => ({
      sheet_id,
      course_id,
      title,
      credits,
      semester,
    })),
  };
}

/** The recorded subjects of a student, with the courses that they count as. */
export const toAttempts = (parts: Pick<ResultParts, 'subjects'>, groups: CourseGroups): Attempt[] =>
  subjectTuples(parts).map(([semester, slot, title, course_id, credits, half_points]) => ({
    semester,
    slot,
    title,
    course_id,
    credits,
    points: toGradePoints(half_points),
    counts_as: groups.isEmpty || course_id === null ? course_id : groups.of(course_id),
  }));

export interface AuditRow extends AuditParts, ResultParts, SchemeClass {
  id: string;
}

const findParts = preparedQueryVariants<AuditRow, object>(
  (db, _, value) => sql`
    select s.id, s.department, s.degree, ${resultColumns(db)}, ${auditColumns(db)}
    from ${jsonElements(db, value('ids'))} l cross join students s
    where s.id = l.value`,
);

/** What the audits of those students that exist follow from. */
export const findAuditParts = (db: Db, ids: readonly string[]): Promise<AuditRow[]> =>
  findParts(db, {}, { ids: JSON.stringify(ids) });
