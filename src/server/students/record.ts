import { latestCgpa } from '../../domain/gpa.ts';
import { type Subject, semesterJson } from '../academics/semester-json.ts';
import type { Db } from '../db/schema.ts';
import { etag, versionPart } from '../http/versions.ts';
import { findRecord, isStudentId, type RecordParts } from './queries.ts';

/** The arrays that the engine builds, see `RecordParts`. */
type SemesterTuple = [academic_id: number, semester: number, sgpa: number, cgpa: number, version: number];
type SubjectTuple = [
  semester: number,
  slot: Subject['slot'],
  title: string,
  course_id: number | null,
  credits: number | null,
  half_points: number | null,
];

export interface RecordText {
  /** The reply as JSON; `null` while the family step has not been done. */
  json: string;
  etag: string;
}

/**
 * A whole record, ready to send. The base record and the family are passed on as the engine wrote them; only the
 * numbered slots of the semesters are laid out here.
 */
export async function readRecord(db: Db, id: string): Promise<RecordText | undefined> {
  const parts = isStudentId(id) ? await findRecord(db, id) : undefined;
  return parts === undefined ? undefined : layOutRecord(id, parts);
}

/** Puts a record together from what one statement has read. */
export function layOutRecord(id: string, parts: RecordParts): RecordText {
  if (parts.family === null || parts.family_version === null) {
    return { json: 'null', etag: etag(versionPart.student(parts.version)) };
  }
  const semesters: SemesterTuple[] = JSON.parse(parts.semesters);
  const academics = semestersJson(id, semesters, JSON.parse(parts.subjects));
  const latest_cgpa = latestCgpa(
    semesters.map(([, , , cgpa]) => cgpa / 100),
    parts.current_sem,
  );
  return {
    json: `{"student":${parts.student},"family":${parts.family},"academics":[${academics}],"academics_summary":{"latest_cgpa":${latest_cgpa}}}`,
    etag: etag(
      versionPart.student(parts.version),
      versionPart.family(parts.family_version),
      ...semesters.map(([, semester, , , version]) => versionPart.semester(semester, version)),
    ),
  };
}

function semestersJson(
  student_id: string,
  semesters: readonly SemesterTuple[],
  subjects: readonly SubjectTuple[],
): string[] {
  return semesters.map(([academic_id, semester, sgpa, cgpa]) => {
    const own: Subject[] = [];
    for (const [ofSemester, slot, title, course_id, credits, half_points] of subjects) {
      if (ofSemester === semester) own.push({ slot, title, course_id, credits, half_points });
    }
    return semesterJson({ academic_id, student_id, semester, sgpa, cgpa }, own);
  });
}
