import { SEMESTER_COUNT } from '../../domain/student.ts';

/** The search parameters of the edit of results. Without a semester it starts at the stored one. */
interface SemesterSearchParams {
  semester?: number;
}

export function parseSemesterSearchParams({ semester }: Record<string, unknown>): SemesterSearchParams {
  const asked = Number(semester);
  return Number.isInteger(asked) && asked >= 1 && asked <= SEMESTER_COUNT ? { semester: asked } : {};
}
