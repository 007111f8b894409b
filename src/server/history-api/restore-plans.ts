import { z } from 'zod';
import { courseInput } from '../../contract/courses.ts';
import type { HistoryState } from '../../contract/history.ts';
import { institutionInput } from '../../contract/installation/institution.ts';
import { semesterUpdate } from '../../contract/students/academics.ts';
import { familyInput, statusFields, studentUpdate } from '../../contract/students/students.ts';
import { termInput } from '../../contract/terms.ts';
import { fromFraction } from '../../domain/student.ts';
import { findCourse, presentCourse } from '../courses/queries.ts';
import { findReplacedMarks, restoreSheetMarks, storeMarks, tallyPieces } from '../courses/store-marks.ts';
import { createCourse, updateCourse } from '../courses/write-course.ts';
import type { CoursesTable, Db, Tx } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import type { Entry } from '../history/chain.ts';
import { type RecordState, statePart } from '../history/fields.ts';
import { etag, versionPart } from '../http/etags.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { getInstitution, updateInstitution } from '../institution/institution.ts';
import { findMissingPictures } from '../pictures/store-picture.ts';
import { findFamily, findStudent, presentFamily, presentStudent } from '../students/queries.ts';
import { requireFreeId, restoreStudent } from '../students/restore-student.ts';
import { presentSemester, toSubjects } from '../students/semester-slots.ts';
import { requireRestorable, restoreSemester } from '../students/semesters/delete-semester.ts';
import { readStudentResults } from '../students/semesters/load-results.ts';
import { needsReasonText } from '../students/semesters/result-rights.ts';
import { updateSemester } from '../students/semesters/write-semester.ts';
import { createFamily, updateFamily } from '../students/write-family.ts';
import { updateStudent } from '../students/write-student.ts';
import { createTerm, findTerm, presentTerm, updateTerm } from '../terms/terms.ts';

/** How the earlier state of a record in a history entry can become the current one. */
export interface RestorePlan {
  /** The record now and after the restore, without computed fields. */
  current: RecordState;
  target: RecordState;
  /** ETag of the current record; undefined if the restore would create it. */
  version: string | undefined;
  /** Why it needs a reason; undefined where it needs none. */
  needsReason?: string | undefined;
  /** Runs the same checked change as a call of the staff would. Returns the new ETag, or with it what to say. */
  apply(
    tx: Tx,
    author: AuthorWithRole,
    conditions: RestoreConditions,
  ): Promise<string | { etag: string; message: string }>;
}

/** Conditions that the call gives beside the entry. */
export interface RestoreConditions {
  ifMatch: string | undefined;
  reason: string | null;
}

/** The refusal of a restore, with its reason. */
export const restoreConflict = (text: string) => new AppError('conflict', text);

/** A state as input of a call, checked by the current rules. */
export function validateState<Input>(schema: z.ZodType<Input>, state: RecordState): Input {
  const read = schema.safeParse(state);
  if (read.success) return read.data;
  const fields = [...new Set(read.error.issues.map(({ path }) => String(path[0]).replaceAll('_', ' ')))];
  throw restoreConflict(`By today's rules this state is not allowed any more: ${fields.join(', ')}.`);
}

export const studentIsDeleted = () =>
  restoreConflict(
    'This student has been deleted. Restore the entry of the deletion first; it brings back all of the record.',
  );

export async function planStudent(db: Db, entry: Entry, state: RecordState): Promise<RestorePlan> {
  const id = entry.entity_id;
  const row = await findStudent(db, id);
  if (entry.action === 'delete') {
    await requireFreeId(db, id, entry.id);
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        const { version } = await restoreStudent(tx, author, id, entry.id);
        return etag(versionPart.student(version));
      },
    };
  }
  if (row === undefined) throw studentIsDeleted();
  const part = 'student' in state ? statePart(state, 'student') : state;
  // The ID is changed on the record only.
  const base = await withoutMissingPicture(db, { ...z.object(statusFields).parse({}), ...part, id });
  const input = validateState(studentUpdate.extend(statusFields), {
    ...base,
    fsc_marks: toMarks(base.fsc_marks),
    matric_marks: toMarks(base.matric_marks),
  });
  return {
    current: { ...presentStudent(row) },
    target: base,
    version: etag(versionPart.student(row.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } = await updateStudent(tx, author, id, input, ifMatch);
      return etag(versionPart.student(version));
    },
  };
}

