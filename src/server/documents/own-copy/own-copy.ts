import type { OwnCopy } from '../../../contract/documents/own-copy.ts';
import { familyReply, studentReply } from '../../../contract/students/students.ts';
import { toGradeLetter } from '../../../domain/grading/gpa.ts';
import type { Db } from '../../db/schema.ts';
import { listHistory } from '../../history/list-history.ts';
import { STUDENT_ENTITIES } from '../../history/record-change.ts';
import { findExceptions } from '../../students/audit/exceptions.ts';
import { findOutsideCredits } from '../../students/audit/outside-credits.ts';
import { findFormerIds, formerHistory, studentNotFound } from '../../students/former-ids.ts';
import { readStanding } from '../../students/grading/student-results.ts';
import { findHolds, presentHold } from '../../students/holds/stored-holds.ts';
import { findRecords, isStudentId, semesterTuples, subjectTuples } from '../../students/queries.ts';
import { presentDocuments } from '../register/documents.ts';

/** Under which the history has the copies of a student's record. */
export const copyEntry = (id: string): string => `copy of ${id}`;

/** @throws AppError not-found */
export async function readOwnCopy(db: Db, id: string): Promise<OwnCopy> {
  const [parts] = isStudentId(id) ? await findRecords(db, [id]) : [];
  if (parts === undefined) throw await studentNotFound(db, id);
  const subjects = subjectTuples(parts);
  const issued = await db
    .selectFrom('documents')
    .selectAll()
    .where('student_id', '=', id)
    .orderBy('serial')
    .execute();
  const copies = await db
    .selectFrom('history')
    .select('at')
    .where('entity', '=', 'document')
    .where('entity_id', '=', copyEntry(id))
    .orderBy('id')
    .execute();
  return {
    made_at: new Date().toISOString(),
    student: studentReply.parse(JSON.parse(parts.student)),
    family: parts.family === null ? null : familyReply.parse(JSON.parse(parts.family)),
    former_ids: (await findFormerIds(db, [id])).get(id)?.map((former) => former.id) ?? [],
    semesters: semesterTuples(parts).map(([, semester, sgpa, cgpa, , , is_elsewhere]) => ({
      semester,
      sgpa: sgpa / 100,
      cgpa: cgpa / 100,
      ...(is_elsewhere === 1 && { elsewhere: true as const }),
      subjects: subjects
        .filter(([own]) => own === semester)
        .map(([, , title, , credits, half_points]) => ({
          title,
          credits,
          letter: toGradeLetter(half_points),
        })),
    })),
    exceptions: (await findExceptions(db, [id])).map(({ row_key, course_id, reason, made_at }) => ({
      ...{ row: row_key, course_id, reason, at: made_at },
    })),
    outside_credits: (await findOutsideCredits(db, [id])).map(
      ({ title, credits, institution, grade, row_key }) => ({
        ...{ title, credits, institution, grade, row: row_key },
      }),
    ),
    holds: (await findHolds(db, [id])).map((row) => {
      const {
        hold_id: _id,
        student_id: _student,
        by: _by,
        version: _version,
        released,
        ...hold
      } = presentHold(row);
      return { ...hold, released: released && { at: released.at, reason: released.reason } };
    }),
    standing: await readStanding(db, id),
    documents: (await presentDocuments(db, issued)).map(
      ({ issued_by: _by, revoked: _revoked, batch_id: _batch, override: _override, ...document }) => document,
    ),
    history: await readHistory(db, id),
    disclosures: [
      ...issued.map(({ issued_at, serial, issued_to }) => ({
        at: issued_at,
        what: `Document ${serial}${issued_to === null ? '' : ` for ${issued_to}`}`,
      })),
      ...copies.map(({ at }) => ({ at, what: 'Copy of the whole record' })),
    ].sort((a, b) => (a.at < b.at ? -1 : 1)),
  };
}

async function readHistory(db: Db, id: string): Promise<OwnCopy['history']> {
  const others = await formerHistory(db, [id]);
  const entries: OwnCopy['history'] = [];
  for (let cursor: string | undefined; ; ) {
    const filter = { entities: STUDENT_ENTITIES, entityId: id, others };
    const page = await listHistory(db, filter, { limit: 200, cursor });
    entries.push(
      ...page.entries.map(({ at, action, entity, semester, changes }) => ({
        at,
        action,
        entity,
        semester,
        changes,
      })),
    );
    if (page.next_cursor === null) return entries;
    cursor = page.next_cursor;
  }
}
