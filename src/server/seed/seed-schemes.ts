import { countCredits, type Hours } from '../../domain/schemes/hours.ts';
import { foldKey, type Need, type SchemeRow } from '../../domain/schemes/scheme.ts';
import { DEPARTMENT_CODES, DEPARTMENTS, type Department, SEMESTERS } from '../../domain/student.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { Author } from '../history/record-change.ts';
import { publishScheme, readPreview } from '../schemes/publish.ts';
import { createScheme, updateScheme } from '../schemes/write-scheme.ts';
import { createException, findExceptions } from '../students/audit/exceptions.ts';
import { type AuditRow, findAuditParts } from '../students/audit/facts.ts';
import { createOutsideCredit, findOutsideCredits } from '../students/audit/outside-credits.ts';
import { auditParts, loadAuditRules } from '../students/audit/read-audit.ts';
import { schemeFinder } from '../students/audit/schemes.ts';
import { CATALOGUE, type SeedCourse } from './catalogue.ts';
import { getCourses } from './examinations/classes.ts';

/** A course that is taught and that no scheme has: who passed it has an extra course. */
const NOT_IN_SCHEMES = 'CHEM-125';
/** One of two courses, by the code of the first. */
const CHOICES: ReadonlyMap<string, { title: string; other: string }> = new Map([
  ['HU-123', { title: 'Islamic Ethics or Sociology', other: 'HU-246' }],
]);
/** The course of the last semester for which others of as many credit hours may be taken. */
const ELECTIVE = { code: 'EE-482', key: 'TE-1', title: 'Technical Elective' };

/** What a course needs, by codes; where its scheme has it. */
const NEEDS: ReadonlyMap<string, readonly { code: string; kind: Need['kind'] }[]> = new Map(
  (
    [
      ['MATH-121', 'before', 'MATH-101'],
      ['EE-101', 'before', 'PHY-102'],
      ['EE-211', 'before', 'EE-101'],
      ['EE-206', 'before', 'MATH-121'],
      ['EE-322', 'before', 'EE-206'],
      ['EE-431', 'beside', 'EE-432'],
      ['EE-432', 'before', 'EE-211'],
      ['CS-214', 'before', 'CS-103'],
      ['CS-330', 'before', 'CS-214'],
      ['CS-434', 'before', 'CS-231'],
      ['ME-211', 'before', 'PHY-102'],
      ['ME-213', 'before', 'ME-211'],
      ['ME-322', 'before', 'ME-213'],
      ['ME-321', 'before', 'ME-212'],
      ['MTS-411', 'before', 'MTS-311'],
      ['FYP-481', 'before', 'FYP-473'],
    ] as const
  ).map(([course, kind, code]) => [course, [{ code, kind }]]),
);

/** Credit hours beyond three are in the laboratory; those of a project are all there. */
function toHours({ code, credits }: SeedCourse): Hours {
  if (code.startsWith('FYP')) return { theory: 0, lab: credits };
  return { theory: Math.min(3, credits), lab: Math.max(0, credits - 3) };
}

const idsOf = (codes: readonly string[]): number[] =>
  codes.flatMap((code) => CATALOGUE.find((course) => course.code === code)?.id ?? []);

type InventedRow = Omit<SchemeRow, 'title'> & { title: string | null };

/** The rows of the scheme of a department: what is taught there, with a choice and an elective. */
function inventSchemeRows(department: Department): InventedRow[] {
  const courses = SEMESTERS.flatMap((semester) =>
    getCourses(department, semester)
      .filter(({ code }) => code !== NOT_IN_SCHEMES)
      .map((course) => ({ ...course, semester })),
  );
  const taught = new Set(courses.map(({ id }) => id));
  const semesterOf = new Map(courses.map(({ code, semester }) => [code, semester]));
  return courses.map((course): InventedRow => {
    const { id, code, semester } = course;
    const hours = toHours(course);
    const choice = CHOICES.get(code);
    const needs = (NEEDS.get(code) ?? []).flatMap((need): Need[] => {
      const taughtIn = semesterOf.get(need.code) ?? Number.POSITIVE_INFINITY;
      const isEarlier = need.kind === 'before' ? taughtIn < semester : taughtIn <= semester;
      return isEarlier ? idsOf([need.code]).map((course_id) => ({ course_id, kind: need.kind })) : [];
    });
    const row = { key: code, semester, title: null, ...hours, options: [id], needs };
    if (choice !== undefined) return { ...row, title: choice.title, options: [id, ...idsOf([choice.other])] };
    if (code !== ELECTIVE.code) return row;
    const others = CATALOGUE.filter((one) => one.credits === course.credits && !taught.has(one.id));
    const options = [id, ...others.map((one) => one.id)];
    return { ...row, key: ELECTIVE.key, title: ELECTIVE.title, options };
  });
}