/** The state without its portrait if the picture no longer exists. */
async function withoutMissingPicture(db: Db, base: RecordState): Promise<RecordState> {
  const img = typeof base.img === 'string' ? base.img : null;
  return (await findMissingPictures(db, [img])).size > 0 ? { ...base, img: null } : base;
}

const toMarks = (fraction: unknown) => (typeof fraction === 'number' ? fromFraction(fraction) : fraction);

export async function planFamily(db: Db, { entity_id: id }: Entry, state: RecordState): Promise<RestorePlan> {
  if ((await findStudent(db, id)) === undefined) throw studentIsDeleted();
  const row = await findFamily(db, id);
  const target = { ...state, student_id: id };
  const input = validateState(familyInput, target);
  return {
    current: row === undefined ? {} : { ...presentFamily(row) },
    target,
    version: row && etag(versionPart.family(row.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } =
        row === undefined
          ? await createFamily(tx, author, input)
          : await updateFamily(tx, author, id, input, ifMatch);
      return etag(versionPart.family(version));
    },
  };
}

export async function planSemester(db: Db, entry: Entry, state: RecordState): Promise<RestorePlan> {
  const id = entry.entity_id;
  const student = await findStudent(db, id);
  if (student === undefined) throw studentIsDeleted();
  const stored = await readStudentResults(db, student);
  if (entry.action === 'delete') {
    const { semester, ...slots } = await requireRestorable(db, id, entry);
    return {
      current: {},
      target: withoutAverages(state),
      version: undefined,
      needsReason: stored && needsReasonText(stored, { semester, before: [], after: toSubjects(slots) }),
      apply: async (tx, author, { reason }) => {
        const { academic, version } = await restoreSemester(tx, author, id, entry, {
          role: author.role,
          reason,
        });
        return etag(versionPart.semester(academic.semester, version));
      },
    };
  }
  const { academic_id: _, reason: __, ...results } = state;
  const input = validateState(semesterUpdate, { ...results, student_id: id });
  const recorded = stored?.recorded.find(({ row }) => row.semester === input.semester);
  if (recorded === undefined) {
    throw restoreConflict(
      `Semester ${input.semester} is not recorded any more, so its results have no place. Restore the entry of its deletion first, or enter them again.`,
    );
  }
  const { row, subjects } = recorded;
  return {
    current: withoutAverages(presentSemester(row, subjects)),
    target: withoutAverages(state),
    version: etag(versionPart.semester(row.semester, row.version)),
    needsReason:
      stored &&
      needsReasonText(stored, { semester: row.semester, before: subjects, after: toSubjects(input) }),
    apply: async (tx, author, { ifMatch, reason }) => {
      const { academic, version } = await updateSemester(tx, author, row.academic_id, input, {
        right: { role: author.role, reason },
        ifMatch,
      });
      return etag(versionPart.semester(academic.semester, version));
    },
  };
}

/** Averages follow from the results, and the reason is that of the earlier change. */
const withoutAverages = ({ sgpa: _, cgpa: __, reason: ___, ...results }: RecordState): RecordState => results;

const courseIsDeleted = () =>
  restoreConflict(
    'This course has been deleted. Restore the entry of the deletion first; it brings back its marks too.',
  );

const toTag = (row: CoursesTable) => etag(versionPart.course(row.version));

