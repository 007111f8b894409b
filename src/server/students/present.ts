import type { Family } from '../../contract/family.ts';
import type { Student, StudentInput } from '../../contract/students.ts';
import { toFraction, toHundredths } from '../../domain/school-marks.ts';
import type { FamiliesTable } from '../db/schema.ts';
import type { StudentRow } from './listing.ts';

/** A row as it is answered: school marks as a fraction of 1100. */
export function presentStudent({
  version: _version,
  id_key: _idKey,
  name_key: _nameKey,
  degree_key: _degreeKey,
  search_text: _searchText,
  cgpa: _cgpa,
  fall: _fall,
  is_complete: _isComplete,
  ...row
}: StudentRow): Student {
  return { ...row, fsc_marks: toFraction(row.fsc_marks), matric_marks: toFraction(row.matric_marks) };
}

export function presentFamily({ version: _, ...row }: FamiliesTable): Family {
  return row;
}

/** The checked input as the row keeps it: school marks as whole hundredths. */
export function studentColumns<Input extends Omit<StudentInput, 'id'>>(input: Input) {
  const hundredths = (marks: number) => toHundredths(marks) ?? Number.NaN;
  return { ...input, fsc_marks: hundredths(input.fsc_marks), matric_marks: hundredths(input.matric_marks) };
}
