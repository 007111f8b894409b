/* Labels of the fields of a record, in the order of the forms. Apart from the rest, which the browser loads first. */

export const STUDENT_FIELD_LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  dob: 'Date of birth',
  gender: 'Gender',
  phone_number: 'Phone number',
  img: 'Student portrait',
  id: 'Registration number',
  joining_date: 'Joining date',
  department: 'Department',
  syn: 'Syndicate',
  degree: 'Degree',
  current_sem: 'Semester',
  fsc_marks: 'FSC marks',
  fsc_year: 'FSC passing year',
  fsc_div: 'FSC division',
  matric_marks: 'Matric marks',
  matric_year: 'Matric passing year',
  matric_div: 'Matric division',
  reason: 'Reasons/Comments',
} as const;

/** Labels of what a change of the status sets. */
export const STATUS_FIELD_LABELS = {
  status: 'Status',
  status_date: 'Status since',
  status_reason: 'Reason for the status',
} as const;

export const FAMILY_FIELD_LABELS = {
  father_name: "Father's name",
  father_occupation: "Father's occupation",
  mother_name: "Mother's name",
  mother_occupation: "Mother's occupation",
  number_siblings: 'Number of siblings',
  father_phone: "Father's phone",
  mother_phone: "Mother's phone",
  home_phone: 'Home phone',
  address: 'Address',
} as const;
