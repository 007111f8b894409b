import type { ImportKind } from '../../../contract/imports.ts';
import { isSameName } from '../../../domain/names/person-names.ts';
import { fullName } from '../../../domain/student.ts';
import { chunks } from '../../chunks.ts';
import type { Db } from '../../db/schema.ts';
import type { ReadRow } from './kind.ts';

/** Fields with the name of a student whose record the row does not change: they only tell whether the ID is right. */
export const NAME_FIELDS: readonly string[] = ['student_name', 'first_name', 'last_name'];

/** The field with the ID of the student whom a row is about; null where it is about none. */
export const ID_FIELDS: Readonly<Record<ImportKind, 'id' | 'student_id' | null>> = {
  students: 'id',
  results: 'student_id',
  courses: null,
  marks: 'student_id',
  scheme: null,
};

export interface StudentName {
  id: string;
  first_name: string;
  last_name: string;
}

/** Students per statement. */
const STUDENTS = 500;

/** The names of those students that exist, by ID. */
export async function findStudentNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StudentName>> {
  const names = new Map<string, StudentName>();
  for (const some of chunks([...new Set(ids)], STUDENTS)) {
    const rows = await db
      .selectFrom('students')
      .select(['id', 'first_name', 'last_name'])
      .where('id', 'in', some)
      .execute();
    for (const row of rows) names.set(row.id, row);
  }
  return names;
}

/** Whom a row names, where that is another person than the student of its ID. */
export function otherPersonText(
  { values }: Pick<ReadRow, 'values'>,
  student: StudentName,
): string | undefined {
  const { student_name, first_name, last_name } = values;
  const named = [student_name ?? [first_name, last_name]]
    .flat()
    .filter((part) => typeof part === 'string')
    .join(' ');
  const name = fullName(student);
  return isSameName(named, name) ? undefined : `${student.id} is the ID of ${name}. The row names ${named}.`;
}
