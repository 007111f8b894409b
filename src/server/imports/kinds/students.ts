import { sql } from 'kysely';
import type { z } from 'zod';
import { entrySemesterInput } from '../../../contract/students/academics.ts';
import { familyInput, type StudentInput, studentInput } from '../../../contract/students/students.ts';
import { isOtherPerson } from '../../../domain/names/person-names.ts';
import { nameSortKey, naturalSortKey } from '../../../domain/search-text.ts';
import { fromFraction, fullName } from '../../../domain/student.ts';
import { indexHint, jsonToRows } from '../../db/dialect/sql.ts';
import type { Db } from '../../db/schema.ts';
import { alreadyTaken } from '../../errors.ts';
import { checkInput } from '../../http/validation.ts';
import type { StudentRow } from '../../students/derived/derived-columns.ts';
import { findFormerOwners, formerOwnerText } from '../../students/former-ids.ts';
import { presentFamily, presentStudent } from '../../students/queries.ts';
import { findWithSheets, RESERVED_ID } from '../../students/semesters/protected-slots.ts';
import { birthFault, joiningFault } from '../../students/write-student.ts';
import { FIELDS } from '../reading/fields.ts';
import type {
  CheckedRecords,
  FieldErrors,
  ImportedKind,
  ImportOptions,
  ReadRow,
  RecordRows,
  RowOutcome,
  Source,
} from './kind.ts';
import { checkSingleRows, holdRow, listChanges, type PlannedRow, refusedRow, rowErrors } from './outcomes.ts';
import { type ExistingStudent, findMoveFaults, type StudentPlan, storeStudents } from './store-students.ts';
import { checkStudentsUndo } from './undo/undo-students.ts';

/** The number of a student's semesters; how many of them are before the entry. */
interface Semesters {
  recorded: number;
  elsewhere: number;
}

interface Known {
  semesters: ReadonlyMap<string, Semesters>;
  existing: ReadonlyMap<string, ExistingStudent>;
  /** The present student of each ID that somebody had before. */
  formerOwners: ReadonlyMap<string, string>;
  /** IDs of deleted records with results of a confirmed mark sheet, which only an administrator gives again. */
  reserved: ReadonlySet<string>;
}

const familyDetails = familyInput.omit({ student_id: true });
type FamilyDetails = z.output<typeof familyDetails>;
const FAMILY_FIELDS = Object.keys(familyDetails.shape);
const keySchema = studentInput.pick({ id: true });

/** Students with their families, a row each. */
export const students: ImportedKind = {
  keyFields: ['id'],
  batchSize: 50,
  recordKey: ({ id }) => keySchema.safeParse({ id }).data?.id ?? null,

  async check(
    source: Source,
    records: readonly RecordRows[],
    options: ImportOptions,
  ): Promise<CheckedRecords> {
    const known = await findKnown(source, records, options);
    const checked = checkSingleRows(records, { field: 'id', name: 'id' }, (row, key) =>
      checkRow(row, key, known, options),
    );
    const { outcomes, plans } = refuseMoves(checked, await findMoveFaults(source.db, checked.plans, options));
    if (source.people !== null) await warnOfSimilar(source.db, plans, { outcomes, people: source.people });
    return {
      outcomes,
      basis: [...known.existing]
        .map(([id, { row, family }]) => `${id} ${row.version} ${family?.version ?? 0}`)
        .join()
        .concat(JSON.stringify([...known.semesters])),
      store: (writer) => storeStudents(writer, plans),
    };
  },

  checkUndo: checkStudentsUndo,
};

type Checked = ReturnType<typeof checkSingleRows<StudentPlan>>;

/** Rows that move a student to another batch, which an administrator has to do, are refused. */
function refuseMoves({ outcomes, plans }: Checked, faults: ReadonlyMap<string, string>): Checked {
  if (faults.size === 0) return { outcomes, plans };
  return {
    outcomes: outcomes.map((one) => {
      const fault = faults.get(one.key ?? '');
      return fault === undefined
        ? one
        : refusedRow(one, one.key, { ...one.errors, degree: [fault] }, one.warnings);
    }),
    plans: plans.filter(({ id }) => !faults.has(id)),
  };
}

