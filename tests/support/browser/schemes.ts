import { randomInt } from 'node:crypto';
import type { CourseInput } from '../../../src/contract/courses.ts';
import type { Scheme, SchemePreview, SchemeRowInput } from '../../../src/contract/schemes/schemes.ts';
import type { Department } from '../../../src/domain/student.ts';
import type { Api } from '../api.ts';
import { unique } from '../records.ts';

/** Courses with codes that no other test uses, in this order. */
export async function addCourses(
  api: Api,
  names: readonly string[],
  credits = 3,
): Promise<(CourseInput & { credits: number })[]> {
  const mark = unique();
  return Promise.all(
    names.map(async (course_name, i) => {
      const course = {
        course_id: randomInt(10_000, 2 ** 40),
        course_code: `S${i + 1}-${mark}`,
        course_name: `${course_name} ${mark}`,
        course_description: null,
        credits,
      };
      await api.post('/api/courses', course);
      return course;
    }),
  );
}

interface DraftFor {
  name?: string;
  department: Department;
  degrees: string[] | null;
}

/** A draft with rows, as administrator. */
export async function addDraft(
  admin: Api,
  { name = `BE ${unique()}`, ...ofClass }: DraftFor,
  rows: readonly Partial<SchemeRowInput>[] = [],
): Promise<Scheme> {
  const head = { name, ...ofClass };
  const { scheme } = await admin.post<{ scheme: Scheme }>('/api/schemes', head);
  if (rows.length === 0) return scheme;
  const body = { ...head, rows: rows.map((row) => ({ semester: 1, theory: 3, lab: 0, ...row })) };
  return (await admin.put<{ scheme: Scheme }>(`/api/schemes/${scheme.scheme_id}`, body)).scheme;
}

/** A scheme in force. */
export async function addScheme(
  admin: Api,
  ofClass: DraftFor,
  rows: readonly Partial<SchemeRowInput>[],
): Promise<Scheme> {
  const { scheme_id } = await addDraft(admin, ofClass, rows);
  const path = `/api/schemes/${scheme_id}`;
  const { fingerprint } = await admin.get<SchemePreview>(`${path}/preview`);
  return (await admin.post<{ scheme: Scheme }>(`${path}/publish`, { fingerprint })).scheme;
}
