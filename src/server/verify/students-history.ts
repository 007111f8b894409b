import { z } from 'zod';
import { SLOT_FIELDS, type Slot } from '../../contract/students/subject-slots.ts';
import { formatCount } from '../../domain/format-count.ts';
import { toFraction } from '../../domain/student.ts';
import type { Db } from '../db/schema.ts';
import { parseState, type RecordState, statePart } from '../history/fields.ts';
import { STUDENT_ENTITIES } from '../history/record-change.ts';
import {
  type FacultyOptions,
  GENERATOR,
  type GeneratedStudent,
  inventFaculty,
} from '../seed/invent-faculty.ts';
import { findExceptions, toExceptionState } from '../students/audit/exceptions.ts';
import { findOutsideCredits, presentOutsideCredit } from '../students/audit/outside-credits.ts';
import { findFormerIds } from '../students/former-ids.ts';
import { findHolds, toHoldState } from '../students/holds/stored-holds.ts';
import { findRecords, semesterTuples, studentColumns, subjectTuples } from '../students/queries.ts';
import type { Subject } from '../students/semester-slots.ts';
import type { CheckContext } from './check.ts';
import { findDifferingFields, findEntries, findIdsInHistory, type StateEntry } from './history-entries.ts';

/** Students compared per batch. */
const PAGE = 250;
/** The `entity_id` of an entry for a bulk load of students. */
const BULK_LOAD_ID = '*';

/** A student's record according to its history entries. */
interface RecordedState {
  /** True if the history includes the creation of the record, so that a part without an entry can't exist. */
  isWhole: boolean;
  isDeleted: boolean;
  base?: RecordState;
  family?: RecordState;
  semesters: Map<number, RecordState>;
  /** Exceptions, courses from elsewhere and holds, by their entity and number. */
  ownParts: Map<string, RecordState>;
  /** JSON of the former IDs; undefined if no entry has them all. */
  formerIds?: string;
}

/** A student's record as stored in its tables. */
interface StoredState {
  base: RecordState;
  family: RecordState | undefined;
  semesters: Map<number, { academic_id: number; elsewhere: boolean; subjects: Map<Slot, Subject> }>;
  ownParts: Map<string, RecordState>;
  formerIds: string;
}

/**
 * Finds students whose base record, family or results differ from the history, who exist without an entry for their
 * creation, or who are missing without an entry for their deletion. Doesn't compare averages: they are derived from the
 * results and have their own check.
 */
export async function* studentsWithoutHistory(
  db: Db,
  { onProgress, note }: CheckContext,
): AsyncGenerator<string> {
  const load = await findLoad(db);
  const loaded = new LoadedStudents(load?.options);
  const hasOldLoad = load !== undefined && load.options === undefined;
  let uncompared = 0;
  let done = 0;
  for (let last = ''; ; ) {
    const ids = nextIds(
      [await findStudentIds(db, last), await findIdsInHistory(db, 'student', last, PAGE), loaded.next(PAGE)],
      PAGE,
    );
    const end = ids.at(-1);
    if (end === undefined) break;
    last = end;
    const storedStates = await findStoredStates(db, ids);
    const recordedStates = await findRecordedStates(db, ids, {
      entry: load?.entry ?? 0,
      students: loaded.take(end),
    });
    for (const id of ids) {
      const student = storedStates.get(id);
      const expected = recordedStates.get(id);
      if (hasOldLoad && expected?.isWhole !== true) uncompared += 1;
      for (const fault of findFaults(student, expected, hasOldLoad)) yield `Student ${id}: ${fault}`;
    }
    done += ids.length;
    onProgress(`${formatCount(done)} students`);
  }
  if (uncompared > 0) {
    note(
      `${formatCount(uncompared)} students were loaded in bulk by another version. What has not changed since can't be compared.`,
    );
  }
}

function* findFaults(
  student: StoredState | undefined,
  recorded: RecordedState | undefined,
  mayBeLoaded: boolean,
): Generator<string> {
  if (student === undefined) {
    if (recorded !== undefined && !recorded.isDeleted)
      yield 'is missing, and the history has no entry for its deletion.';
    return;
  }
  if (recorded?.isDeleted) {
    yield 'exists, although the history has an entry for its deletion.';
    return;
  }
  const isWhole = recorded?.isWhole === true;
  if (student.formerIds !== (recorded?.formerIds ?? NO_FORMER_IDS))
    yield 'former registration numbers differ from the history.';
  if (!isWhole && !mayBeLoaded) {
    yield 'exists, and the history has no entry for its creation.';
    return;
  }
  if (recorded?.base !== undefined)
    yield* describeDifferences('', findDifferingFields(recorded.base, student.base));
  yield* findPartFaults('family', recorded?.family, student.family, isWhole, findDifferingFields);
  for (const part of new Set([...(recorded?.ownParts.keys() ?? []), ...student.ownParts.keys()])) {
    yield* findPartFaults(
      part,
      recorded?.ownParts.get(part),
      student.ownParts.get(part),
      true,
      findDifferingFields,
    );
  }
  for (const semester of new Set([...(recorded?.semesters.keys() ?? []), ...student.semesters.keys()])) {
    yield* findPartFaults(
      `semester ${semester}`,
      recorded?.semesters.get(semester),
      student.semesters.get(semester),
      isWhole,
      findDifferingResults,
    );
  }
}

