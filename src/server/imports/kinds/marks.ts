import { setImmediate } from 'node:timers/promises';
import { markInput } from '../../../contract/courses.ts';
import { isAbsence } from '../../../domain/columns/cells.ts';
import { leftOutText } from '../../../domain/columns/left-out-rows.ts';
import { tallyMarks } from '../../../domain/statistics.ts';
import { parseTally } from '../../courses/queries.ts';
import { toPieces } from '../../courses/read-marks.ts';
import { findReplacedMarks, storeMarks, tallyPieces } from '../../courses/store-marks.ts';
import type { CoursesTable, Db } from '../../db/schema.ts';
import { COURSE_ENTITIES } from '../../history/record-change.ts';
import { checkInput } from '../../http/validation.ts';
import { FIELDS } from '../reading/fields.ts';
import type {
  CheckedRecords,
  CheckedUndo,
  ImportedKind,
  ImportedRecord,
  ImportOptions,
  ReadRow,
  RecordRows,
  RowOutcome,
  Source,
} from './kind.ts';
import { holdRow, refusedRow, rowErrors } from './outcomes.ts';
import { findStudentNames, NAME_FIELDS, otherPersonText } from './row-names.ts';

/** Rows checked before other calls run. */
const CHECKED_AT_ONCE = 1_000;

const IDENTITY_FIELDS = ['student_id', ...NAME_FIELDS];

/** The marks of one course, a row each. They replace the marks that the course has. */
export const marks: ImportedKind = {
  keyFields: ['marks'],
  batchSize: 1,
  // All rows are of the course of the import.
  recordKey: () => 'marks',

  async check(
    source: Source,
    [record]: readonly RecordRows[],
    options: ImportOptions,
  ): Promise<CheckedRecords> {
    const { mode, absent, courseId } = options;
    const rows = record?.rows ?? [];
    const course = await findCourse(source, courseId);
    const names = await findNames(source.db, rows);
    const key = courseId === null ? null : String(courseId);
    const fault = courseFault(course, mode);
    const areNamed = 2 * rows.filter(isNamed).length >= rows.length;
    const read: ReadMark[] = [];
    const others = new Map<number, RowOutcome>();
    for (const [at, row] of rows.entries()) {
      if (at > 0 && at % CHECKED_AT_ONCE === 0) await setImmediate();
      const absence = absenceOf(row);
      const leftOut =
        row.leftOut ??
        (areNamed ? whyNameless(row) : undefined) ??
        (absent === 'leave_out' && absence ? `${absence}: left out.` : undefined);
      if (fault === undefined && leftOut !== undefined) {
        others.set(row.line, leftOutOutcome(row, key, leftOut));
        continue;
      }
      const checked = checkInput(markInput, row.values);
      const errors = rowErrors(FIELDS.marks, row, 'errors' in checked ? checked.errors : {});
      if (fault !== undefined || 'errors' in checked || Object.keys(errors).length > 0) {
        const offer = absence === undefined ? {} : { marks: [`${absence} can be left out.`] };
        others.set(
          row.line,
          fault === undefined
            ? refusedRow(row, key, errors, offer)
            : refusedRow(row, key, { marks: [fault] }),
        );
      } else {
        const student = names.get(String(row.values.student_id));
        read.push({
          line: row.line,
          mark: checked.input.marks,
          otherPerson: student && otherPersonText(row, student),
        });
      }
    }
    const decide = async (accepted: ImportOptions['accepted']) => {
      const stored = read.filter(({ line, otherPerson }) => otherPerson === undefined || accepted.has(line));
      const values = stored.map(({ mark }) => mark);
      const pieces = toPieces(values);
      const isSame = course !== undefined && (await hasPieces(source.db, course.course_id, pieces));
      const isNew = course !== undefined && parseTally(course).count === 0;
      const outcomes = new Map(others);
      for (const { line, mark, otherPerson } of read) {
        const changes = isSame ? [] : [{ field: 'marks', before: null, after: String(mark) }];
        const state = isSame ? 'unchanged' : isNew ? 'create' : 'update';
        const outcome: RowOutcome = { line, state, key, changes, errors: {}, warnings: {} };
        outcomes.set(line, holdRow(outcome, otherPerson, { accepted }));
      }
      return { values, pieces, isSame, outcomes: rows.flatMap(({ line }) => outcomes.get(line) ?? []) };
    };
    const { values, pieces, isSame, outcomes } = await decide(options.accepted);
    const isAccepted = read.some(
      ({ line, otherPerson }) => otherPerson !== undefined && options.accepted.has(line),
    );
    return {
      outcomes,
      ...(isAccepted && { unaccepted: (await decide(new Set())).outcomes }),
      basis: `${courseId} ${course?.version}`,
      store: async ({ tx, author, bulkId }) => {
        if (course === undefined || isSame || values.length === 0) return;
        await storeMarks(tx, author, course.course_id, {
          tally: tallyMarks(values),
          pieces,
          append: false,
          bulkId,
        });
      },
    };
  },

  checkUndo,
};

