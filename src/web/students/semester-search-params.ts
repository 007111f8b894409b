import { SEMESTER_COUNT } from '../../domain/student.ts';
import { searchParamsParser } from '../lib/navigation/parse-search-params.ts';

/** The search parameters of the edit of results. Without a semester it starts at the stored one. */
interface SemesterSearchParams {
  semester?: number;
}

/** The number of a semester. */
export function semesterNumber(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= SEMESTER_COUNT ? number : undefined;
}

export const parseSemesterSearchParams = searchParamsParser<SemesterSearchParams>({
  semester: semesterNumber,
});