/** Puts a scheme in force for all batches of each department that has none. The courses of the catalogue have been entered. */
export async function seedSchemes(tx: Tx, author: Author): Promise<void> {
  const known = await tx.selectFrom('schemes').select('department').distinct().execute();
  for (const department of DEPARTMENT_CODES) {
    if (known.some((one) => one.department === department)) continue;
    const head = { name: `BE ${DEPARTMENTS[department]}`, department, degrees: null };
    const { scheme_id } = await createScheme(tx, author, { ...head, from: null });
    const rows = inventSchemeRows(department).map((row) => ({
      ...row,
      options: [...row.options],
      needs: [...row.needs],
    }));
    await updateScheme(tx, author, scheme_id, { ...head, rows }, undefined);
    const found = await readPreview(tx, scheme_id);
    const { fingerprint, refusals } = found.preview;
    // Courses that were there before may have other credit hours.
    if (refusals.length > 0) continue;
    await publishScheme(tx, author, scheme_id, { fingerprint, found, ifMatch: undefined });
  }
}

/** Rows that the transfer student brings from elsewhere. */
const MOST_OUTSIDE = 5;
/** Students among whom those with a waiver and a substitution are looked for. */
const MOST_AUDITED = 100;

/** Enters credits from elsewhere of a student who entered late, a waiver and a substitution, unless there are any such. */
export async function seedExceptions(tx: Tx, author: Author): Promise<void> {
  const audit = await auditor(tx);
  await seedTransfer(tx, author, audit);
  const examined = await tx
    .selectFrom('sheet_results as r')
    .innerJoin('sheets as h', 'h.sheet_id', 'r.sheet_id')
    .innerJoin('students as s', 's.id', 'r.student_id')
    .select('s.id')
    .distinct()
    .where('h.course_id', 'in', idsOf([NOT_IN_SCHEMES]))
    .where('s.status', '=', 'active')
    .orderBy('s.id')
    .limit(MOST_AUDITED)
    .execute();
  const ids = examined.map(({ id }) => id);
  if (ids.length === 0 || (await findExceptions(tx, ids)).length > 0) return;
  let waived: string | undefined;
  for (const { id, rows, extra } of await audit(ids)) {
    const open = rows.filter(({ state }) => state === 'open').map(({ row }) => row);
    if (waived === undefined) {
      const [first] = open;
      if (first === undefined) continue;
      waived = id;
      const reason = 'Exempted by decision of the faculty board.';
      await createException(tx, author, id, { row: first.key, course_id: null, reason });
      continue;
    }
    const elective = open.find(({ key }) => key === ELECTIVE.key);
    const [course] = extra;
    if (elective === undefined || course === undefined) continue;
    const reason = 'Accepted by the faculty board as the elective.';
    const { course_id } = course.attempt;
    await createException(tx, author, id, { row: elective.key, course_id, reason });
    return;
  }
}

type Auditor = Awaited<ReturnType<typeof auditor>>;

/** Audits students by the schemes in force, in the order of their IDs. */
async function auditor(db: Db) {
  const findScheme = schemeFinder(db);
  const rules = await loadAuditRules(db);
  const audit = async (parts: AuditRow) => {
    const scheme = await findScheme(parts);
    return { id: parts.id, ...auditParts(parts, scheme, rules(parts)).audit };
  };
  return async (ids: readonly string[]) => Promise.all((await findAuditParts(db, ids)).map(audit));
}

/** A student who entered late has passed courses of the semesters before elsewhere. */
async function seedTransfer(tx: Tx, author: Author, audit: Auditor): Promise<void> {
  const entered = await tx
    .selectFrom('semesters')
    .select((eb) => ['student_id', eb.fn.max('semester').as('semester')])
    .where('is_elsewhere', '=', 1)
    .groupBy('student_id')
    .orderBy('student_id')
    .limit(1)
    .executeTakeFirst();
  if (entered === undefined) return;
  const { student_id: id, semester } = entered;
  if ((await findOutsideCredits(tx, [id])).length > 0) return;
  const taken = new Set((await findExceptions(tx, [id])).map(({ row_key }) => foldKey(row_key)));
  const [audited] = await audit([id]);
  const rows = (audited?.rows ?? []).filter(
    ({ row, state }) => state === 'open' && row.semester <= semester && !taken.has(foldKey(row.key)),
  );
  for (const { row } of rows.slice(0, MOST_OUTSIDE)) {
    await createOutsideCredit(tx, author, id, {
      title: row.title,
      credits: countCredits(row),
      institution: 'University of Engineering and Technology, Taxila',
      grade: 'B+',
      row: row.key,
    });
  }
}