/** Whether a row has an ID or a name, also one that can't be read. */
const isNamed = ({ values, errors }: ReadRow) =>
  IDENTITY_FIELDS.some((field) => field in values || field in errors);

/** Why a row is left out that has neither, where the others do. */
const whyNameless = (row: ReadRow): string | undefined =>
  isNamed(row) || row.values.marks === undefined
    ? undefined
    : leftOutText([String(row.values.marks)], 'nameless');

/** The words of a row for an absent student, quoted. */
function absenceOf({ values }: ReadRow): string | undefined {
  const { marks: text } = values;
  return typeof text === 'string' && isAbsence(text) ? `“${text}”` : undefined;
}

/** A row that is no mark, and changes nothing. */
const leftOutOutcome = ({ line }: ReadRow, key: string | null, text: string): RowOutcome => ({
  line,
  state: 'unchanged',
  key,
  changes: [],
  errors: {},
  warnings: { left_out: [text] },
});

interface ReadMark {
  line: number;
  mark: number;
  /** Whom the row names, where that is another student than that of its ID. */
  otherPerson: string | undefined;
}

/** The students whom rows with a name name by ID. */
const findNames = (db: Db, rows: RecordRows['rows']) =>
  findStudentNames(
    db,
    rows.flatMap(({ values }) =>
      typeof values.student_id === 'string' && NAME_FIELDS.some((field) => field in values)
        ? values.student_id
        : [],
    ),
  );

const findCourse = ({ db, lock }: Source, courseId: number | null): Promise<CoursesTable | undefined> =>
  lock(
    db
      .selectFrom('courses')
      .selectAll()
      .where('course_id', '=', courseId ?? 0),
  ).executeTakeFirst();

function courseFault(course: CoursesTable | undefined, mode: ImportOptions['mode']): string | undefined {
  if (course === undefined) return 'The course has been deleted.';
  const { count } = parseTally(course);
  if (mode === 'create' && count > 0) return 'The course has marks already.';
  return mode === 'update' && count === 0 ? 'The course has no marks yet.' : undefined;
}

async function hasPieces(db: Db, courseId: number, pieces: readonly string[]): Promise<boolean> {
  const stored = await db
    .selectFrom('course_marks')
    .select('marks')
    .where('course_id', '=', courseId)
    .where('sheet_id', 'is', null)
    .orderBy('piece')
    .execute();
  return stored.length === pieces.length && stored.every((one, at) => one.marks === pieces[at]);
}

/** The marks that an import replaced come back, if the course's marks were not written since. */
async function checkUndo(source: Source, records: readonly ImportedRecord[]): Promise<CheckedUndo> {
  const undone: string[] = [];
  const kept: CheckedUndo['kept'] = [];
  const entries: { courseId: number; entry: number }[] = [];
  for (const { id, entries: own } of records) {
    const [entry] = own;
    if (entry === undefined) continue;
    const course = await findCourse(source, Number(id));
    const { latest } = await source.db
      .selectFrom('history')
      .select((eb) => eb.fn.max('id').as('latest'))
      .where('entity', 'in', COURSE_ENTITIES)
      .where('entity_id', '=', id)
      // The same number may have been given to another course.
      .where((eb) => eb.or([eb('entity', '=', 'marks'), eb('action', '!=', 'update')]))
      .executeTakeFirstOrThrow();
    if (course === undefined) kept.push({ key: id, reason: 'The course has been deleted since.' });
    else if (Number(latest) !== entry.id) kept.push({ key: id, reason: 'Changed since.' });
    else {
      undone.push(id);
      entries.push({ courseId: course.course_id, entry: entry.id });
    }
  }
  return {
    undone,
    kept,
    store: async ({ tx, author, bulkId }) => {
      for (const { courseId, entry } of entries) {
        const before = await tallyPieces(await findReplacedMarks(tx, entry));
        await storeMarks(tx, author, courseId, { ...before, append: false, bulkId });
      }
    },
  };
}
