import {
  type AuditQuery,
  type AuditReply,
  type FillingReply,
  MOST_SCHEME_SUBJECTS,
  type SchemeSubjects,
} from '../../../contract/schemes/audit.ts';
import { gradeLetter } from '../../../domain/grading/gpa.ts';
import { earnedCredits } from '../../../domain/grading/repeat-policy.ts';
import { type Audit, auditStudent, isLacking, type RowFilling } from '../../../domain/schemes/audit.ts';
import { countCredits } from '../../../domain/schemes/hours.ts';
import { foldKey } from '../../../domain/schemes/scheme.ts';
import type { Db } from '../../db/schema.ts';
import { noSuchStudent } from '../former-ids.ts';
import { loadPolicies } from '../grading/policies.ts';
import { isStudentId } from '../queries.ts';
import { type AuditRow, findAuditParts, type SchemeFacts, toAttempts, toSchemeFacts } from './facts.ts';
import { findNamedCourses } from './named-courses.ts';
import { findSchemeInForce, type PublishedScheme, type SchemeClass } from './schemes.ts';

/** A student's audit, with what it follows from. */
interface StudentAudit {
  scheme: PublishedScheme | undefined;
  audit: Audit;
  facts: SchemeFacts;
  credits: AuditReply['credits'];
}

/** @throws AppError not-found when there is no such student */
async function auditOf(db: Db, id: string, asked: AuditQuery): Promise<StudentAudit> {
  const [parts] = isStudentId(id) ? await findAuditParts(db, [id]) : [];
  if (parts === undefined) throw noSuchStudent();
  const ofClass = { department: asked.department ?? parts.department, degree: asked.degree ?? parts.degree };
  const rules = await loadAuditRules(db);
  const scheme = await findSchemeInForce(db, ofClass);
  return { scheme, ...auditParts(parts, scheme, rules(ofClass)) };
}

/** What audits follow from beside the student and the scheme, for a class. */
export async function loadAuditRules(db: Db) {
  const policies = await loadPolicies(db);
  return ({ degree }: Pick<SchemeClass, 'degree'>) => {
    const { groups, rules } = policies.of(degree);
    return { groups, policy: rules.repeat_policy, required: rules.degree_credits };
  };
}
export type AuditRules = ReturnType<Awaited<ReturnType<typeof loadAuditRules>>>;

/** Audits a student by a scheme; without one there are no rows. */
export function auditParts(
  parts: AuditRow,
  scheme: PublishedScheme | undefined,
  { groups, policy, required }: AuditRules,
): Omit<StudentAudit, 'scheme'> {
  const facts = toSchemeFacts(parts);
  const attempts = toAttempts(parts, groups);
  const earned = earnedCredits(attempts, policy);
  const outside = facts.outside.reduce((sum, { credits }) => sum + credits, 0);
  return {
    audit: auditStudent(scheme?.rows ?? [], { attempts, ...facts }, { groups, policy }),
    facts,
    credits: { required, earned, outside, total: earned + outside },
  };
}

/** The keys of the lacking rows. */
export const lackingKeys = ({ rows }: Audit): string[] =>
  rows.flatMap(({ row, state }) => (isLacking(state) ? row.key : []));

/** Every property by its name: spreads would take a third of the time of an audit. */
function presentFilling(filling: RowFilling): FillingReply & Pick<AuditReply['extra'][number], 'letter'> {
  const { kind } = filling;
  if (kind === 'attempt') {
    const { course_id, title, points, credits, semester, slot } = filling.attempt;
    const letter = points === null ? null : (gradeLetter(points) ?? null);
    return { kind, course_id, title, letter, credits, semester, slot, sheet_id: null, outside_id: null };
  }
  if (kind === 'sheet') {
    const { course_id, title, credits, semester, sheet_id } = filling.sheet;
    return {
      kind,
      course_id,
      title,
      letter: null,
      credits,
      semester,
      slot: null,
      sheet_id,
      outside_id: null,
    };
  }
  const { title, credits, outside_id } = filling.outside;
  return {
    kind,
    course_id: null,
    title,
    letter: null,
    credits,
    semester: null,
    slot: null,
    sheet_id: null,
    outside_id,
  };
}

/**
 * Which rows of the scheme a student has passed, and what is missing.
 *
 * @param asked how it would be in another class
 */
export async function readAudit(db: Db, id: string, asked: AuditQuery): Promise<AuditReply> {
  const { scheme, audit, facts, credits } = await auditOf(db, id, asked);
  const lacking = audit.rows.filter(({ state }) => isLacking(state));
  const courses = await findNamedCourses(
    db,
    lacking.flatMap(({ options }) => options.map(({ course_id }) => course_id)),
  );
  const names = new Map(courses.map((course) => [course.course_id, course]));
  const keys = new Set(scheme?.rows.map(({ key }) => foldKey(key)));
  const isUnused = (row: string | null) => row !== null && !keys.has(foldKey(row));
  const open = lacking.reduce((sum, { row }) => sum + countCredits(row), 0);
  return {
    scheme:
      scheme === undefined ? null : { scheme_id: scheme.scheme_id, number: scheme.number, name: scheme.name },
    complete: scheme === undefined ? null : audit.isComplete,
    rows: audit.rows.map(({ row, state, filledBy, options }) => ({
      key: row.key,
      semester: row.semester,
      title: row.title,
      credits: countCredits(row),
      state,
      filled_by: filledBy && presentFilling(filledBy),
      options: options.map(({ course_id, missing }) => {
        const { course_code = '', course_name = '' } = names.get(course_id) ?? {};
        return { course_id, course_code, course_name, missing };
      }),
    })),
    extra: scheme === undefined ? [] : audit.extra.map(presentFilling),
    exceptions: facts.exceptions.map((one) => ({ ...one, unused: isUnused(one.row) })),
    outside_credits: facts.outside.map((one) => ({ ...one, unused: isUnused(one.row) })),
    credits,
    missing_credits: Math.max(0, credits.required - credits.total - open),
  };
}

/** Rows of a semester that nothing fills, for the form of its results. */
export async function readSchemeSubjects(db: Db, id: string, semester: number): Promise<SchemeSubjects> {
  const { scheme, audit } = await auditOf(db, id, {});
  const open = audit.rows.filter(({ row, state }) => row.semester === semester && state === 'open');
  return {
    scheme_id: scheme?.scheme_id ?? null,
    subjects: open.slice(0, MOST_SCHEME_SUBJECTS).map(({ row, ...audited }) => {
      // Those of a substituted row are the course that counts for it.
      const options = audited.options.map(({ course_id }) => course_id);
      const [only, ...others] = options;
      return {
        key: row.key,
        title: row.title,
        course_id: only === undefined || others.length > 0 ? null : only,
        credits: countCredits(row) || null,
        options,
      };
    }),
  };
}
