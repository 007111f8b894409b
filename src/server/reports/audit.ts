import type { AuditReport, ClassQuery } from '../../contract/grading/reports.ts';
import { type AuditedRow, isLacking } from '../../domain/schemes/audit.ts';
import type { Db } from '../db/schema.ts';
import { findAuditParts } from '../students/audit/facts.ts';
import { auditParts, lackingKeys, loadAuditRules } from '../students/audit/read-audit.ts';
import { findSchemeInForce } from '../students/audit/schemes.ts';
import { findReportedStudents } from './class.ts';
import { shown } from './reports.ts';

/** Which rows of the scheme in force the students of a class lack. */
export async function readAuditReport(db: Db, asked: ClassQuery): Promise<AuditReport> {
  const students = await findReportedStudents(db, asked);
  const scheme = await findSchemeInForce(db, asked);
  if (scheme === undefined || students.length === 0) {
    const scheme_id = scheme?.scheme_id ?? null;
    return { scheme_id, of: students.length, complete: null, students: [], rows: [] };
  }
  const rules = (await loadAuditRules(db))(asked);
  const parts = await findAuditParts(
    db,
    students.map(({ id }) => id),
  );
  const partsById = new Map(parts.map((one) => [one.id, one]));
  const audited = students.flatMap((student) => {
    const own = partsById.get(student.id);
    return own === undefined ? [] : { student, ...auditParts(own, scheme, rules) };
  });
  return {
    scheme_id: scheme.scheme_id,
    of: audited.length,
    complete: audited.filter(({ audit }) => audit.isComplete).length,
    students: audited.map(({ student, audit, credits }) => ({
      ...shown(student),
      complete: audit.isComplete,
      lacking: lackingKeys(audit),
      in_progress: audit.rows.flatMap(({ row, state }) => (state === 'in-progress' ? row.key : [])),
      credits: credits.total,
    })),
    rows: scheme.rows.map(({ key, title, semester }, i) => {
      const states = audited.map(({ audit }) => audit.rows[i]?.state ?? 'open');
      const count = (of: (state: AuditedRow['state']) => boolean) => states.filter(of).length;
      const list = (of: (state: AuditedRow['state']) => boolean) =>
        audited.flatMap(({ student }, at) => (of(states[at] ?? 'open') ? student.id : []));
      return {
        ...{ key, title, semester },
        passed: count((state) => !isLacking(state)),
        in_progress: count((state) => state === 'in-progress'),
        failed: count((state) => state === 'failed'),
        open: count((state) => state === 'open'),
        lacking: list(isLacking),
        failing: list((state) => state === 'failed'),
      };
    }),
  };
}
