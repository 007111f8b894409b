import type { FamilyValues } from './family-values.ts';

export const FAMILY_LABELS: Record<keyof FamilyValues, string> = {
  father_name: "Father's name",
  father_occupation: "Father's occupation",
  mother_name: "Mother's name",
  mother_occupation: "Mother's occupation",
  number_siblings: 'Number of siblings',
  father_phone: "Father's phone",
  mother_phone: "Mother's phone",
  home_phone: 'Home phone',
  address: 'Address',
};
