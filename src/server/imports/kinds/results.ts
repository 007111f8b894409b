import { isDeepStrictEqual } from 'node:util';
import type { ResultLayout } from '../../../contract/imports.ts';
import { resultInput } from '../../../contract/students/academics.ts';
import { SLOTS } from '../../../contract/students/subject-slots.ts';
import { toGradeLetter, toGradePoints } from '../../../domain/grading/gpa.ts';
import { SUBJECT_COUNT } from '../../../domain/student.ts';
import { alreadyTaken } from '../../errors.ts';
import { checkInput } from '../../http/validation.ts';
import type { Subject } from '../../students/semester-slots.ts';
import { protectionText } from '../../students/semesters/protected-slots.ts';
import {
  findReserved,
  loadResults,
  type StudentResults,
  storeResults,
} from '../../students/semesters/store-results.ts';
import {
  elsewhereText,
  FAMILY_FIRST,
  NO_SUCH_STUDENT,
  nextSemesterFault,
} from '../../students/semesters/write-semester.ts';
import { courseOfField } from '../reading/layouts.ts';
import { type Catalogue, type CatalogueCourse, findCatalogue, foldTitle } from './catalogue.ts';
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
import { clashText, listChanges, refusedRow } from './outcomes.ts';
import { checkResultsUndo } from './undo-results.ts';

const placeSchema = resultInput.pick({ student_id: true, semester: true });
const studentSchema = resultInput.pick({ student_id: true });
const courseSchema = resultInput.pick({ course_id: true });

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
    for (const { key, rows } of records) {
      const results = key === null ? undefined : known.get(key);
      const draft = new Draft(results, options);
      outcomes.push(...draft.addRows(rows, catalogue));
      drafts.push(draft);
    }
    const plans = drafts.flatMap((draft) => draft.toPlan() ?? []);
    return {
      outcomes,
      basis: [...[...known.values()].map(toBasis), catalogue.basis].join(';'),
      reserved: findReserved(plans),
      store: (writer) => storeResults(writer, plans),
    };
  },

  checkUndo: checkResultsUndo,
};

const toBasis = ({ student, hasFamily, recorded }: StudentResults) =>
  [student.id, student.version, hasFamily, ...recorded.map(({ row }) => row.version)].join(' ');

/** What rows say about courses, to look them up together. */
function courseNames(records: readonly RecordRows[], layout: ResultLayout): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { rows } of records) {
    for (const { values } of rows) {
      const own =
        layout === 'column-per-course'
          ? Object.keys(values).flatMap((field) => courseOfField(field) ?? [])
          : [values.course_id, values.course_code];
      for (const name of own) if (typeof name === 'string') names.add(name.trim());
    }
  }
  return names;
}

/** A subject of a row: all of the row, or one of its columns with grades. What is undefined stays as it is. */
interface SubjectCell {
  /** Where its errors and changes are shown; undefined for a row per subject, which has a field for each. */
  field: string | undefined;
  /** Null where it is emptied. */
  courseId: number | null | undefined;
  /** Undefined where the number is not in the catalogue any more. */
  course: CatalogueCourse | undefined;
  title: unknown;
  credits: unknown;
  grade: unknown;
}

/** A row whose student and semester are valid. */
interface SemesterRow {
  row: ReadRow;
  semester: number;
  cells: SubjectCell[];
  errors: FieldErrors;
}

/** What a row makes of a subject. */
interface SubjectOutcome {
  before: Subject | undefined;
  after: Subject;
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

