import type { Selectable } from 'kysely';
import type { OpenedClass, OpenedSheet, OpeningPreviewInput } from '../../../contract/marksheets/openings.ts';
import type { NamedCourse } from '../../../contract/schemes/schemes.ts';
import { toGradeLetter } from '../../../domain/grading/gpa.ts';
import { type AuditedRow, isLacking } from '../../../domain/schemes/audit.ts';
import { countCredits } from '../../../domain/schemes/hours.ts';
import { foldKey, type SchemeRow } from '../../../domain/schemes/scheme.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { SEMESTERS } from '../../../domain/student.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db, SheetsTable } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { findAuditParts } from '../../students/audit/facts.ts';
import { findCatalogueCourses } from '../../students/audit/named-courses.ts';
import { auditParts, loadAuditRules } from '../../students/audit/read-audit.ts';
import type { PublishedScheme } from '../../students/audit/schemes.ts';
import { findBlocked } from '../../students/holds/blocks.ts';
import { findTermEntries } from '../registration/check-students.ts';
import type { TermColumns } from '../registration/last-days.ts';
import { getStudentId } from '../sheet.ts';

/** Students looked at in one go. */
const STUDENTS_AT_ONCE = 40;

/** A sheet of the preview with what is stored if it is made. */
export interface PlannedSheet {
  shown: OpenedSheet;
  opened: OpenedClass;
  course: NamedCourse | undefined;
  hasLab: boolean;
  ids: readonly string[];
}

/** A sheet of the term that is there already. */
export type ExistingSheet = Pick<
  Selectable<SheetsTable>,
  'sheet_id' | 'course_id' | 'department' | 'degree' | 'semester'
> & { students: number };

interface ClassPlan {
  term: TermColumns;
  opened: OpenedClass;
  scheme: PublishedScheme;
  existing: readonly ExistingSheet[];
  choices: OpeningPreviewInput['choices'];
}

/** The sheets of a class: one for each row of its scheme in the semester, or for each course that is chosen for it. */
export async function planClass(db: Db, plan: ClassPlan): Promise<PlannedSheet[]> {
  const { opened, scheme, existing, choices } = plan;
  const { department, degree, semester } = opened;
  const rows = scheme.rows.filter((row) => row.semester === semester);
  const active = await findActive(db, opened);
  const students = active.filter(({ current_sem }) => current_sem === semester);
  const reasons = await findReasons(
    db,
    plan,
    rows,
    students.map(({ id }) => id),
  );
  const courses = await findCatalogueCourses(
    db,
    rows.flatMap((row) => row.options),
  );
  const coursesById = new Map(courses.map((course) => [course.course_id, course]));
  const isOfClass = (one: Pick<OpenedClass, 'department' | 'degree'>) =>
    one.department === department && one.degree === degree;
  const keptById = new Map(
    existing
      .toReversed()
      .flatMap((one) => (isOfClass(one) && one.semester === semester ? [[one.course_id, one]] : [])),
  );
  const taken = new Set<number>();

  const planSheet = (row: SchemeRow, courseId: number | null, isOnly: boolean): PlannedSheet => {
    const course = courseId === null ? undefined : coursesById.get(courseId);
    const kept = courseId === null ? undefined : keptById.get(courseId);
    const isTaken = courseId !== null && taken.has(courseId);
    const problem =
      kept === undefined ? findProblem(row, courseId, { isThere: course !== undefined, isTaken }) : null;
    if (courseId !== null) taken.add(courseId);
    const offered = isOnly && kept === undefined && problem === null ? students : [];
    const findReason = (id: string) => reasons.get(id)?.(row, courseId ?? 0);
    const leftOut = offered.flatMap(({ id, first_name, last_name }) => {
      const reason = findReason(id);
      return reason === undefined ? [] : { student_id: id, first_name, last_name, reason };
    });
    const out = new Set(leftOut.map(getStudentId));
    const ids = offered.flatMap(({ id }) => (out.has(id) ? [] : id));
    const hasChoice = row.options.length > 1;
    return {
      ...{ opened, course, hasLab: row.lab > 0, ids },
      shown: {
        ...{ department, degree, semester, row: row.key, credits: countCredits(row) },
        ...{ course_id: courseId, course_code: course?.course_code ?? null },
        title: hasChoice ? (course?.course_name ?? row.title) : row.title,
        options: hasChoice ? row.options.flatMap((id) => toOption(coursesById.get(id))) : [],
        ...{ left_out: leftOut, other_semester: active.length - students.length, problem },
        ...{ sheet_id: kept?.sheet_id ?? null, students: kept?.students ?? ids.length },
      },
    };
  };

  return rows.flatMap((row) => {
    const choice = choices.find((one) => isOfClass(one) && foldKey(one.row) === foldKey(row.key));
    const chosen = row.options.length === 1 ? row.options : (choice?.course_ids ?? []);
    if (chosen.length === 0) return planSheet(row, null, false);
    return chosen.map((courseId) => planSheet(row, courseId, chosen.length === 1));
  });
}

