import { sql } from 'kysely';
import type { DegreeCheck } from '../../../contract/grading/grading.ts';
import { checkDegree } from '../../../domain/grading/degree.ts';
import { auditStudent } from '../../../domain/schemes/audit.ts';
import { jsonElements } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { noSuchStudent } from '../former-ids.ts';
import { parseEquivalents } from '../grading/equivalents.ts';
import { toGradedResults } from '../grading/student-results.ts';
import { ungradedColumn, ungradedFinder } from '../grading/ungraded.ts';
import { type GradedParts, gradedColumns, isStudentId } from '../queries.ts';
import { type AuditParts, auditColumns, toSchemeFacts } from './facts.ts';
import { lackingKeys } from './read-audit.ts';
import { type SchemeClass, schemeFinder } from './schemes.ts';

/** @throws AppError not-found when there is no such student */
export async function readDegreeCheck(db: Db, id: string): Promise<DegreeCheck> {
  const check = isStudentId(id) ? (await checkDegrees(db, [id])).get(id) : undefined;
  if (check === undefined) throw noSuchStudent();
  return check;
}

interface CheckedParts extends GradedParts, AuditParts, SchemeClass {
  id: string;
  ungraded: string;
}

/** Whether the records of those students that exist fulfil the conditions of the degree, by ID. */
export async function checkDegrees(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DegreeCheck>> {
  const { rows } = await sql<CheckedParts>`
    select s.id, s.department, p.rules, ${ungradedColumn(db)} as ungraded, ${gradedColumns(db)}, ${auditColumns(db)}
    from ${jsonElements(db, sql`${JSON.stringify(ids)}`)} l
      cross join students s
      inner join policies p on p.policy_id = s.policy_id
    where s.id = l.value`.execute(db);
  const findScheme = schemeFinder(db);
  const checks = new Map<string, DegreeCheck>();
  for (const row of rows) {
    const { policy, recorded, subjects, creditsOutside } = toGradedResults(row);
    const findUngraded = ungradedFinder(row.ungraded);
    const closed = subjects.map((subject) => ({ ...subject, ungraded: findUngraded(subject) }));
    const scheme = await findScheme(row);
    const groups = parseEquivalents(row.equivalents).of(row.degree);
    const audit =
      scheme &&
      auditStudent(
        scheme.rows,
        { attempts: subjects, ...toSchemeFacts(row) },
        { groups, policy: policy.rules.repeat_policy },
      );
    const lackingRows = audit === undefined ? null : lackingKeys(audit);
    checks.set(row.id, checkDegree(recorded, closed, policy.rules, { creditsOutside, lackingRows }));
  }
  return checks;
}
