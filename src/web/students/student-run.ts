import { foldText } from '../../domain/search-text.ts';

/**
 * A class is done one student after the other: the students of the list as it was last shown, and the subjects of the results
 * that were last saved. In session storage until the session ends.
 */
const LIST_KEY = 'STUDENTS-SHOWN';
const SUBJECTS_KEY = 'LAST-SUBJECTS';

export interface ListedStudent {
  id: string;
  name: string;
}

/** The students of the list in its order; null where rows between two of them are not loaded. */
export function storeShownStudents(students: readonly (ListedStudent | null)[]): void {
  sessionStorage.setItem(LIST_KEY, JSON.stringify(students.map((one) => one && [one.id, one.name])));
}

/** The students before and after this one in the list from which it was opened. */
export function findNeighbours(studentId: string): { previous?: ListedStudent; next?: ListedStudent } {
  const shown = readShown();
  const at = shown.findIndex((one) => one?.id === studentId);
  if (at === -1) return {};
  const [previous, next] = [shown[at - 1], shown[at + 1]];
  return { ...(previous && { previous }), ...(next && { next }) };
}

function readShown(): (ListedStudent | null)[] {
  const stored = readJson(LIST_KEY);
  if (!Array.isArray(stored)) return [];
  return stored.map((one: unknown) => {
    const [id, name]: unknown[] = Array.isArray(one) ? one : [];
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : null;
  });
}

/** What the results of a semester are of. */
interface ClassOfResults {
  department: string;
  degree: string;
  semester: number;
}

export interface LastSubject {
  title: string;
  id: string;
  credit: string;
}

interface LastSubjects extends ClassOfResults {
  student: ListedStudent;
  subjects: LastSubject[];
}

/** Remembers the subjects of the results that were saved, without their grades. */
export function storeLastSubjects(last: LastSubjects): void {
  const subjects = last.subjects
    .filter(({ title }) => title.trim() !== '')
    .map(({ title, id, credit }) => ({ title, id, credit }));
  if (subjects.length > 0) sessionStorage.setItem(SUBJECTS_KEY, JSON.stringify({ ...last, subjects }));
}

/** The subjects that were last saved for another student of the class, in the same semester. */
export function findLastSubjects(
  studentId: string,
  { department, degree, semester }: ClassOfResults,
): Pick<LastSubjects, 'student' | 'subjects'> | undefined {
  const last: Partial<LastSubjects> = Object(readJson(SUBJECTS_KEY));
  const { student, subjects } = last;
  const isOfClass =
    last.department === department &&
    foldText(last.degree ?? '') === foldText(degree) &&
    last.semester === semester;
  if (!isOfClass || student === undefined || student.id === studentId || !Array.isArray(subjects)) return;
  return { student, subjects };
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