  /** Adds rows in the order of their semesters. The outcomes are in the order of the rows. */
  addRows(rows: readonly ReadRow[], catalogue: Catalogue): RowOutcome[] {
    const outcomes = new Map<ReadRow, RowOutcome>();
    const read: SemesterRow[] = [];
    for (const row of rows) {
      // Our own export has a row for a student without results.
      if (Object.keys({ ...row.values, ...row.errors }).join() === 'student_id') {
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
    for (const one of read.toSorted((a, b) => a.semester - b.semester)) {
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
    if (done.length > 0) this.#semesters[semester - 1] = subjects;
    const changes = done.flatMap(({ cell, outcome }) => changesOfSubject(cell, outcome));
    const isChanged = (outcome: SubjectOutcome) => outcome.before === undefined || changes.length > 0;
    for (const { outcome } of done) {
      if (isChanged(outcome)) this.#written.set(`${semester}/${outcome.after.slot}`, row.line);
    }
    const isNew = done.some(({ outcome }) => outcome.before === undefined);
    const [only] = this.#options.layout === 'row-per-subject' ? done : [];
    return {
      line: row.line,
      state: isNew ? 'create' : changes.length > 0 ? 'update' : 'unchanged',
      key: only === undefined ? key : `${key}/${only.outcome.after.slot}`,
      changes,
      errors: {},
      warnings: {},
    };
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
    return { before, after };
  }
}

function rowWithoutResult(row: ReadRow, id: string | null): RowOutcome {
  if (id === null) return refusedRow(row, null, { student_id: [NO_SUCH_STUDENT], ...row.errors });
  const warnings = { student_id: ['The row has no result.'] };
  return { line: row.line, state: 'unchanged', key: id, changes: [], errors: {}, warnings };
}

/** By its course; else by its title, if the subject has no other course. */
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

function readSubjects(
  { values }: ReadRow,
  layout: ResultLayout,
  catalogue: Catalogue,
): { cells: SubjectCell[]; errors: FieldErrors } {
  if (layout === 'row-per-subject') {
    const course = readCourse(values, catalogue);
    if ('errors' in course) return { cells: [], errors: course.errors };
    const { title, credits, grade } = values;
    return {
      cells: [{ field: undefined, ...course, title: title ?? undefined, credits, grade }],
      errors: {},
    };
  }
  const errors: Record<string, readonly string[]> = {};
  const cells = Object.entries(values).flatMap(([field, grade]): SubjectCell[] => {
    const name = courseOfField(field);
    if (name === undefined) return [];
    const [course, ...others] = catalogue.byName(name);
    if (course === undefined) errors[field] = [`There is no course with the ID, code or title “${name}”.`];
    else if (others.length > 0) errors[field] = [ambiguousName(name)];
    else {
      const { course_id: courseId } = course;
      return [{ field, courseId, course, title: undefined, credits: undefined, grade }];
    }
    return [];
  });
  return { cells, errors };
}

type FoundCourse = Pick<SubjectCell, 'courseId' | 'course'>;

/** The course of a row, by its number, its code or both. */
function readCourse(
  { course_id, course_code }: ReadRow['values'],
  catalogue: Catalogue,
): FoundCourse | { errors: FieldErrors } {
  const checked = checkInput(courseSchema, { course_id });
  if ('errors' in checked) return checked;
  const given = checked.input.course_id;
  if (typeof course_code !== 'string') {
    const isEmptied = course_id === null || course_code === null;
    const courseId = given ?? (isEmptied ? null : undefined);
    return { courseId, course: given === null ? undefined : catalogue.byId(given) };
  }
  const coded = catalogue.byCode(course_code.trim());
  const found = given === null ? coded : coded.filter((course) => course.course_id === given);
  const [course, ...others] = found;
  if (course !== undefined && others.length === 0) return { courseId: course.course_id, course };
  const text =
    coded.length === 0
      ? 'The course code must be that of an existing course.'
      : given === null
        ? ambiguousCode(course_code)
        : `The course code must be that of course ${given}.`;
  return { errors: { course_code: [text] } };
}

const ambiguousName = (name: string) =>
  `Several courses have the code or title “${name}”. Put the course ID in its place in the headings.`;
const ambiguousCode = (code: string) => `Several courses have the code ${code}. Give the course id.`;

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