/** Compares a part of the record that may be absent. */
function* findPartFaults<Part>(
  name: string,
  expected: RecordState | undefined,
  part: Part | undefined,
  isWhole: boolean,
  compare: (expected: RecordState, part: Part) => string[],
): Generator<string> {
  if (part === undefined) {
    if (expected !== undefined) yield `${name} is missing, but is in the history.`;
  } else if (expected !== undefined) yield* describeDifferences(`${name}: `, compare(expected, part));
  else if (isWhole) yield `${name} exists, but is not in the history.`;
}

function* describeDifferences(part: string, fields: readonly string[]): Generator<string> {
  if (fields.length > 0) yield `${part}${fields.join(', ')} differ from the history.`;
}

/** Runs for every semester of every student, so it avoids allocating objects. */
function findDifferingResults(
  expected: RecordState,
  {
    academic_id,
    elsewhere,
    subjects,
  }: { academic_id: number; elsewhere: boolean; subjects: ReadonlyMap<Slot, Subject> },
): string[] {
  const fields: string[] = [];
  const compare = (field: string, value: string | number | null) => {
    // An empty slot is null in the record and may be absent from the entry.
    if ((expected[field] ?? null) !== value) fields.push(field);
  };
  if ('academic_id' in expected) compare('academic_id', academic_id);
  if ((expected.elsewhere === true) !== elsewhere) fields.push('elsewhere');
  for (const { slot, title, id, credit, grade } of SLOT_FIELDS) {
    const subject = subjects.get(slot);
    const halfPoints = subject?.half_points ?? null;
    compare(title, subject?.title ?? null);
    compare(id, subject?.course_id ?? null);
    compare(credit, subject?.credits ?? null);
    compare(grade, halfPoints === null ? null : halfPoints / 2);
  }
  return fields;
}

const loadEntry = z.object({ students: z.int(), seed: z.number(), intakes: z.int(), generator: z.int() });

/** Finds the last bulk load of students. `options` is set if this version of the generator can generate them again. */
async function findLoad(db: Db): Promise<{ entry: number; options: FacultyOptions | undefined } | undefined> {
  const entry = await db
    .selectFrom('history')
    .select(['id', 'after'])
    .where('entity', '=', 'student')
    .where('entity_id', '=', BULK_LOAD_ID)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (entry === undefined) return undefined;
  const { data } = loadEntry.safeParse(parseState(entry.after));
  return { entry: entry.id, options: data?.generator === GENERATOR ? data : undefined };
}

/** The students of a bulk load, generated again on demand. */
class LoadedStudents {
  readonly #students: Iterator<GeneratedStudent>;
  #buffered: GeneratedStudent[] = [];

  constructor(options: FacultyOptions | undefined) {
    this.#students = options === undefined ? [].values() : inventFaculty(options);
  }

  /** Answers the ids of the next students without removing them. */
  next(count: number): string[] {
    while (this.#buffered.length < count) {
      const { value, done } = this.#students.next();
      if (done === true) break;
      this.#buffered.push(value);
    }
    return this.#buffered.slice(0, count).map(({ student }) => student.id);
  }

  /** Removes and answers the students up to and including an id. */
  take(upTo: string): GeneratedStudent[] {
    const taken = this.#buffered.filter(({ student }) => student.id <= upTo);
    this.#buffered = this.#buffered.slice(taken.length);
    return taken;
  }
}