async function findKnown(
  { db, lock }: Source,
  records: readonly RecordRows[],
  { role }: ImportOptions,
): Promise<Known> {
  const ids = records.flatMap(({ key }) => key ?? []);
  if (ids.length === 0)
    return { existing: new Map(), semesters: new Map(), formerOwners: new Map(), reserved: new Set() };
  const rows = await lock(
    db.selectFrom('students').selectAll().where('id', 'in', ids).orderBy('id'),
  ).execute();
  const families = await db.selectFrom('families').selectAll().where('student_id', 'in', ids).execute();
  const familyById = new Map(families.map((family) => [family.student_id, family]));
  const existing = new Map(rows.map((row) => [row.id, { row, family: familyById.get(row.id) }]));
  const unknown = ids.filter((id) => !existing.has(id));
  const deleted = role === 'admin' ? [] : await findWithSheets(db, unknown);
  return {
    existing,
    semesters: await countSemesters(db, records),
    formerOwners: await findFormerOwners(db, unknown),
    reserved: new Set(deleted.map(({ student_id }) => student_id)),
  };
}

function checkRow(
  row: ReadRow,
  key: string | null,
  known: Known,
  options: ImportOptions,
): PlannedRow<StudentPlan> {
  const now = key === null ? undefined : known.existing.get(key);
  const wrongMode = now === undefined ? newIdFault(key, known, options) : existingIdFault(options.mode);
  if (wrongMode !== undefined) return { outcome: refusedRow(row, key, { ...row.errors, id: [wrongMode] }) };
  const before = now === undefined ? {} : formValues(now);
  const base = checkInput(studentInput, { ...before, ...row.values });
  const family = checkFamily(row, now);
  const errors = rowErrors(FIELDS.students, row, {
    ...('errors' in base ? base.errors : dateErrors(base.input, now)),
    ...('errors' in family && family.errors),
  });
  if (Object.keys(errors).length > 0 || 'errors' in base || 'errors' in family) {
    return { outcome: refusedRow(row, key, errors) };
  }
  const entry = checkEntry(row, base.input, key === null ? undefined : known.semesters.get(key));
  if (entry !== null && typeof entry === 'object') {
    return { outcome: refusedRow(row, key, { entry_semester: [entry.fault] }) };
  }
  const entryChanges = entry === null ? [] : listChanges({}, { entry_semester: entry });
  const baseChanges = listChanges(before, base.input);
  const familyChanges = listChanges(before, family.input ?? {});
  const checked: RowOutcome = {
    line: row.line,
    state:
      now === undefined
        ? 'create'
        : baseChanges.length + familyChanges.length + entryChanges.length > 0
          ? 'update'
          : 'unchanged',
    key,
    changes: [...baseChanges, ...familyChanges, ...entryChanges],
    errors: {},
    warnings: {},
  };
  const outcome = holdRow(checked, now && otherStudentText(now.row, base.input, row), options);
  if (outcome.state === 'unchanged' || outcome.state === 'refused') return { outcome };
  return {
    outcome,
    plan: {
      id: base.input.id,
      existing: now,
      base: now === undefined || baseChanges.length > 0 ? base.input : undefined,
      family:
        family.input !== undefined && familyChanges.length > 0
          ? { student_id: base.input.id, ...family.input }
          : undefined,
      entry: entry ?? undefined,
    },
  };
}

/** How many semesters the students have whose rows name the one in which they enter. */
async function countSemesters(
  db: Db,
  records: readonly RecordRows[],
): Promise<ReadonlyMap<string, Semesters>> {
  const ids = records.flatMap(({ key, rows }) =>
    key !== null && rows.some(({ values }) => values.entry_semester !== undefined) ? key : [],
  );
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('semesters')
    .select((eb) => [
      'student_id',
      eb.fn.countAll<number>().as('recorded'),
      eb.fn.sum<number>('is_elsewhere').as('elsewhere'),
    ])
    .where('student_id', 'in', ids)
    .groupBy('student_id')
    .orderBy('student_id')
    .execute();
  return new Map(
    rows.map(({ student_id, recorded, elsewhere }) => [
      student_id,
      { recorded: Number(recorded), elsewhere: Number(elsewhere) },
    ]),
  );
}

