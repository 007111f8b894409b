import type { StudentValues } from './student-values.ts';

/** Names of the fields where they stand without their section's heading, in the order of the form. */
export const STUDENT_LABELS: Record<keyof StudentValues, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  dob: 'Date of birth',
  gender: 'Gender',
  phone_number: 'Phone number',
  img: 'Student portrait',
  img_file: 'Portrait picture',
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
};
