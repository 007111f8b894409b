import { isDeepStrictEqual } from 'node:util';
import { OTHER_PERSON } from '../../../contract/imports.ts';
import { resultInput } from '../../../contract/students/academics.ts';
import { SLOTS } from '../../../contract/students/subject-slots.ts';
import { toGradeLetter, toGradePoints } from '../../../domain/grading/gpa.ts';
import { SUBJECT_COUNT } from '../../../domain/student.ts';
import { withPauses } from '../../chunks.ts';
import { alreadyTaken } from '../../errors.ts';
import { checkInput } from '../../http/validation.ts';
import type { Subject } from '../../students/semester-slots.ts';
import { loadResults, type StudentResults } from '../../students/semesters/load-results.ts';
import { protectionText } from '../../students/semesters/protected-slots.ts';
import { findNeedsReason, storeResults } from '../../students/semesters/store-results.ts';
import {
  elsewhereText,
  FAMILY_FIRST,
  NO_SUCH_STUDENT,
  nextSemesterFault,
} from '../../students/semesters/write-semester.ts';
import { type Catalogue, findCatalogue, foldTitle } from './catalogue.ts';
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
import { clashText, holdRow, isHeld, listChanges, refusedRow } from './outcomes.ts';
import { NAME_FIELDS, otherPersonText } from './row-names.ts';
import { contradictionText, courseNames, readSubjects, type SubjectCell } from './subject-cells.ts';
import { checkResultsUndo } from './undo/undo-results.ts';

const placeSchema = resultInput.pick({ student_id: true, semester: true });
const studentSchema = resultInput.pick({ student_id: true });

/** Results of students: a row per subject, or a row per semester with a column per course. */
export const results: ImportedKind = {
  keyFields: ['student_id', 'semester'],
  batchSize: 40,
  recordKey: ({ student_id }) => studentSchema.safeParse({ student_id }).data?.student_id ?? null,

  async check(
    source: Source,
    records: readonly RecordRows[],
    options: ImportOptions,
  ): Promise<CheckedRecords> {
    const known = await loadResults(
      source,
      records.flatMap(({ key }) => key ?? []),
    );
    const catalogue = await findCatalogue(source, courseNames(records, options.layout));
    const drafts: Draft[] = [];
    const outcomes: RowOutcome[] = [];
    const unaccepted: RowOutcome[] = [];
    for (const { key, rows } of records) {
      const results = key === null ? undefined : known.get(key);
      const draft = new Draft(results, options);
      const own = await draft.addRows(rows, catalogue);
      outcomes.push(...own);
      drafts.push(draft);
      // Later semesters may build on a row that is accepted.
      const isAccepted = own.some((one) => OTHER_PERSON in one.warnings && !isHeld(one));
      const without = { ...options, accepted: new Set<number>() };
      unaccepted.push(...(isAccepted ? await new Draft(results, without).addRows(rows, catalogue) : own));
    }
    const plans = drafts.flatMap((draft) => draft.toPlan() ?? []);
    return {
      outcomes,
      unaccepted,
      basis: [...[...known.values()].map(toBasis), catalogue.basis].join(';'),
      needsReason: findNeedsReason(plans),
      store: (writer) => storeResults(writer, plans),
    };
  },

  checkUndo: checkResultsUndo,
};

const toBasis = ({ student, hasFamily, recorded }: StudentResults) =>
  [student.id, student.version, hasFamily, ...recorded.map(({ row }) => row.version)].join(' ');

/** A row whose student and semester are valid. */
interface SemesterRow {
  row: ReadRow;
  semester: number;
  cells: SubjectCell[];
  errors: FieldErrors;
}

/** The change of a subject by a row. */
interface SubjectOutcome {
  before: Subject | undefined;
  after: Subject;
  /** About its title. */
  warning: string | undefined;
}

/** The results of one student while the rows of a file are added. */
class Draft {
  readonly #now: StudentResults | undefined;
  readonly #options: ImportOptions;
  /** The subjects of each semester from the first on. */
  readonly #semesters: (readonly Subject[])[];
  /** The lines that wrote a slot, by semester and slot. */
  readonly #written = new Map<string, number>();

  constructor(now: StudentResults | undefined, options: ImportOptions) {
    this.#now = now;
    this.#options = options;
    this.#semesters = now?.recorded.map(({ subjects }) => subjects) ?? [];
  }

