import type { Family } from '../../../../contract/students/students.ts';

/** The family details as form values: every field as the text of its input. */
export const EMPTY_FAMILY = {
  father_name: '',
  father_occupation: '',
  mother_name: '',
  mother_occupation: '',
  number_siblings: '',
  father_phone: '',
  mother_phone: '',
  home_phone: '',
  address: '',
};

export type FamilyValues = typeof EMPTY_FAMILY;

export function toFamilyValues(family: Family): FamilyValues {
  return {
    father_name: family.father_name,
    father_occupation: family.father_occupation,
    mother_name: family.mother_name ?? '',
    mother_occupation: family.mother_occupation ?? '',
    number_siblings: String(family.number_siblings ?? ''),
    father_phone: family.father_phone ?? '',
    mother_phone: family.mother_phone ?? '',
    home_phone: family.home_phone ?? '',
    address: family.address ?? '',
  };
}

/** Names the form that edits a family in the storage of drafts. */
export const familyEditDraftKey = (studentId: string) => `family-edit:${studentId}`;
