import { academicReply } from '../../../../contract/students/academics.ts';
import type { Db, DocumentsTable, SheetsTable } from '../../../db/schema.ts';
import { isSameSubject, type Subject, toSubjects } from '../../../students/semester-slots.ts';
import { loadResults, type StudentResults } from '../../../students/semesters/load-results.ts';
import { findNeedsReason, type ResultPlan, storeResults } from '../../../students/semesters/store-results.ts';
import type { CheckedUndo, ImportedRecord, Source } from '../kind.ts';

/** The results of one semester that an import made. */
interface ImportedSemester {
  id: string;
  semester: number;
  /** The import created it. */
  isCreated: boolean;
  /** The slots that the import wrote or changed; `before` is undefined for one that was empty. */
  slots: { before: Subject | undefined; after: Subject }[];
}

/**
 * An undo takes back the slots that the import wrote or changed, and leaves the others of their semesters as they are. The slots of
 * a semester stay if one of them has been written since, and so does a semester that the import created below a later one. The
 * whole undo is refused where a slot is on a mark sheet or an issued document.
 */
export async function checkResultsUndo(
  source: Source,
  records: readonly ImportedRecord[],
  { appliedAt }: { appliedAt: string },
): Promise<CheckedUndo> {
  const ids = records.map(({ id }) => id);
  const results = await loadResults(source, ids);
  const users: SlotUsers = {
    submitted: await findSubmittedResults(source.db, ids),
    documents: await findDocuments(source.db, ids, appliedAt),
  };
  let refused: string | undefined;
  const plans: ResultPlan[] = [];
  const undone: string[] = [];
  const kept: CheckedUndo['kept'] = [];
  for (const record of records) {
    const now = results.get(record.id);
    const semesters = now?.recorded.map(({ subjects }) => subjects) ?? [];
    for (const one of readSemesters(record)) {
      const keys = one.slots.map(({ after }) => `${one.id}/${one.semester}/${after.slot}`);
      refused ??= now && findRefusal(one, now, users);
      const reason =
        now === undefined
          ? 'The student has been deleted since, or has another ID.'
          : keptReason(one, semesters);
      if (reason !== undefined) {
        kept.push(...keys.map((key) => ({ key, reason })));
        continue;
      }
      undone.push(...keys);
      const left = withoutSlots(one, semesters[one.semester - 1]);
      const back = one.slots.flatMap(({ before }) => before ?? []);
      if (one.isCreated && left.length === 0) semesters.pop();
      else semesters[one.semester - 1] = [...left, ...back].sort((a, b) => a.slot - b.slot);
    }
    if (now !== undefined) plans.push({ ...now, semesters });
  }
  return {
    undone,
    kept,
    refused,
    needsReason: findNeedsReason(plans),
    store: (writer) => storeResults(writer, plans),
  };
}

/** The semesters of a student that an import wrote, the last one first. */
function readSemesters({ id, entries }: ImportedRecord): ImportedSemester[] {
  return entries
    .flatMap((entry) => (entry.entity === 'semester' ? readEntry(id, entry) : []))
    .filter(({ slots }) => slots.length > 0)
    .toSorted((a, b) => b.semester - a.semester);
}

function readEntry(id: string, { before, after }: ImportedRecord['entries'][number]): ImportedSemester {
  const academic = academicReply.parse(JSON.parse(after ?? 'null'));
  const earlier = before === null ? [] : toSubjects(academicReply.parse(JSON.parse(before)));
  return {
    id,
    semester: academic.semester,
    isCreated: before === null,
    slots: toSubjects(academic)
      .map((subject) => ({ before: earlier.find(({ slot }) => slot === subject.slot), after: subject }))
      .filter((one) => !isSameSubject(one.after, one.before)),
  };
}

const withoutSlots = ({ slots }: ImportedSemester, subjects: readonly Subject[] = []) =>
  subjects.filter(({ slot }) => slots.every(({ after }) => after.slot !== slot));

function keptReason(one: ImportedSemester, semesters: readonly (readonly Subject[])[]): string | undefined {
  const subjects = semesters[one.semester - 1];
  if (subjects === undefined) return 'Deleted since.';
  const isChanged = one.slots.some(({ after }) => !subjects.some((subject) => isSameSubject(subject, after)));
  if (isChanged) return 'Changed since.';
  const isEmptied = one.isCreated && withoutSlots(one, subjects).length === 0;
  return isEmptied && one.semester < semesters.length ? 'A later semester is recorded.' : undefined;
}

/** The sheets and documents that hold a result to its value. */
interface SlotUsers {
  /** Submitted mark sheets, by student and course. */
  submitted: ReadonlyMap<string, Pick<SheetsTable, 'title'> & { sheet_id: number }>;
  /** Documents that were issued after the import and are not revoked. */
  documents: readonly Pick<DocumentsTable, 'serial' | 'student_id' | 'semester'>[];
}

async function findSubmittedResults(db: Db, ids: readonly string[]): Promise<SlotUsers['submitted']> {
  const rows = await db
    .selectFrom('sheet_rows as r')
    .innerJoin('sheets as s', 's.sheet_id', 'r.sheet_id')
    .select(['r.student_id', 's.course_id', 's.sheet_id', 's.title'])
    .where('s.state', '=', 'submitted')
    .where('r.student_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [`${row.student_id}/${row.course_id}`, row]));
}

const findDocuments = (db: Db, ids: readonly string[], appliedAt: string): Promise<SlotUsers['documents']> =>
  db
    .selectFrom('documents')
    .select(['serial', 'student_id', 'semester'])
    .where('student_id', 'in', ids)
    .where('revocation', 'is', null)
    .where('issued_at', '>=', appliedAt)
    .orderBy('serial')
    .execute();

/** Why an import can't be undone that wrote these slots. */
function findRefusal(
  { id, semester, slots }: ImportedSemester,
  { protectedSlots }: StudentResults,
  { submitted, documents }: SlotUsers,
): string | undefined {
  for (const { after } of slots) {
    const result = `Subject ${after.slot} of semester ${semester} of ${id} (${after.title})`;
    const written = protectedSlots.find((one) => one.semester === semester && one.slot === after.slot);
    if (written !== undefined)
      return `${result} is in mark sheet ${written.sheet_id} (${written.title}), which is confirmed.`;
    const sheet = submitted.get(`${id}/${after.course_id}`);
    if (sheet !== undefined)
      return `${result} is in mark sheet ${sheet.sheet_id} (${sheet.title}), which is submitted.`;
  }
  // A result card shows the averages of the semesters before its own.
  const document = documents.find((one) => one.student_id === id && one.semester >= semester);
  return (
    document &&
    `Semester ${semester} of ${id} is on document ${document.serial}, which was issued since. Revoke it first.`
  );
}