  toPlan() {
    if (this.#now === undefined || this.#written.size === 0) return undefined;
    return { ...this.#now, semesters: this.#semesters };
  }

  /**
   * Adds rows in the order of their semesters. The outcomes are in the order of the rows. Lets other calls run in between, since
   * one student may have all rows of a file.
   */
  async addRows(rows: readonly ReadRow[], catalogue: Catalogue): Promise<RowOutcome[]> {
    const outcomes = new Map<ReadRow, RowOutcome>();
    const read: SemesterRow[] = [];
    for await (const row of withPauses(rows)) {
      // Our own export has a row for a student without results.
      const filled = Object.keys({ ...row.values, ...row.errors });
      if (filled.every((field) => field === 'student_id' || NAME_FIELDS.includes(field))) {
        outcomes.set(row, rowWithoutResult(row, this.#now?.student.id ?? null));
        continue;
      }
      const place = checkInput(placeSchema, row.values);
      if ('errors' in place) {
        outcomes.set(row, refusedRow(row, null, { ...place.errors, ...row.errors }));
      } else {
        const { semester } = place.input;
        read.push({ row, semester, ...readSubjects(row, this.#options.layout, catalogue) });
      }
    }
    const clashes = findClashes(read);
    for await (const one of withPauses(read.toSorted((a, b) => a.semester - b.semester))) {
      outcomes.set(one.row, this.#addRow(one, clashes.get(one.row)));
    }
    return rows.flatMap((row) => outcomes.get(row) ?? []);
  }

  #addRow({ row, semester, cells, errors }: SemesterRow, clash: FieldErrors | undefined): RowOutcome {
    const id = this.#now?.student.id;
    const key = id === undefined ? null : `${id}/${semester}`;
    const faults = { ...this.#placeErrors(semester), ...clash, ...errors, ...row.errors };
    const subjects = [...(this.#semesters[semester - 1] ?? [])];
    const done: { cell: SubjectCell; outcome: SubjectOutcome }[] = [];
    for (const cell of Object.keys(faults).length > 0 ? [] : cells) {
      const outcome = this.#addSubject(cell, { row, semester, subjects });
      if ('errors' in outcome) Object.assign(faults, toField(cell, outcome.errors));
      else done.push({ cell, outcome });
    }
    if (Object.keys(faults).length > 0) return refusedRow(row, key, faults);
    const changes = done.flatMap(({ cell, outcome }) => changesOfSubject(cell, outcome));
    const isNew = done.some(({ outcome }) => outcome.before === undefined);
    const [only] = this.#options.layout === 'row-per-subject' ? done : [];
    const warnings = done.flatMap(({ outcome }) => outcome.warning ?? []);
    const checked: RowOutcome = {
      line: row.line,
      state: isNew ? 'create' : changes.length > 0 ? 'update' : 'unchanged',
      key: only === undefined ? key : `${key}/${only.outcome.after.slot}`,
      changes,
      errors: {},
      warnings: warnings.length > 0 ? { title: warnings } : {},
    };
    const person = this.#now && otherPersonText(row, this.#now.student);
    const outcome = holdRow(checked, person, this.#options);
    if (isHeld(outcome)) return outcome;
    if (done.length > 0) this.#semesters[semester - 1] = subjects;
    for (const { outcome: one } of done) {
      const isChanged = one.before === undefined || changes.length > 0;
      if (isChanged) this.#written.set(`${semester}/${one.after.slot}`, row.line);
    }
    return outcome;
  }

  #placeErrors(semester: number): Record<string, readonly string[]> {
    if (this.#now === undefined) return { student_id: [NO_SUCH_STUDENT] };
    if (this.#now.recorded[semester - 1]?.row.is_elsewhere === 1)
      return { semester: [elsewhereText(semester)] };
    if (semester <= this.#semesters.length) return {};
    if (!this.#now.hasFamily) return { student_id: [FAMILY_FIRST] };
    const place = { next: this.#semesters.length + 1, current: this.#now.student.current_sem };
    const fault = nextSemesterFault(place, semester);
    return fault === undefined ? {} : { semester: [fault] };
  }

  /** Puts a subject into its slot, or says why it can't be. */
  #addSubject(
    cell: SubjectCell,
    { row, semester, subjects }: { row: ReadRow; semester: number; subjects: Subject[] },
  ): SubjectOutcome | { errors: FieldErrors } {
    const before = findSubject(subjects, cell);
    const name = cell.courseId === undefined ? 'title' : 'course_id';
    const earlier = before && this.#written.get(`${semester}/${before.slot}`);
    const { mode } = this.#options;
    if (before === undefined && mode === 'update') {
      return { errors: { [name]: ['The semester has no such subject.'] } };
    }
    if (before !== undefined && earlier === undefined && mode === 'create')
      return { errors: { [name]: [alreadyTaken('subject')] } };
    const slot = before?.slot ?? SLOTS.find((free) => subjects.every((other) => other.slot !== free));
    if (slot === undefined) {
      return { errors: { [name]: [`${SUBJECT_COUNT} is the maximum number of subjects per semester`] } };
    }
    const checked = checkInput(resultInput, { ...row.values, ...toSubjectValues(cell, before) });
    const { courseId = null } = cell;
    const isUnknown = courseId !== null && cell.course === undefined && courseId !== before?.course_id;
    const unknown = { course_id: ['The course id must be that of an existing course.'] };
    if ('errors' in checked || isUnknown) {
      return { errors: { ...(isUnknown && unknown), ...('errors' in checked && checked.errors) } };
    }
    const contradiction = contradictionText(cell, before);
    const hasCode = typeof row.values.course_code === 'string';
    if (contradiction !== undefined && hasCode) {
      return { errors: { course_code: [contradiction], title: [contradiction] } };
    }
    const { title, course_id, credits, grade } = checked.input;
    const after = { slot, title, course_id, credits, half_points: grade === null ? null : grade * 2 };
    const written = this.#now?.protectedSlots.find((one) => one.semester === semester && one.slot === slot);
    if (written !== undefined && !isDeepStrictEqual(before, after)) {
      return { errors: { [name]: [protectionText(written)] } };
    }
    if (earlier !== undefined && earlier !== row.line && !isDeepStrictEqual(before, after)) {
      return { errors: { [name]: [`Line ${earlier} has the same subject with other values.`] } };
    }
    if (before !== undefined) subjects.splice(subjects.indexOf(before), 1, after);
    else subjects.push(after);
    subjects.sort((a, b) => a.slot - b.slot);
    return { before, after, warning: contradiction };
  }
}

function rowWithoutResult(row: ReadRow, id: string | null): RowOutcome {
  if (id === null) return refusedRow(row, null, { student_id: [NO_SUCH_STUDENT], ...row.errors });
  const warnings = { student_id: ['The row has no result.'] };
  return { line: row.line, state: 'unchanged', key: id, changes: [], errors: {}, warnings };
}

/** Finds a subject by its course; else by its title, if the subject has no other course. */
function findSubject(subjects: readonly Subject[], { courseId, course, title }: SubjectCell) {
  const linked = courseId == null ? undefined : subjects.find((one) => one.course_id === courseId);
  if (linked !== undefined) return linked;
  const name = foldGiven(title ?? course?.course_name);
  return subjects.find(
    (one) => foldTitle(one.title) === name && (courseId == null || one.course_id === null),
  );
}

const foldGiven = (title: unknown) => (typeof title === 'string' ? foldTitle(title) : undefined);

/** The values of a subject after it: a blank cell leaves what is there, and the course gives what a new one lacks. */
function toSubjectValues({ courseId, course, ...cell }: SubjectCell, before: Subject | undefined) {
  return {
    title: cell.title ?? before?.title ?? course?.course_name,
    course_id: courseId === undefined ? (before?.course_id ?? null) : courseId,
    credits: cell.credits === undefined ? (before?.credits ?? course?.credits ?? null) : cell.credits,
    grade: cell.grade === undefined ? toGradePoints(before?.half_points ?? null) : cell.grade,
  };
}

function changesOfSubject({ field }: SubjectCell, { before, after }: SubjectOutcome): RowOutcome['changes'] {
  if (field !== undefined) {
    return listChanges(
      { [field]: before && toGradeLetter(before.half_points) },
      { [field]: toGradeLetter(after.half_points) },
    );
  }
  const shown = (subject: Subject) => {
    const { title, course_id, credits } = subject;
    return { title, course_id, credits, grade: toGradeLetter(subject.half_points) };
  };
  return listChanges(before === undefined ? {} : shown(before), shown(after));
}

/** The errors of a column with grades are shown at its cell. */
const toField = ({ field }: SubjectCell, errors: FieldErrors): FieldErrors =>
  field === undefined ? errors : { [field]: Object.values(errors).flat() };

/** Rows that name the same subject of a semester with different values. */
function findClashes(rows: readonly SemesterRow[]): ReadonlyMap<ReadRow, FieldErrors> {
  const groups = new Map<string, { row: ReadRow; cell: SubjectCell }[]>();
  for (const { row, semester, cells } of rows) {
    for (const cell of cells) {
      const name = cell.courseId ?? foldGiven(cell.title);
      if (name === undefined) continue;
      const key = `${semester} ${name}`;
      groups.set(key, [...(groups.get(key) ?? []), { row, cell }]);
    }
  }
  const clashes = new Map<ReadRow, FieldErrors>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const clash = clashText(
      group.map(({ row, cell }) =>
        cell.field === undefined ? row : { ...row, values: { grade: cell.grade } },
      ),
      'subject',
    );
    if (clash === undefined) continue;
    for (const { row, cell } of group) {
      clashes.set(row, { ...clashes.get(row), [cell.field ?? 'title']: [clash] });
    }
  }
  return clashes;
}
