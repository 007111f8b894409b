import { sql } from 'kysely';
import { type CourseInput, courseInput } from '../../../contract/courses.ts';
import { EMPTY_TALLY } from '../../../domain/statistics.ts';
import { presentCourse } from '../../courses/queries.ts';
import { jsonToRows } from '../../db/dialect/sql.ts';
import type { CoursesTable, Db, Tx } from '../../db/schema.ts';
import { AppError, alreadyTaken } from '../../errors.ts';
import { COURSE_ENTITIES, firstVersions, recordChanges } from '../../history/record-change.ts';
import { checkInput } from '../../http/validation.ts';
import { FIELDS } from '../reading/fields.ts';
import type {
  CheckedRecords,
  CheckedUndo,
  ImportedKind,
  ImportedRecord,
  ImportOptions,
  ImportWriter,
  ReadRow,
  RecordRows,
  Source,
} from './kind.ts';
import { checkSingleRows, listChanges, type PlannedRow, refusedRow, rowErrors } from './outcomes.ts';

/** A course to store; `before` is undefined for a new one. */
interface Plan {
  before: CoursesTable | undefined;
  input: CourseInput;
}

const keySchema = courseInput.pick({ course_id: true });
const readKey = (values: ReadRow['values']) =>
  keySchema.safeParse({ course_id: values.course_id }).data?.course_id;

/** Courses of the catalogue without marks, a row each. */
export const courses: ImportedKind = {
  keyFields: ['course_id'],
  batchSize: 100,
  recordKey: (values) => readKey(values)?.toString() ?? null,

  async check(
    source: Source,
    records: readonly RecordRows[],
    options: ImportOptions,
  ): Promise<CheckedRecords> {
    const existing = await findCourses(
      source,
      records.flatMap(({ key }) => (key === null ? [] : Number(key))),
    );
    const { outcomes, plans } = checkSingleRows(
      records,
      { field: 'course_id', name: 'course id' },
      (row, key) => checkRow(row, key, existing.get(Number(key)), options),
    );
    return {
      outcomes,
      basis: [...existing.values()].map(({ course_id, version }) => `${course_id} ${version}`).join(),
      store: (writer) => storeCourses(writer, plans),
    };
  },

  checkUndo,
};

