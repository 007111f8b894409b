import type { RowStatus } from '../../../domain/marksheets/class-statistics.ts';
import type { Tx } from '../../db/schema.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { notifyClass } from '../../marksheets/confirmation/notifications.ts';
import { applyBulk } from '../../students/bulk/apply.ts';
import { parseChange } from '../../students/bulk/change.ts';
import { previewChange, selectPreviewStudents } from '../../students/bulk/preview.ts';
import { findStudent } from '../../students/queries.ts';
import { enterLate } from '../../students/semesters/entry-semester.ts';
import { createFamily } from '../../students/write-family.ts';
import { createStudent } from '../../students/write-student.ts';
import { createTerm, listTerms } from '../../terms/terms.ts';
import { buildFamily, buildStudent } from '../builders.ts';
import { seededRandom } from '../random.ts';
import { LATEST_INTAKE } from '../registration.ts';
import { findClasses, findWeak, getCourses, type SampleClass } from './classes.ts';
import { addRectification, addSheet, type Examiner, type Progress } from './fill-sheet.ts';
import { TERMS } from './plan.ts';

/** How the rectification of a sheet of each term ends: the oldest one is confirmed. */
const RECTIFICATIONS = ['confirmed', 'submitted', 'draft', 'draft'] as const;
/** Sheets for those who take a course again, which nobody has brought to their end. */
const REPEAT_SHEETS: readonly Progress[] = ['confirmed', 'submitted', 'draft'];
/** The sheets of the class that is being graded in the running term; those after them are drafts without marks. */
const RUNNING: readonly Progress[] = ['confirmed', 'submitted', 'draft', 'draft'];
/** How the courses of a semester end for some, in turn. */
const ENDINGS: readonly (readonly RowStatus[])[] = [
  ['withdrawn'],
  ['incomplete', 'excused'],
  [],
  ['withdrawn', 'withdrawn'],
  ['excused'],
];
/** How a course that is still being graded ends for some: attendance is known before the marks. */
const ENDINGS_SO_FAR: readonly RowStatus[] = ['barred'];
const MAX_REPEATERS = 2;
/** Sheets of a class that has not been examined yet. */
const EMPTY_SHEETS = 2;

/** A term, and the semester in which a class is in it. */
interface SampleTerm {
  term_id: number;
  /** Its place, the oldest first. */
  place: number;
  isRunning: boolean;
  semesterOf: (of: SampleClass) => number;
}

/**
 * Adds the examinations of two years to a faculty that has been entered: a class whose results all come from mark sheets and that
 * is being graded in the running term; one that is notified in each term; a third one with sheets for repeaters, which are left open in each
 * term; and empty sheets of the others.
 *
 * @returns the number of all sheets in the database
 */
