import type { Academic } from '../../contract/students/academics.ts';
import {
  readSlots,
  SLOTS,
  type Slot,
  type SlotSubject,
  slotFieldNames,
  writeSlots,
} from '../../contract/students/subject-slots.ts';
import { toGradePoints } from '../../domain/grading/gpa.ts';
import type { PolicyRules } from '../../domain/grading/policy.ts';
import { gpaStanding, type RecordedSubject } from '../../domain/grading/repeat-policy.ts';
import { type CourseGroups, NO_EQUIVALENTS } from '../../domain/schemes/equivalents.ts';

/** One filled slot of a semester, as a row of `semester_subjects`. */
export interface Subject {
  slot: Slot;
  title: string;
  course_id: number | null;
  credits: number | null;
  half_points: number | null;
}

/** A semester without its subjects; averages in hundredths. */
export interface SemesterRow {
  academic_id: number;
  student_id: string;
  semester: number;
  sgpa: number;
  cgpa: number;
  /** 1 where the student entered after it. */
  is_elsewhere: number;
}

export const isSameSubject = (one: Subject, other: Subject | undefined): boolean =>
  one.slot === other?.slot &&
  one.title === other.title &&
  one.course_id === other.course_id &&
  one.credits === other.credits &&
  one.half_points === other.half_points;

/** Compares subjects in the order of their slots. */
export const isSameSubjects = (some: readonly Subject[], others: readonly Subject[]): boolean =>
  some.length === others.length && some.every((subject, i) => isSameSubject(subject, others[i]));

/** The filled slots of a semester, as they are stored. */
export const toSubjects = (semester: Parameters<typeof readSlots>[0]): Subject[] =>
  readSlots(semester).map(({ slot, title, id, credit, grade }) => ({
    slot,
    title,
    course_id: id,
    credits: credit,
    half_points: grade === null ? null : grade * 2,
  }));

const toSlotSubject = ({ slot, title, course_id, credits, half_points }: Subject): SlotSubject => ({
  slot,
  title,
  id: course_id,
  credit: credits,
  grade: toGradePoints(half_points),
});

/** Tells courses apart; those of subjects without a course by their titles. */
export const getCourseKey = ({ course_id, title }: Pick<Subject, 'course_id' | 'title'>): string =>
  course_id === null ? `title ${title.trim().toLowerCase()}` : `course ${course_id}`;

/** Whether a subject counts towards the averages. */
export const isGraded = ({ credits, half_points }: Pick<Subject, 'credits' | 'half_points'>): boolean =>
  credits !== null && half_points !== null;

export const isFail = ({ half_points }: Pick<Subject, 'half_points'>): boolean => half_points === 0;

/** How many of the subjects of a semester are graded, and how many are failed. */
export const countGrades = (subjects: readonly Pick<Subject, 'credits' | 'half_points'>[]) => ({
  graded: subjects.filter(isGraded).length,
  fails: subjects.filter(isFail).length,
});

/** A subject as the rules on grades take it. */
export const toRecordedSubject = (
  { slot, course_id, credits, half_points }: Omit<Subject, 'title'>,
  semester: number,
  groups: CourseGroups = NO_EQUIVALENTS,
): RecordedSubject => ({
  semester,
  slot,
  course_id,
  credits,
  points: toGradePoints(half_points),
  counts_as: course_id === null ? null : groups.of(course_id),
});

/** What averages are computed by: the repeat policy, and the courses that count as one. */
export interface FigureRules {
  rules: Pick<PolicyRules, 'repeat_policy'>;
  groups: CourseGroups;
}

/** SGPA and CGPA in hundredths of each semester, of which the subjects are given from the first on. */
export const computeAverages = (
  semesters: readonly (readonly Omit<Subject, 'title'>[])[],
  { rules, groups }: FigureRules,
): { sgpa: number; cgpa: number }[] =>
  gpaStanding(
    semesters.map((subjects, i) => subjects.map((subject) => toRecordedSubject(subject, i + 1, groups))),
    rules.repeat_policy,
  ).map(({ sgpa, cgpa }) => ({ sgpa: Math.round(sgpa * 100), cgpa: Math.round(cgpa * 100) }));

/** A semester as the API and the history show it. */
export const presentSemester = (
  { academic_id, student_id, semester, sgpa, cgpa, is_elsewhere }: SemesterRow,
  subjects: readonly Subject[],
): Academic => ({
  academic_id,
  student_id,
  semester,
  ...writeSlots(subjects.map(toSlotSubject)),
  sgpa: sgpa / 100,
  cgpa: cgpa / 100,
  ...(is_elsewhere === 1 && { elsewhere: true }),
});

function slotJson(slot: Slot, subject: Subject | undefined): string {
  const names = slotFieldNames(slot);
  const { title, id, credit, grade } = subject ? toSlotSubject(subject) : EMPTY;
  return `"${names.title}":${JSON.stringify(title)},"${names.id}":${id},"${names.credit}":${credit},"${names.grade}":${grade}`;
}

const EMPTY = { title: null, id: null, credit: null, grade: null };
const EMPTY_SLOTS = SLOTS.map((slot) => slotJson(slot, undefined));

/**
 * The JSON text of {@link presentSemester}. Reading a record writes up to 320 of these fields, and building them as an
 * object first takes four times as long.
 */
export function semesterJson(row: SemesterRow, subjects: readonly Subject[]): string {
  const slots = EMPTY_SLOTS.slice();
  for (const subject of subjects) slots[subject.slot - 1] = slotJson(subject.slot, subject);
  return `{"academic_id":${row.academic_id},"student_id":${JSON.stringify(row.student_id)},"semester":${row.semester},${slots.join()},"sgpa":${row.sgpa / 100},"cgpa":${row.cgpa / 100}${row.is_elsewhere === 1 ? ',"elsewhere":true' : ''}}`;
}