async function findCourses(
  { db, lock }: Source,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CoursesTable>> {
  if (ids.length === 0) return new Map();
  const rows = await lock(
    db.selectFrom('courses').selectAll().where('course_id', 'in', ids).orderBy('course_id'),
  ).execute();
  return new Map(rows.map((row) => [row.course_id, row]));
}

function checkRow(
  row: ReadRow,
  key: string | null,
  before: CoursesTable | undefined,
  { mode }: ImportOptions,
): PlannedRow<Plan> {
  const wrongMode =
    before === undefined
      ? key !== null && mode === 'update' && 'There is no course with this ID.'
      : mode === 'create' && alreadyTaken('id');
  if (wrongMode) return { outcome: refusedRow(row, key, { ...row.errors, course_id: [wrongMode] }) };
  const values = before === undefined ? {} : formValues(before);
  const checked = checkInput(courseInput, { ...values, ...row.values });
  const errors = rowErrors(FIELDS.courses, row, 'errors' in checked ? checked.errors : {});
  if ('errors' in checked || Object.keys(errors).length > 0) return { outcome: refusedRow(row, key, errors) };
  const changes = listChanges(values, checked.input);
  const state = before === undefined ? 'create' : changes.length > 0 ? 'update' : 'unchanged';
  return {
    outcome: { line: row.line, state, key, changes, errors: {}, warnings: {} },
    ...(state !== 'unchanged' && { plan: { before, input: checked.input } }),
  };
}

/** The values as the form sends them. */
const formValues = ({
  course_id,
  course_code,
  course_name,
  course_description,
  credits,
}: CoursesTable): CourseInput => ({ course_id, course_code, course_name, course_description, credits });

const COLUMNS = {
  course_id: 'bigint',
  course_code: 'text',
  course_name: 'text',
  course_description: 'text',
  credits: 'integer',
} as const satisfies Record<keyof CourseInput, 'text' | 'integer' | 'bigint'>;

/** Stores courses with their entries in the history. Existing ones are locked. */
async function storeCourses(
  { tx, author, bulkId }: Pick<ImportWriter, 'tx' | 'author' | 'bulkId'>,
  plans: readonly Plan[],
): Promise<void> {
  if (plans.length === 0) return;
  await insertCourses(
    tx,
    plans.flatMap(({ before, input }) => (before === undefined ? input : [])),
  );
  const changed = plans.flatMap(({ before, input }) => (before === undefined ? [] : input));
  if (changed.length > 0) {
    await sql`update courses set version = version + 1, course_code = l.course_code, course_name = l.course_name,
        course_description = l.course_description, credits = l.credits
      from ${jsonToRows(tx, changed, COLUMNS)} l where courses.course_id = l.course_id`.execute(tx);
  }
  await recordChanges(
    tx,
    author,
    plans.map(({ before, input }) => ({
      action: before === undefined ? 'create' : 'update',
      entity: 'course',
      entityId: input.course_id,
      ...(before !== undefined && { before: presentCourse(before) }),
      after: presentCourse({ tally: JSON.stringify(EMPTY_TALLY), version: 0, ...before, ...input }),
    })),
    bulkId,
  );
}

/** @throws AppError stale when one of them has been created since it was looked for */
async function insertCourses(tx: Tx, created: readonly CourseInput[]): Promise<void> {
  if (created.length === 0) return;
  const versions = await firstVersions(
    tx,
    COURSE_ENTITIES,
    created.map(({ course_id }) => String(course_id)),
  );
  const values = created.map((input) => ({
    ...input,
    tally: JSON.stringify(EMPTY_TALLY),
    version: versions.get(String(input.course_id)) ?? 1,
  }));
  const { rows } = await sql`insert into courses
      (course_id, course_code, course_name, course_description, credits, tally, version)
    select course_id, course_code, course_name, course_description, credits, tally, version
    from ${jsonToRows(tx, values, { ...COLUMNS, tally: 'text', version: 'integer' })} l where true
    on conflict (course_id) do nothing returning course_id`.execute(tx);
  if (rows.length < values.length) throw new AppError('stale', 'A course of the file has been created.');
}

/** A course goes back if neither it nor its marks were written since; one that is removed also has no results. */
async function checkUndo(source: Source, records: readonly ImportedRecord[]): Promise<CheckedUndo> {
  const { db } = source;
  const existing = await findCourses(
    source,
    records.map(({ id }) => Number(id)),
  );
  const latest = await latestEntries(
    db,
    records.map(({ id }) => id),
  );
  const withResults = await findWithResults(db, [...existing.keys()]);
  const removed: CoursesTable[] = [];
  const changed: Plan[] = [];
  const kept: CheckedUndo['kept'] = [];
  for (const { id, entries } of records) {
    const now = existing.get(Number(id));
    const [entry] = entries;
    const isCreated = entry?.action === 'create';
    if (now === undefined) kept.push({ key: id, reason: 'Deleted since.' });
    else if (latest.get(id) !== entry?.id) kept.push({ key: id, reason: 'Changed since.' });
    else if (isCreated && withResults.has(now.course_id)) kept.push({ key: id, reason: 'Results name it.' });
    else if (isCreated) removed.push(now);
    else changed.push({ before: now, input: courseInput.parse(JSON.parse(entry?.before ?? 'null')) });
  }
  return {
    undone: [
      ...removed.map(({ course_id }) => String(course_id)),
      ...changed.map(({ input }) => String(input.course_id)),
    ],
    kept,
    store: async (writer) => {
      await removeCourses(writer, removed);
      await storeCourses(writer, changed);
    },
  };
}

/** The latest entry of each course, that of its marks included. */
async function latestEntries(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('history')
    .select((eb) => ['entity_id', eb.fn.max('id').as('id')])
    .where('entity', 'in', COURSE_ENTITIES)
    .where('entity_id', 'in', ids)
    .groupBy('entity_id')
    .execute();
  return new Map(rows.map(({ entity_id, id }) => [entity_id, Number(id)]));
}

async function findWithResults(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('course_results')
    .select('course_id')
    .distinct()
    .where('course_id', 'in', ids)
    .where('results', '>', 0)
    .execute();
  return new Set(rows.map(({ course_id }) => course_id));
}

/** They have no marks: marks are a change since. */
async function removeCourses(
  { tx, author, bulkId }: ImportWriter,
  removed: readonly CoursesTable[],
): Promise<void> {
  if (removed.length === 0) return;
  const ids = removed.map(({ course_id }) => course_id);
  await tx.deleteFrom('courses').where('course_id', 'in', ids).execute();
  await recordChanges(
    tx,
    author,
    removed.map((row) => ({
      action: 'delete',
      entity: 'course',
      entityId: row.course_id,
      before: presentCourse(row),
    })),
    bulkId,
  );
}
