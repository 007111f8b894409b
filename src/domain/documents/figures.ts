import type { DegreeSubject, Ungraded } from '../grading/degree.ts';
import { average, gpaSums, gradeLetter, roundHalfUp } from '../grading/gpa.ts';
import type { RepeatPolicy } from '../grading/policy.ts';
import {
  attemptedCourse,
  attemptedCredits,
  countSubjects,
  earnedCredits,
  type RecordedSubject,
  sumCounted,
} from '../grading/repeat-policy.ts';
import type { DocumentKind } from './kinds.ts';

/** The student as a document names the person. */
export interface DocumentStudent {
  id: string;
  first_name: string;
  last_name: string;
  /** Null while the family has not been entered. */
  father_name: string | null;
  dob: string;
  joining_date: string;
  degree: string;
  department: string;
}

/** Signs in place of a grade, by how a mark sheet closed the course without one. */
export const UNGRADED_SIGNS = { incomplete: 'I', withdrawn: 'W', excused: 'E' } as const satisfies Record<
  Ungraded,
  string
>;

export interface DocumentSubject {
  slot: number;
  course_id: number | null;
  title: string;
  credits: number | null;
  /** Null while there is no grade. */
  letter: string | null;
  points: number | null;
  /** Null with a grade, or where no mark sheet says why there is none. */
  ungraded: Ungraded | null;
  /** Whether it counts towards the CGPA after the last semester of the document. */
  counted: boolean;
  /** The semester of the attempt before this one; null for a first attempt. */
  repeats: number | null;
  /** The semester of the next attempt that the document has; null without one. */
  repeated_in: number | null;
}

export interface DocumentSemester {
  semester: number;
  /** The SGPA as printed: 0 to 4, two decimals. */
  sgpa: number;
  cgpa: number;
  /** Written by a mark sheet and not notified yet. Only on unofficial documents. */
  is_provisional: boolean;
  /** Before the entry of the student. */
  elsewhere?: true | undefined;
  credits_attempted: number;
  credits_earned: number;
  /** Empty on a result card for the semesters before its own. */
  subjects: DocumentSubject[];
}

/** A course that was passed elsewhere. */
export interface DocumentOutsideCredit {
  title: string;
  credits: number;
  institution: string;
  /** As the other institution gave it. */
  grade: string | null;
}

/** Everything on a document that follows from the record. */
export interface DocumentFigures {
  student: DocumentStudent;
  semesters: DocumentSemester[];
  /** Over all semesters of the document. */
  credits_attempted: number;
  credits_earned: number;
  credits_counted: number;
  /** Grade points times credit hours, rounded half up to two decimals where attempts are averaged. */
  quality_points: number;
  /** Null while nothing is graded. */
  cgpa: number | null;
  repeat_policy: RepeatPolicy;
  /** Credits from elsewhere, on a transcript; absent without any. */
  outside?: DocumentOutsideCredit[] | undefined;
}

/** Credit hours from elsewhere. */
export const outsideCredits = ({ outside = [] }: Pick<DocumentFigures, 'outside'>): number =>
  outside.reduce((sum, { credits }) => sum + credits, 0);

/** A record as a document is made of it. */
export interface DocumentRecord {
  student: DocumentStudent;
  /** The semesters in order, with the averages as stored. */
  semesters: readonly Pick<DocumentSemester, 'semester' | 'sgpa' | 'cgpa' | 'is_provisional' | 'elsewhere'>[];
  subjects: readonly (DegreeSubject & { title: string })[];
  repeat_policy: RepeatPolicy;
  outside: readonly DocumentOutsideCredit[];
}

/**
 * The figures of a document on the semesters up to one. Later semesters change nothing: a repeat after the last semester of a document
 * leaves the document as it is.
 */
