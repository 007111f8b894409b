import { SEMESTERS } from '../student.ts';
import { countContactHours, countCredits, type Hours } from './hours.ts';

/** A row is `before`: the course is passed earlier; or `beside`: it is passed, or taken in the same term. */
export const NEED_KINDS = ['before', 'beside'] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

export interface Need {
  course_id: number;
  kind: NeedKind;
}

/** A subject of a scheme of studies, which any one of its options fills. */
export interface SchemeRow extends Hours {
  /** Once in a scheme, whatever its case; the same row keeps it in later schemes. */
  key: string;
  /** 1 to 8. */
  semester: number;
  title: string;
  /** Course ids: one of a core course, two of a choice, more of an elective. */
  options: readonly number[];
  /** All have to be met. */
  needs: readonly Need[];
}

export const SCHEME_LIMITS = {
  rows: 120,
  options: 40,
  needs: 10,
  batches: 200,
  key: 20,
  name: 100,
  title: 255,
  /** Of a student. */
  exceptions: 40,
  outsideCredits: 40,
  /** Of one course from elsewhere. */
  outsideHours: 40,
  equivalents: 1_000,
} as const;

/** A key as it is compared. */
export const foldKey = (key: string): string => key.toLowerCase();

/** Makes a key of the code of a course that no other row has. Adds it to those taken. */
export function makeRowKey(code: string, taken: Set<string>): string {
  const begin = code.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, SCHEME_LIMITS.key) || '-';
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `-${number}`;
    const key = `${begin.slice(0, SCHEME_LIMITS.key - end.length)}${end}`;
    if (taken.has(foldKey(key))) continue;
    taken.add(foldKey(key));
    return key;
  }
}

/** The rows in the order of their semesters; within one they stay as they are. */
export const inSemesterOrder = <Row extends { semester: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.semester - b.semester);

export interface SemesterSums extends Hours {
  semester: number;
  rows: number;
  credits: number;
  contact_hours: number;
}

/** The sums of those semesters that have rows. */
export function sumSemesters(
  rows: readonly Pick<SchemeRow, 'semester' | 'theory' | 'lab'>[],
): SemesterSums[] {
  return SEMESTERS.flatMap((semester) => {
    const own = rows.filter((row) => row.semester === semester);
    if (own.length === 0) return [];
    const sum = (name: keyof Hours) => own.reduce((total, row) => total + row[name], 0);
    const hours = { theory: sum('theory'), lab: sum('lab') };
    return {
      semester,
      rows: own.length,
      ...hours,
      credits: countCredits(hours),
      contact_hours: countContactHours(hours),
    };
  });
}
