/** The columns of the student list in an export, in their order. */
export const EXPORT_COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'dob',
  'gender',
  'department',
  'degree',
  'syn',
  'current_sem',
  'cgpa',
  'fsc_marks',
  'matric_marks',
  'phone_number',
  'father_name',
  'father_phone',
  'is_complete',
] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

export const EXPORT_COLUMN_TITLES: Readonly<Record<ExportColumn, string>> = {
  id: 'ID',
  first_name: 'First Name',
  last_name: 'Last Name',
  dob: 'Date of Birth',
  gender: 'Gender',
  department: 'Department',
  degree: 'Degree',
  syn: 'Syndicate',
  current_sem: 'Current Semester',
  cgpa: 'CGPA',
  fsc_marks: 'FSC Marks',
  matric_marks: 'Matric Marks',
  phone_number: 'Phone',
  father_name: "Father's Name",
  father_phone: "Father's Phone",
  is_complete: 'Entry complete',
};