/** Code, name, description and credit hours of a course; a deleted course is restored with its marks. */
export async function planCourse(db: Db, entry: Entry, state: RecordState): Promise<RestorePlan> {
  const courseId = Number(entry.entity_id);
  const row = await findCourse(db, courseId);
  // Older entries have no credit hours: there were none.
  const input = validateState(courseInput, { credits: null, ...state, course_id: courseId });
  if (entry.action === 'delete') {
    if (row !== undefined)
      throw restoreConflict('There is a course with this ID again, so the old one can not be restored.');
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        await createCourse(tx, author, input);
        await restoreMarks(tx, author, entry, undefined);
        await restoreSheetMarks(tx, author, courseId);
        const { version } = (await findCourse(tx, courseId)) ?? { version: 1 };
        return etag(versionPart.course(version));
      },
    };
  }
  if (row === undefined) throw courseIsDeleted();
  return {
    current: withoutMarks(presentCourse(row)),
    target: withoutMarks(state),
    version: toTag(row),
    apply: async (tx, author, { ifMatch }) => {
      const { version } = await updateCourse(tx, author, courseId, input, ifMatch);
      return etag(versionPart.course(version));
    },
  };
}

/** The marks that an upload has replaced. */
export async function planMarks(
  db: Db,
  entry: Entry,
  state: RecordState,
  which: HistoryState,
): Promise<RestorePlan> {
  const row = await findCourse(db, Number(entry.entity_id));
  if (row === undefined) throw courseIsDeleted();
  const kept = await db
    .selectFrom('replaced_marks')
    .select('piece')
    .where('history_id', '=', entry.id)
    .limit(1)
    .executeTakeFirst();
  if (which === 'after' || kept === undefined) {
    throw restoreConflict(
      'Of marks only those are kept that a later upload has replaced. This entry has replaced none.',
    );
  }
  return {
    current: marksAlone(presentCourse(row)),
    target: marksAlone(state),
    version: toTag(row),
    apply: async (tx, author, { ifMatch }) => (await restoreMarks(tx, author, entry, ifMatch)) ?? toTag(row),
  };
}

const withoutMarks = ({ average: _, std_dev: __, marks_count: ___, ...details }: RecordState): RecordState =>
  details;
const marksAlone = ({ average, std_dev, marks_count }: RecordState): RecordState => ({
  marks_count,
  average,
  std_dev,
});

/** Returns the course's new ETag; undefined if the entry has replaced no marks. */
async function restoreMarks(
  tx: Tx,
  author: AuthorWithRole,
  entry: Entry,
  ifMatch: string | undefined,
): Promise<string | undefined> {
  const pieces = await findReplacedMarks(tx, entry.id);
  if (pieces.length === 0) return undefined;
  const { version } = await storeMarks(
    tx,
    author,
    Number(entry.entity_id),
    { ...(await tallyPieces(pieces)), append: false },
    ifMatch,
  );
  return etag(versionPart.course(version));
}

/** The name and the dates of a term; a deleted term is restored under its number. */
export async function planTerm(db: Db, entry: Entry, state: RecordState): Promise<RestorePlan> {
  const termId = Number(entry.entity_id);
  const row = await findTerm(db, termId);
  const input = validateState(termInput, state);
  if (entry.action === 'delete') {
    if (row !== undefined) throw restoreConflict('This term has been restored already.');
    return {
      current: {},
      target: state,
      version: undefined,
      apply: async (tx, author) => {
        const { version } = await createTerm(tx, author, input, termId);
        return etag(versionPart.term(version));
      },
    };
  }
  if (row === undefined) {
    throw restoreConflict('This term has been deleted. Restore the entry of the deletion first.');
  }
  return {
    current: { ...presentTerm(row) },
    target: state,
    version: etag(versionPart.term(row.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } = await updateTerm(tx, author, termId, input, ifMatch);
      return etag(versionPart.term(version));
    },
  };
}

export async function planInstitution(db: Db, _: Entry, state: RecordState): Promise<RestorePlan> {
  const institution = await getInstitution(db);
  // An entry of an earlier version does not know them: they stay as they are.
  const { public_url, programmes } = institution;
  const input = validateState(institutionInput, { public_url, programmes, ...state });
  return {
    current: { ...institution },
    target: state,
    version: etag(versionPart.institution(institution.version)),
    apply: async (tx, author, { ifMatch }) => {
      const { version } = await updateInstitution(tx, author, input, ifMatch);
      return etag(versionPart.institution(version));
    },
  };
}