export function computeFigures(
  record: DocumentRecord,
  kind: DocumentKind,
  lastSemester: number,
): DocumentFigures {
  const taken = record.subjects.filter(({ semester }) => semester <= lastSemester);
  const lines = countSubjects(taken, record.repeat_policy);
  const sums = sumCounted(lines);
  const attempts = groupAttempts(lines.map(({ subject }) => subject));
  return {
    student: record.student,
    semesters: record.semesters
      .filter(({ semester }) => semester <= lastSemester)
      .map(({ semester, sgpa, cgpa, is_provisional, elsewhere }) => {
        const own = lines.filter(({ subject }) => subject.semester === semester);
        const subjects = own.map(({ subject }) => subject);
        const passed = subjects.filter(({ points }) => (points ?? 0) > 0);
        const isShown = kind === 'transcript' || semester === lastSemester;
        return {
          semester,
          sgpa,
          cgpa,
          is_provisional,
          ...(elsewhere && { elsewhere }),
          credits_attempted: gpaSums(subjects).credits,
          credits_earned: gpaSums(passed).credits,
          subjects: !isShown
            ? []
            : own.map(({ subject, counted }) => ({
                slot: subject.slot,
                course_id: subject.course_id,
                title: subject.title,
                credits: subject.credits,
                letter: subject.points === null ? null : (gradeLetter(subject.points) ?? null),
                points: subject.points,
                ungraded: subject.ungraded,
                counted: counted !== null,
                ...findAttempts(subject, attempts),
              })),
        };
      }),
    credits_attempted: attemptedCredits(taken),
    credits_earned: earnedCredits(taken, record.repeat_policy),
    credits_counted: sums.credits,
    quality_points: roundHalfUp(sums.halfPoints, 2 * sums.parts, 2) / 100,
    cgpa: sums.credits === 0 ? null : average(sums),
    repeat_policy: record.repeat_policy,
    ...(kind === 'transcript' && record.outside.length > 0 && { outside: [...record.outside] }),
  };
}

/** The graded attempts of each course, in order. */
function groupAttempts(subjects: readonly RecordedSubject[]): ReadonlyMap<number, RecordedSubject[]> {
  const attempts = new Map<number, RecordedSubject[]>();
  for (const subject of subjects) {
    const course = attemptedCourse(subject);
    if (course === null || subject.points === null) continue;
    const known = attempts.get(course);
    if (known === undefined) attempts.set(course, [subject]);
    else known.push(subject);
  }
  return attempts;
}

/** The semesters of the attempts of the same course around this one. */
function findAttempts(
  subject: RecordedSubject,
  attempts: ReadonlyMap<number, readonly RecordedSubject[]>,
): Pick<DocumentSubject, 'repeats' | 'repeated_in'> {
  const course = attemptedCourse(subject);
  const own = course === null ? [] : (attempts.get(course) ?? []);
  const place = own.indexOf(subject);
  if (place < 0) return { repeats: null, repeated_in: null };
  return { repeats: own[place - 1]?.semester ?? null, repeated_in: own[place + 1]?.semester ?? null };
}

/**
 * The figures as one text, whose hash says whether the record still has them. The form never changes: otherwise an update of the
 * program would supersede every document.
 */
export function figuresText({ student, semesters, outside, ...totals }: DocumentFigures): string {
  return JSON.stringify([
    1,
    [student.id, student.first_name, student.last_name, student.father_name, student.dob],
    [student.joining_date, student.degree, student.department],
    semesters.map(({ semester, sgpa, cgpa, subjects }) => [
      semester,
      sgpa,
      cgpa,
      subjects.map(({ slot, course_id, title, credits, points, counted, ungraded }) => [
        ...[slot, course_id, title, credits, points, counted],
        ...(ungraded === null ? [] : [ungraded]),
      ]),
    ]),
    [totals.credits_attempted, totals.credits_earned, totals.credits_counted],
    [totals.quality_points, totals.cgpa],
    ...(outside === undefined
      ? []
      : [outside.map(({ title, credits, institution, grade }) => [title, credits, institution, grade])]),
  ]);
}

/** A day in words: 6 July 2026. */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
