import {
  DOCUMENTS_AT_ONCE,
  type DocumentsPreviewInput,
  MAX_BATCH_STUDENTS,
  type RefusedStudent,
} from '../../../contract/documents/documents.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { documentBlock } from '../../../domain/holds.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import { chunks } from '../../chunks.ts';
import type { Db } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import { type Blocked, findBlocked } from '../../students/holds/blocks.ts';
import { matchingIds } from '../../students/list/list-page.ts';
import { isStudentId } from '../../students/queries.ts';
import { readRecords, type StoredRecord } from '../content/records.ts';

/** Records per statement: read in a few milliseconds. */
const PAGE = 100;

/** Who is blocked by a hold, and why. */
export type HeldStudents = ReadonlyMap<string, Blocked>;

/** Which of these students get no such document because of holds. */
export async function findHeld(
  db: Db,
  ids: readonly string[],
  {
    kind,
    official,
    override,
  }: Pick<DocumentsPreviewInput, 'kind' | 'official'> & { override?: string | null | undefined },
): Promise<HeldStudents> {
  const block = documentBlock(kind, official);
  return block === undefined || override != null ? new Map() : findBlocked(db, ids, block);
}

export const toHeldStudent = (
  student: Omit<RefusedStudent, 'reason'>,
  { text, holdIds }: Blocked,
): RefusedStudent => ({ ...student, reason: text, holds: holdIds });

type DocumentChoice = Pick<DocumentsPreviewInput, 'kind' | 'official'> & {
  semester?: number | null | undefined;
};

/** The students who get a document. */
interface Selection {
  /** IDs in their order. */
  students: string[];
  refused: RefusedStudent[];
  /** The records of so few students that their documents are made at once; empty for more. */
  records: ReadonlyMap<string, StoredRecord>;
}

/**
 * The students named or matching, and which of them get no document and why.
 *
 * @throws ValidationError when there are too many
 */
export async function selectStudents(
  db: Db,
  input: DocumentsPreviewInput & { override?: string | null | undefined },
): Promise<Selection> {
  const ids = inIdOrder(await readIds(db, input), (id) => id);
  const isKept = ids.length <= DOCUMENTS_AT_ONCE;
  const selection: Selection = { students: [], refused: [], records: new Map() };
  for (const page of chunks(ids, PAGE)) {
    const records = await readRecords(db, page.filter(isStudentId), { hasTerms: isKept });
    if (isKept) selection.records = records;
    const held = await findHeld(db, page, input);
    for (const id of page) {
      const record = records.get(id);
      const reason = reasonRefused(record, input);
      const blocked = held.get(id);
      const { first_name = '', last_name = '' } = record?.student ?? {};
      const student = { student_id: id, first_name, last_name };
      if (reason !== null) selection.refused.push({ ...student, reason });
      else if (blocked !== undefined) selection.refused.push(toHeldStudent(student, blocked));
      else selection.students.push(id);
    }
  }
  return selection;
}

async function readIds(db: Db, { ids, filter, except }: DocumentsPreviewInput): Promise<string[]> {
  if (ids !== undefined) return [...new Set(ids)];
  const left = new Set(except);
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await matchingIds(db, filter ?? {}, cursor, PAGE);
    found.push(...page.ids.filter((id) => !left.has(id)));
    if (found.length > MAX_BATCH_STUDENTS) {
      throw invalidField(
        'filter',
        `More than ${formatCount(MAX_BATCH_STUDENTS)} students match. Narrow the list down.`,
      );
    }
    if (page.next === undefined) return found;
    cursor = page.next;
  }
}

/** Why a student gets no document; null for one who gets it. */
function reasonRefused(
  record: StoredRecord | undefined,
  { kind, semester, official }: DocumentChoice,
): string | null {
  if (record === undefined) return 'There is no student with this ID.';
  if (kind === 'result-card') {
    const own = record.semesters.find((one) => one.semester === semester);
    if (own === undefined) return `Semester ${semester} is not recorded.`;
    if (own.elsewhere) return `Semester ${semester} is before the entry of this student.`;
    return official && own.is_provisional
      ? `Semester ${semester} is provisional until its results are notified.`
      : null;
  }
  if (record.semesters.every(({ elsewhere }) => elsewhere)) return 'No semester is recorded.';
  return lastSemester(record, { kind, semester, official }) === undefined
    ? 'All results are provisional until they are notified.'
    : null;
}

/** The last semester on a document. An official transcript ends before the first provisional one. */
export function lastSemester(
  record: StoredRecord,
  { kind, semester, official }: DocumentChoice,
): number | undefined {
  if (kind === 'result-card') return semester ?? undefined;
  return record.semesters.findLast(({ is_provisional }) => !official || !is_provisional)?.semester;
}
