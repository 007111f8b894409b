import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  type BulkPreview,
  type BulkPreviewInput,
  MAX_BULK_STUDENTS,
} from '../../../contract/students/bulk.ts';
import type { StudentFilter } from '../../../contract/students/student-list.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db } from '../../db/schema.ts';
import { invalidField } from '../../errors.ts';
import type { StudentRow } from '../derived/derived-columns.ts';
import { parseFilter } from '../list/filter.ts';
import { matchingIds } from '../list/list-page.ts';
import { isStudentId } from '../queries.ts';
import { type BulkChange, placementAfter, unchangedReason } from './change.ts';

/** Students per statement. */
const BATCH_SIZE = 250;
/** Students in the sample, and unknown ids listed. */
const SAMPLE_SIZE = 5;

const PREVIEW_COLUMNS = [
  'id',
  'version',
  'first_name',
  'last_name',
  'joining_date',
  'department',
  'degree',
  'syn',
  'current_sem',
  'status',
  'status_date',
  'status_reason',
] as const satisfies readonly (keyof StudentRow)[];
export type PreviewStudent = Pick<StudentRow, (typeof PREVIEW_COLUMNS)[number]>;

export interface ChangePreview {
  preview: BulkPreview;
  /** Ids of the students that would change. */
  changing: string[];
}

/** Reads students by their ids. Applying a change locks them in the same statement. */
export type ReadStudents = (ids: readonly string[]) => Promise<PreviewStudent[]>;

export const selectPreviewStudents = (db: Db, ids: readonly string[]) =>
  db.selectFrom('students').select(PREVIEW_COLUMNS).where('id', 'in', ids);

/**
 * Reads all selected students and says what the change would do to them.
 *
 * @throws ValidationError when more students are selected than one change may have
 */
export async function previewChange(
  db: Db,
  input: BulkPreviewInput,
  change: BulkChange,
  read: ReadStudents = (ids) => selectPreviewStudents(db, ids).execute(),
): Promise<ChangePreview> {
  const max = change.action === 'delete' ? MAX_BULK_STUDENTS.delete : MAX_BULK_STUDENTS.change;
  const hash = createHash('sha256').update(JSON.stringify(change));
  const preview: BulkPreview = {
    fingerprint: '',
    changing: 0,
    in_last_semester: 0,
    not_active: { 'on-leave': 0, withdrawn: 0, graduated: 0, transferred: 0 },
    as_asked: 0,
    joined_later: 0,
    unknown: 0,
    unknown_ids: [],
    sample: [],
  };
  const changing: string[] = [];
  let selected = 0;
  for await (const ids of selectedIds(db, input)) {
    selected += ids.length;
    if (selected > max) throw tooMany(change, max, input);
    const valid = ids.filter(isStudentId);
    const found = new Map((valid.length === 0 ? [] : await read(valid)).map((row) => [row.id, row]));
    for (const id of ids) {
      const student = found.get(id);
      if (student === undefined) {
        // Deleted while the matching students were being read.
        if (input.ids === undefined) continue;
        preview.unknown += 1;
        if (preview.unknown_ids.length < SAMPLE_SIZE) preview.unknown_ids.push(id);
        continue;
      }
      hash.update(`\n${id} ${student.version}`);
      const reason = unchangedReason(change, student);
      if (reason === 'not_active') {
        if (student.status !== 'active') preview.not_active[student.status] += 1;
        continue;
      }
      if (reason !== undefined) {
        preview[reason] += 1;
        continue;
      }
      changing.push(id);
      if (preview.sample.length < SAMPLE_SIZE) preview.sample.push(toSample(change, student));
    }
  }
  return {
    preview: { ...preview, changing: changing.length, fingerprint: hash.digest('base64url') },
    changing,
  };
}

function toSample(change: BulkChange, student: PreviewStudent): BulkPreview['sample'][number] {
  const { id, version: _version, joining_date: _joined, first_name, last_name, ...before } = student;
  return { id, first_name, last_name, before, after: placementAfter(change, before) };
}

async function* selectedIds(db: Db, input: BulkPreviewInput): AsyncGenerator<readonly string[]> {
  if (input.ids !== undefined) {
    yield* pausedChunks([...new Set(input.ids)], BATCH_SIZE);
    return;
  }
  const except = new Set(input.except);
  for (const part of await splitFilter(db, input.filter ?? {})) {
    for (let cursor: string | undefined; ; ) {
      const page = await matchingIds(db, part, cursor, BATCH_SIZE);
      yield page.ids.filter((id) => !except.has(id));
      if (page.next === undefined) break;
      cursor = page.next;
      await setImmediate();
    }
  }
}

/**
 * The filter split by semester and department, leaving out pairs without students: each part is one range of an index. A
 * search uses the term index and is not split.
 */
async function splitFilter(db: Db, filter: StudentFilter): Promise<StudentFilter[]> {
  if (filter.q !== undefined) return [filter];
  const { conditions, values } = parseFilter(filter);
  let parts = db
    .selectFrom('cohorts')
    .select(['current_sem', 'department'])
    .distinct()
    .where('students', '>', 0);
  for (const name of ['current_sem', 'department', 'degree', 'syn', 'gender'] as const) {
    const value = values[name];
    if (conditions.includes(name) && value !== undefined) parts = parts.where(sql.ref(name), '=', value);
  }
  if (filter.status !== undefined) parts = parts.where('status', 'in', filter.status);
  if (filter.standing !== undefined) parts = parts.where('standing', 'in', filter.standing);
  const found = await parts.orderBy('current_sem').orderBy('department').execute();
  return found.map((part) => ({ ...filter, ...part }));
}

const tooMany = ({ action }: BulkChange, max: number, { ids }: BulkPreviewInput) =>
  invalidField(
    ids === undefined ? 'filter' : 'ids',
    `At most ${formatCount(max)} students can be ${action === 'delete' ? 'deleted' : 'changed'} at once. Narrow the list down.`,
  );
