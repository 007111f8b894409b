import { type GradeLetter, gradeLetter, gradePoints } from '../grading/gpa.ts';
import { SUBJECT_COUNT } from '../student.ts';
import { endsWithoutGrade, type RowStatus } from './class-statistics.ts';

/** A subject in its slot, as it is recorded. */
export interface RecordedSlot {
  /** 1 to 10. */
  slot: number;
  course_id: number | null;
  title: string;
  credits: number | null;
  /** Grade points; null without a grade. */
  points: number | null;
}

/** The course of a sheet, as its results are recorded. */
export interface SheetCourse {
  course_id: number;
  title: string;
  credits: number;
}

/** A result as a sheet wrote it. */
export type WrittenSlot = Pick<RecordedSlot, 'slot' | 'points'>;

/** A row of a sheet that is confirmed. */
export interface ConfirmedRow {
  status: RowStatus;
  /** Null for a status without a grade. */
  letter: GradeLetter | null;
  /** 1 to 8: in which the student takes the course. */
  semester: number;
  /** The semesters before the entry of the student, which take no results. */
  elsewhere?: number;
  /** The slot that the rectified sheet wrote; only that may be overwritten. */
  replaces?: WrittenSlot | undefined;
}

/** A slot as it will be recorded. */
export interface SlotWrite extends RecordedSlot {
  semester: number;
  /** The semester is not recorded yet. */
  creates_semester: boolean;
}

/** Exactly one of the two is given. */
export interface RowConfirmation {
  write: SlotWrite | null;
  /** Why the row can't be confirmed, as a sentence. */
  blocked: string | null;
}

const block = (blocked: string): RowConfirmation => ({ write: null, blocked });

/**
 * Where the grade of a confirmed row goes, in the semester of the row:
 *
 * 1. the slot with this course: a slot without a grade is filled, the same grade is left, another one blocks; title and
 *    credit hours stay, empty credit hours are filled
 * 2. else the first free slot
 * 3. a semester that is the next one to record is created
 *
 * A row that is incomplete, withdrawn or excused is written without a grade, which carries no weight.
 *
 * @param recorded the subjects of each recorded semester, index 0 = semester 1; null for a deleted student
 */
export function confirmRow(
  row: ConfirmedRow,
  course: SheetCourse,
  recorded: readonly (readonly RecordedSlot[])[] | null,
): RowConfirmation {
  const { semester } = row;
  if (recorded === null) return block('The student is deleted.');
  if (semester > recorded.length + 1) return block(`Semester ${recorded.length + 1} is not recorded yet.`);

  if (semester <= (row.elsewhere ?? 0))
    return block(`Semester ${semester} is before the entry of this student.`);

  const slots = recorded[semester - 1] ?? [];
  const points = endsWithoutGrade(row.status) || row.letter === null ? null : gradePoints(row.letter);
  const place = { semester, creates_semester: semester > recorded.length };
  const taken = slots.filter(({ course_id }) => course_id === course.course_id);
  const [first] = taken;
  if (first !== undefined) {
    const { replaces } = row;
    const slot =
      taken.find((one) => one.slot === replaces?.slot && one.points === replaces.points) ??
      taken.find((one) => one.points === null) ??
      taken.find((one) => one.points === points);
    if (slot === undefined) return block(otherGradeText(semester, first));
    return { write: { ...slot, ...place, credits: slot.credits ?? course.credits, points }, blocked: null };
  }
  const free = firstFreeSlot(slots);
  if (free === undefined) return block(`All ${SUBJECT_COUNT} slots of semester ${semester} are in use.`);
  // Not a spread: a caller may pass a whole row of the database.
  const { course_id, title, credits } = course;
  return { write: { ...place, slot: free, course_id, title, credits, points }, blocked: null };
}

function otherGradeText(semester: number, { slot, points }: RecordedSlot): string {
  const letter = points === null ? undefined : gradeLetter(points);
  return `Slot ${slot} of semester ${semester} has another grade for this course: ${letter ?? points}.`;
}

function firstFreeSlot(slots: readonly RecordedSlot[]): number | undefined {
  const used = new Set(slots.map(({ slot }) => slot));
  return Array.from({ length: SUBJECT_COUNT }, (_, i) => i + 1).find((slot) => !used.has(slot));
}