/** The semester in which a student enters, where that is new; null where the row names none, or the one that is recorded. */
function checkEntry(
  { values }: ReadRow,
  { current_sem }: StudentInput,
  { recorded, elsewhere }: Semesters = { recorded: 0, elsewhere: 0 },
): number | null | { fault: string } {
  const { entry_semester } = values;
  if (entry_semester === undefined || entry_semester === null) return null;
  const checked = checkInput(entrySemesterInput, { semester: entry_semester });
  if ('errors' in checked) return { fault: 'The entry semester must be a whole number from 2 to 8.' };
  const { semester } = checked.input;
  if (recorded > 0 && elsewhere === semester - 1) return null;
  if (recorded > 0) return { fault: 'Semester 1 is recorded already, so the student can not enter later.' };
  return semester > current_sem
    ? { fault: `The entry semester must not be past the current one, ${current_sem}.` }
    : semester;
}

/** Why an ID that no student has can't be imported. A key that can't be read is refused by the form's check. */
function newIdFault(
  key: string | null,
  { formerOwners, reserved }: Pick<Known, 'formerOwners' | 'reserved'>,
  { mode }: Pick<ImportOptions, 'mode'>,
): string | undefined {
  if (key === null) return undefined;
  const owner = formerOwners.get(key);
  if (owner !== undefined) return formerOwnerText(owner);
  if (mode === 'update') return 'There is no student with this ID.';
  return reserved.has(key) ? RESERVED_ID : undefined;
}

const existingIdFault = (mode: ImportOptions['mode']) => (mode === 'create' ? alreadyTaken('id') : undefined);

/** Whom a row names, where that is another person than the student of its ID. */
function otherStudentText(now: StudentRow, input: StudentInput, { values }: ReadRow): string | undefined {
  if (now.first_name === input.first_name && now.last_name === input.last_name) return undefined;
  const given = (field: 'first_name' | 'last_name' | 'dob') =>
    values[field] === undefined || values[field] === null ? undefined : input[field];
  const dob = given('dob');
  const [first_name, last_name] = [given('first_name'), given('last_name')];
  if (!isOtherPerson(now, { first_name, last_name, dob })) return undefined;
  const named = fullName({ first_name: first_name ?? '', last_name: last_name ?? '' });
  return `${now.id} is the ID of ${fullName(now)}, born ${now.dob}. The row names ${named}${dob === undefined ? '' : `, born ${dob}`}.`;
}

/** A record as the forms would send it. */
function formValues({ row, family }: ExistingStudent): Record<string, unknown> {
  const { fsc_marks, matric_marks, ...base } = presentStudent(row);
  const { student_id: _, ...familyValues } =
    family === undefined ? { student_id: '' } : presentFamily(family);
  return {
    ...base,
    ...familyValues,
    fsc_marks: fromFraction(fsc_marks),
    matric_marks: fromFraction(matric_marks),
  };
}

/** The family, where there is one or the row has something of it. */
function checkFamily(
  { values }: ReadRow,
  now: ExistingStudent | undefined,
): { input: FamilyDetails | undefined } | { errors: FieldErrors } {
  const given = FAMILY_FIELDS.filter((field) => values[field] !== undefined && values[field] !== null);
  if (now?.family === undefined && given.length === 0) return { input: undefined };
  return checkInput(familyDetails, { ...now?.family, ...values });
}

function dateErrors(input: StudentInput, now: ExistingStudent | undefined): FieldErrors {
  const birth = birthFault(input);
  const joining = now === undefined ? undefined : joiningFault(now.row, input);
  return {
    ...(birth !== undefined && { dob: [birth] }),
    ...(joining !== undefined && { joining_date: [joining] }),
  };
}