const toOption = (course: NamedCourse | undefined): OpenedSheet['options'] => {
  if (course === undefined) return [];
  const { course_id, course_code, course_name } = course;
  return [{ course_id, course_code, course_name }];
};

function findProblem(
  row: SchemeRow,
  courseId: number | null,
  { isThere, isTaken }: { isThere: boolean; isTaken: boolean },
): string | null {
  if (courseId === null) return 'No course is chosen.';
  if (countCredits(row) === 0) return 'The row has no credit hours.';
  if (!isThere) return 'The course is deleted.';
  return isTaken ? 'Another row of the class has the course.' : null;
}

const findActive = async (db: Db, { department, degree, syn }: OpenedClass) =>
  inIdOrder(
    await db
      .selectFrom('students')
      .select(['id', 'first_name', 'last_name', 'current_sem'])
      // All of them, so that the index of classes is used.
      .where('current_sem', 'in', SEMESTERS)
      .where('department', '=', department)
      .where('degree', '=', degree)
      .where('status', '=', 'active')
      .$if(syn.length > 0, (query) => query.where('syn', 'in', syn))
      .execute(),
    ({ id }) => id,
  );

/** Why a student is left out of the sheet of a row and course; undefined for who takes it. */
type FindReason = (row: SchemeRow, courseId: number) => string | undefined;

async function findReasons(
  db: Db,
  { term, opened, scheme }: ClassPlan,
  rows: readonly SchemeRow[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, FindReason>> {
  const getRules = await loadAuditRules(db);
  const rules = getRules(opened);
  const { groups } = rules;
  const reasons = new Map<string, FindReason>();
  const keys = new Set(rows.map(({ key }) => key));
  for await (const some of pausedChunks(ids, STUDENTS_AT_ONCE)) {
    const entries = groupBy(await findTermEntries(db, term.term_id, some), getStudentId);
    const holds = await findBlocked(db, some, 'registration');
    for (const parts of await findAuditParts(db, some)) {
      const { audit } = auditParts(parts, scheme, rules);
      const audited = new Map(
        audit.rows.flatMap((one) => (keys.has(one.row.key) ? [[one.row.key, one]] : [])),
      );
      const own = entries.get(parts.id) ?? [];
      reasons.set(parts.id, (row, courseId) => {
        const settled = settledText(audited.get(row.key));
        if (settled !== undefined) return settled;
        const other = own.find(({ course_id }) => groups.of(course_id) === groups.of(courseId));
        if (other !== undefined) return `On mark sheet ${other.sheet_id} of this course already.`;
        return holds.get(parts.id)?.text;
      });
    }
  }
  return reasons;
}

function settledText(audited: AuditedRow | undefined): string | undefined {
  if (audited === undefined || isLacking(audited.state)) return undefined;
  const { state, filledBy } = audited;
  if (state === 'waived') return 'The row is waived.';
  if (filledBy?.kind === 'outside') return 'Credits from elsewhere fill the row.';
  if (filledBy?.kind !== 'attempt') return 'The row is passed.';
  const { points, semester, title } = filledBy.attempt;
  if (state === 'substituted') return `Substituted by ${title}.`;
  return `Passed with ${toGradeLetter(points === null ? null : points * 2)} in semester ${semester}.`;
}