export async function seedExaminations(tx: Tx, author: AuthorWithRole, seed: number): Promise<number> {
  const examiner: Examiner = {
    tx,
    teacher: { id: null, name: author.name, role: 'admin' },
    registrar: author,
    random: seededRandom(seed),
  };
  const [graded, notified, repeating, ...others] = await findClasses(tx);
  for (const term of await findTerms(tx, author)) {
    const { isRunning } = term;
    if (graded !== undefined) await examineClass(examiner, graded, term, { isOpen: isRunning });
    if (notified !== undefined) {
      const repeaters = await findRepeaters(tx, [graded, repeating], notified, term);
      await examineClass(examiner, notified, term, { isOpen: false, repeaters, isEntered: isRunning });
    }
    if (repeating !== undefined) await addRepeatSheets(examiner, repeating, term);
    if (isRunning) for (const of of others) await addEmptySheets(examiner, of, term);
  }
  const { count } = await tx
    .selectFrom('sheets')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Adds the sheets of a class in a term. Unless it is still open, all are confirmed and it is notified; one may be rectified then.
 *
 * @param isEntered whether a student enters the class in this term
 */
async function examineClass(
  examiner: Examiner,
  of: SampleClass,
  { term_id, place, semesterOf }: SampleTerm,
  {
    isOpen,
    repeaters = [],
    isEntered = false,
  }: { isOpen: boolean; repeaters?: readonly Repeater[]; isEntered?: boolean },
): Promise<void> {
  const { tx, registrar } = examiner;
  const semester = semesterOf(of);
  if (semester <= of.recorded) return;
  if (semester > of.recorded + 1) await moveClass(tx, registrar, of);
  const ids = isEntered ? [...of.ids, ...(await addLateEntrant(examiner, of))] : of.ids;
  const sheets: number[] = [];
  for (const [at, course] of getCourses(of.department, semester).entries()) {
    const progress = isOpen ? (RUNNING[at] ?? 'empty') : 'confirmed';
    const own = repeaters.filter(({ courseId }) => courseId === course.id).slice(0, MAX_REPEATERS);
    const endings = progress === 'draft' ? ENDINGS_SO_FAR : (ENDINGS[at % ENDINGS.length] ?? []);
    const sheet = { term_id, of, ids, semester, course, progress, repeaters: own, endings };
    sheets.push(await addSheet(examiner, sheet));
  }
  if (isOpen) return;
  await notifyClass(tx, registrar, { term_id, department: of.department, degree: of.degree, semester });
  const rectified = sheets[1];
  const progress = RECTIFICATIONS[place];
  if (rectified !== undefined && progress !== undefined)
    await addRectification(examiner, rectified, progress);
}

async function addRepeatSheets(
  examiner: Examiner,
  of: SampleClass,
  { term_id, semesterOf }: SampleTerm,
): Promise<void> {
  const semester = semesterOf(of);
  if (semester <= 1) return;
  const weak = await findWeak(examiner.tx, of.ids, semester);
  for (const [at, progress] of REPEAT_SHEETS.entries()) {
    const found = weak[at];
    if (found === undefined) return;
    const { course, ids } = found;
    const repeaters = ids.map((id) => ({ id, semester }));
    const sheet = { term_id, of, ids: [], repeaters, semester, course, progress };
    await addSheet(examiner, { ...sheet, title: `${course.name} (repeat)` });
  }
}

async function addEmptySheets(examiner: Examiner, of: SampleClass, { term_id }: SampleTerm): Promise<void> {
  for (const course of getCourses(of.department, of.semester).slice(0, EMPTY_SHEETS)) {
    const sheet = { term_id, of, ids: of.ids, semester: of.semester, course, progress: 'empty' as const };
    await addSheet(examiner, sheet);
  }
}

/** Adds a student who enters in the semester in which the class is. @returns the ID; none where it is the first semester */
async function addLateEntrant({ tx, registrar, random }: Examiner, of: SampleClass): Promise<string[]> {
  const { department, degree, semester } = of;
  if (semester === 1) return [];
  const id = `${LATEST_INTAKE}${department}${degree}`;
  if ((await findStudent(tx, id)) !== undefined) return [];
  const student = buildStudent(random, id, { department, degree, current_sem: semester }, LATEST_INTAKE);
  await createStudent(tx, registrar, student);
  await createFamily(tx, registrar, buildFamily(random, student));
  await enterLate(tx, registrar, id, semester);
  return [id];
}

/** Moves a class to its next semester, as the office does between two terms. */
async function moveClass(tx: Tx, author: AuthorWithRole, { ids }: SampleClass): Promise<void> {
  const input = { action: 'next-semester', ids } as const;
  const { preview } = await previewChange(tx, input, parseChange(input), (some) =>
    selectPreviewStudents(tx, some).execute(),
  );
  await applyBulk(tx, author, { ...input, fingerprint: preview.fingerprint });
}

/** The terms, the oldest first. Existing ones of these names are used. */
async function findTerms(tx: Tx, author: AuthorWithRole): Promise<SampleTerm[]> {
  const known = await listTerms(tx);
  const terms: SampleTerm[] = [];
  for (const [place, term] of TERMS.entries()) {
    const found = known.find(({ name }) => name === term.name) ?? (await createTerm(tx, author, term));
    const termsAgo = TERMS.length - 1 - place;
    terms.push({
      term_id: found.term_id,
      place,
      isRunning: termsAgo === 0,
      semesterOf: (of) => of.semester - termsAgo,
    });
  }
  return terms;
}

interface Repeater {
  id: string;
  /** The semester in which the student takes the course again. */
  semester: number;
  courseId: number;
}

/** Students of older classes who take a course of this class again, one of each class for a course. */
async function findRepeaters(
  tx: Tx,
  classes: readonly (SampleClass | undefined)[],
  of: SampleClass,
  { semesterOf }: SampleTerm,
): Promise<Repeater[]> {
  const offered = new Set(getCourses(of.department, semesterOf(of)).map(({ id }) => id));
  const found: Repeater[] = [];
  for (const older of classes) {
    if (older === undefined || semesterOf(older) <= semesterOf(of)) continue;
    const semester = semesterOf(older);
    for (const { course, ids } of await findWeak(tx, older.ids, semester)) {
      const [id] = ids;
      if (id !== undefined && offered.has(course.id)) found.push({ id, semester, courseId: course.id });
    }
  }
  return found;
}