/** Warns of students who may be the same person as a new one. */
async function warnOfSimilar(
  db: Db,
  plans: readonly StudentPlan[],
  { outcomes, people }: { outcomes: readonly RowOutcome[]; people: NonNullable<Source['people']> },
): Promise<void> {
  const created = plans.flatMap(({ existing, base }) =>
    existing === undefined && base !== undefined ? base : [],
  );
  if (created.length === 0) return;
  const persons = created.map(({ id, first_name, last_name, dob }) => ({
    id,
    dob,
    name_key: nameSortKey(`${first_name} ${last_name}`),
  }));
  const namesakes = await findNamesakes(db, persons);
  const otherCases = await findOtherCases(
    db,
    created.map(({ id }) => id),
  );
  const outcomeByKey = new Map(
    outcomes.filter(({ state }) => state === 'create').map((one) => [one.key, one]),
  );
  for (const { id, dob, name_key } of persons) {
    const outcome = outcomeByKey.get(id);
    if (outcome === undefined) continue;
    const addPerson = (key: string) => {
      const earlier = people.get(key);
      if (earlier === undefined) people.set(key, { id, line: outcome.line });
      return earlier;
    };
    const earlier = addPerson(`${dob} ${name_key}`);
    const otherCase = isLettered(id) ? addPerson(id.toLowerCase()) : undefined;
    const cases = [
      ...(otherCases.get(id) ?? []),
      ...(otherCase === undefined ? [] : [`${otherCase.id} in line ${otherCase.line}`]),
    ];
    if (cases.length > 0)
      outcome.warnings.id = [`The id differs from ${cases.join(', ')} only in upper and lower case.`];
    const same = [
      ...(namesakes.get(id) ?? []),
      ...(earlier === undefined ? [] : [`${earlier.id} in line ${earlier.line}`]),
    ];
    if (same.length > 0)
      outcome.warnings.dob = [
        `${same.join(', ')} has the same name and date of birth. It may be the same person.`,
      ];
  }
}

type OthersOf = ReadonlyMap<string, readonly string[]>;

const groupOthers = (rows: readonly { id: string; other: string }[]): OthersOf => {
  const others = new Map<string, string[]>();
  for (const { id, other } of rows) others.set(id, [...(others.get(id) ?? []), other]);
  return others;
};

/** Students with the same name and date of birth. */
async function findNamesakes(
  db: Db,
  persons: readonly { id: string; dob: string; name_key: string }[],
): Promise<OthersOf> {
  const columns = { id: 'text', dob: 'text', name_key: 'text' } as const;
  const { rows } = await sql<{ id: string; other: string }>`select r.id, s.id as other
    from ${jsonToRows(db, persons, columns)} r
    join students s ${indexHint(db, 'students_by_person')} on s.dob = r.dob and s.name_key = r.name_key
    where s.id != r.id order by s.id`.execute(db);
  return groupOthers(rows);
}

const isLettered = (id: string) => id.toLowerCase() !== id.toUpperCase();

/**
 * Students whose ID differs only in upper and lower case.
 *
 * The index is kept apart by semester, department and status, so those ranges are read that have students. Most IDs have no
 * letters.
 */
async function findOtherCases(db: Db, ids: readonly string[]): Promise<OthersOf> {
  const lettered = ids.filter(isLettered);
  if (lettered.length === 0) return new Map();
  const keys = lettered.map((id) => ({ id, id_key: naturalSortKey(id) }));
  const { rows } = await sql<{ id: string; other: string }>`select r.id, s.id as other
    from ${jsonToRows(db, keys, { id: 'text', id_key: 'text' })} r
    cross join (select distinct current_sem, department, case when status = 'active' then 1 else 0 end as is_active
      from cohorts where students > 0) g
    join students s ${indexHint(db, 'students_by_id_key')}
      on s.current_sem = g.current_sem and s.department = g.department and s.is_active = g.is_active
    where s.id_key = r.id_key and s.id != r.id order by s.id`.execute(db);
  // IDs with leading zeros in a number have the same key.
  return groupOthers(rows.filter(({ id, other }) => id.toLowerCase() === other.toLowerCase()));
}
