import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { BULK_MOST, type BulkPreview, type BulkPreviewInput } from '../../../contract/bulk.ts';
import type { StudentFilter } from '../../../contract/student-list.ts';
import type { Db } from '../../db/schema.ts';
import { invalid } from '../../errors.ts';
import { narrowingOf } from '../list-filter.ts';
import { matchingIds } from '../list-page.ts';
import type { StudentRow } from '../listing.ts';
import { isStudentId } from '../queries.ts';
import { type Change, placeAfter, whyStays } from './change.ts';
import { inPieces } from './in-pieces.ts';

/** Students looked at in one statement. */
const PIECE = 250;
/** Students that a preview shows, and unknown ids that it names. */
const SHOWN = 5;

const SEEN = [
  'id',
  'version',
  'first_name',
  'last_name',
  'department',
  'degree',
  'syn',
  'current_sem',
] as const satisfies readonly (keyof StudentRow)[];
export type SeenStudent = Pick<StudentRow, (typeof SEEN)[number]>;

export interface Survey {
  preview: BulkPreview;
  /** Ids of those that will change. */
  changing: string[];
}

/** Reads students by their ids; within a change they are held by the same statement. */
export type ReadStudents = (ids: readonly string[]) => Promise<SeenStudent[]>;

export const seenStudents = (db: Db, ids: readonly string[]) =>
  db.selectFrom('students').select(SEEN).where('id', 'in', ids);

/**
 * Goes through all that a change is meant for and says what it would do.
 *
 * @throws InvalidFields when they are more than one change may take
 */
export async function survey(
  db: Db,
  input: BulkPreviewInput,
  change: Change,
  read: ReadStudents = (ids) => seenStudents(db, ids).execute(),
): Promise<Survey> {
  const most = change.action === 'delete' ? BULK_MOST.delete : BULK_MOST.change;
  const hash = createHash('sha256').update(JSON.stringify(change));
  const preview: BulkPreview = {
    fingerprint: '',
    changing: 0,
    in_last_semester: 0,
    as_asked: 0,
    unknown: 0,
    unknown_ids: [],
    sample: [],
  };
  const changing: string[] = [];
  let meant = 0;
  for await (const ids of selectedIds(db, input)) {
    meant += ids.length;
    if (meant > most) throw tooMany(change, most, input);
    const asked = ids.filter(isStudentId);
    const found = new Map((asked.length === 0 ? [] : await read(asked)).map((row) => [row.id, row]));
    for (const id of ids) {
      const student = found.get(id);
      if (student === undefined) {
        // Who went while all that match were being gone through is not missed.
        if (input.ids === undefined) continue;
        preview.unknown += 1;
        if (preview.unknown_ids.length < SHOWN) preview.unknown_ids.push(id);
        continue;
      }
      hash.update(`\n${id} ${student.version}`);
      const why = whyStays(change, student);
      if (why !== undefined) {
        preview[why] += 1;
        continue;
      }
      changing.push(id);
      if (preview.sample.length < SHOWN) preview.sample.push(sampleOf(change, student));
    }
  }
  return {
    preview: { ...preview, changing: changing.length, fingerprint: hash.digest('base64url') },
    changing,
  };
}

function sampleOf(change: Change, student: SeenStudent): BulkPreview['sample'][number] {
  const { id, first_name, last_name, department, degree, syn, current_sem } = student;
  const before = { department, degree, syn, current_sem };
  return { id, first_name, last_name, before, after: placeAfter(change, before) };
}

async function* selectedIds(db: Db, input: BulkPreviewInput): AsyncGenerator<readonly string[]> {
  if (input.ids !== undefined) {
    yield* inPieces([...new Set(input.ids)], PIECE);
    return;
  }
  const except = new Set(input.except);
  for (const part of await partsOf(db, input.filter ?? {})) {
    for (let cursor: string | undefined; ; ) {
      const page = await matchingIds(db, part, cursor, PIECE);
      yield page.ids.filter((id) => !except.has(id));
      if (page.next === undefined) break;
      cursor = page.next;
      await setImmediate();
    }
  }
}

/**
 * The semesters of departments that hold students of the filter: the list has an index of each, and need not look
 * through those that hold none. A search goes by its words instead.
 */
async function partsOf(db: Db, filter: StudentFilter): Promise<StudentFilter[]> {
  if (filter.q !== undefined) return [filter];
  const { conditions, values } = narrowingOf(filter);
  let parts = db
    .selectFrom('cohorts')
    .select(['current_sem', 'department'])
    .distinct()
    .where('students', '>', 0);
  for (const name of ['current_sem', 'department', 'degree', 'syn', 'gender'] as const) {
    const value = values[name];
    if (conditions.includes(name) && value !== undefined) parts = parts.where(sql.ref(name), '=', value);
  }
  const found = await parts.orderBy('current_sem').orderBy('department').execute();
  return found.map((part) => ({ ...filter, ...part }));
}

const tooMany = ({ action }: Change, most: number, { ids }: BulkPreviewInput) =>
  invalid(
    ids === undefined ? 'filter' : 'ids',
    `At most ${most.toLocaleString('en')} students can be ${action === 'delete' ? 'deleted' : 'changed'} at once. Narrow the list down.`,
  );