async function findStudentIds(db: Db, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('students')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Merges sorted lists of ids and answers the first ones. */
const nextIds = (sources: readonly (readonly string[])[], count: number): string[] =>
  [...new Set(sources.flat())]
    .filter((id) => id !== BULK_LOAD_ID)
    .sort((a, b) => (a < b ? -1 : 1))
    .slice(0, count);

async function findStoredStates(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredState>> {
  const records = await findRecords(db, ids);
  const formerIds = await findFormerIds(db, ids);
  const ownParts = await findOwnParts(db, ids);
  return new Map(
    records.map(({ id, student, family, ...results }) => {
      const semesters: StoredState['semesters'] = new Map();
      for (const [academic_id, semester, , , , , is_elsewhere] of semesterTuples(results)) {
        semesters.set(semester, { academic_id, elsewhere: is_elsewhere === 1, subjects: new Map() });
      }
      for (const [semester, slot, title, course_id, credits, half_points] of subjectTuples(results)) {
        semesters.get(semester)?.subjects.set(slot, { slot, title, course_id, credits, half_points });
      }
      return [
        id,
        {
          base: parseState(student),
          family: family === null ? undefined : parseState(family),
          semesters,
          ownParts: ownParts.get(id) ?? new Map(),
          formerIds: JSON.stringify(formerIds.get(id) ?? []),
        },
      ];
    }),
  );
}

/** Exceptions, courses from elsewhere and holds of students, as the history keeps them. */
async function findOwnParts(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Map<string, RecordState>>> {
  const parts = new Map<string, Map<string, RecordState>>();
  const add = (id: string, name: string, state: RecordState) => {
    const own = parts.get(id) ?? new Map<string, RecordState>();
    parts.set(id, own.set(name, state));
  };
  for (const row of await findExceptions(db, ids))
    add(row.student_id, `exception ${row.exception_id}`, toExceptionState(row));
  for (const row of await findOutsideCredits(db, ids))
    add(row.student_id, `outside-credit ${row.outside_id}`, presentOutsideCredit(row));
  for (const row of await findHolds(db, ids)) add(row.student_id, `hold ${row.hold_id}`, toHoldState(row));
  return parts;
}

async function findRecordedStates(
  db: Db,
  ids: readonly string[],
  load: { entry: number; students: readonly GeneratedStudent[] },
): Promise<ReadonlyMap<string, RecordedState>> {
  const recordedStates = new Map<string, RecordedState>();
  const loaded = new Map(load.students.map((generated) => [generated.student.id, generated]));
  for await (const entry of findEntries(db, STUDENT_ENTITIES, ids)) {
    const generated = loaded.get(entry.entity_id);
    // The bulk load replaces this student's earlier entries, which belong to a former student with the same id.
    if (generated !== undefined && entry.id > load.entry) {
      loaded.delete(entry.entity_id);
      recordedStates.set(entry.entity_id, toRecordedState(generated));
    }
    const student = recordedStates.get(entry.entity_id) ?? createEmptyState();
    recordedStates.set(entry.entity_id, student);
    applyEntry(student, entry);
  }
  for (const [id, generated] of loaded) recordedStates.set(id, toRecordedState(generated));
  return recordedStates;
}

const createEmptyState = (): RecordedState => ({
  isWhole: false,
  isDeleted: false,
  semesters: new Map(),
  ownParts: new Map(),
});

function toRecordedState({ student, status, family, semesters }: GeneratedStudent): RecordedState {
  const { fsc_marks, matric_marks, ...base } = studentColumns(student);
  return {
    isWhole: true,
    isDeleted: false,
    base: { ...base, ...status, fsc_marks: toFraction(fsc_marks), matric_marks: toFraction(matric_marks) },
    ...(family !== null && { family: { ...family } }),
    ownParts: new Map(),
    semesters: new Map(semesters.map((semester) => [semester.semester, { ...semester }])),
  };
}

const NO_FORMER_IDS = '[]';

const academics = z.array(z.record(z.string(), z.unknown()));

function applyEntry(student: RecordedState, { action, entity, entity_id, before, after }: StateEntry): void {
  const state = parseState(after);
  if (entity === 'family' && action === 'delete') delete student.family;
  else if (entity === 'family') student.family = state;
  else if (entity === 'semester' && action === 'delete')
    student.semesters.delete(Number(parseState(before).semester));
  else if (entity === 'semester') applySemester(student, state);
  else if (entity === 'exception' || entity === 'outside-credit' || entity === 'hold') {
    const one = action === 'delete' ? parseState(before) : state;
    const name = `${entity} ${String(one.exception_id ?? one.outside_id ?? one.hold_id)}`;
    if (action === 'delete') student.ownParts.delete(name);
    else student.ownParts.set(name, one);
  } else if (action === 'update' && !('student' in state)) {
    student.base = state;
    // The student got another ID, under which the record continues.
    if (typeof state.id === 'string' && state.id !== entity_id) clear(student, { isDeleted: true });
  } else {
    clear(student, { isDeleted: action === 'delete' });
    if (action === 'delete') return;
    // The entry of a restored record, or of one that came from another ID, contains all its parts.
    const isRestored = 'student' in state;
    student.base = isRestored ? statePart(state, 'student') : state;
    if (!isRestored) return;
    const family = statePart(state, 'family');
    if (Object.keys(family).length > 0) student.family = family;
    student.formerIds = JSON.stringify(state.former_ids ?? []);
    for (const one of academics.safeParse(state.exceptions).data ?? [])
      student.ownParts.set(`exception ${String(one.exception_id)}`, one);
    for (const one of academics.safeParse(state.outside_credits).data ?? [])
      student.ownParts.set(`outside-credit ${String(one.outside_id)}`, one);
    for (const one of academics.safeParse(state.holds).data ?? [])
      student.ownParts.set(`hold ${String(one.hold_id)}`, one);
    for (const semester of academics.safeParse(state.academics).data ?? []) applySemester(student, semester);
  }
}

function clear(student: RecordedState, { isDeleted }: Pick<RecordedState, 'isDeleted'>): void {
  delete student.base;
  delete student.family;
  delete student.formerIds;
  student.semesters.clear();
  student.ownParts.clear();
  student.isWhole = true;
  student.isDeleted = isDeleted;
}

function applySemester({ semesters }: RecordedState, state: RecordState): void {
  if (typeof state.semester === 'number') semesters.set(state.semester, state);
}
