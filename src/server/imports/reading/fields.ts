import type { ImportKind } from '../../../contract/imports.ts';
import { EXPORT_COLUMN_TITLES } from '../../../domain/export-columns.ts';
import { DEPARTMENTS } from '../../../domain/student.ts';
import { FAMILY_FIELD_LABELS, STUDENT_FIELD_LABELS } from '../../../domain/student-labels.ts';

/** How a cell becomes a value. What the forms check is not checked here. */
export type FieldValue =
  | 'text'
  | 'lines'
  /** A number that is a name, with all of its digits: an ID, a phone number, a batch, the code of a course. */
  | 'digits'
  | 'date'
  | 'number'
  /** A semester or division, also as `1st`, `I` or `Second`. */
  | 'ordinal'
  /** Marks out of 1100, also as `912/1100`. */
  | 'school-marks'
  /** A mark of a course, also with a decimal comma. */
  | 'mark'
  /** One of a list, also by its long name. */
  | 'code'
  /** A letter or grade points. */
  | 'grade'
  /** Marks out of 1100; the field takes no other total. */
  | 'total'
  /** First and last name in one cell. */
  | 'full-name'
  /** Department, degree and syndicate in one cell, such as `CE-44-B`. */
  | 'class';

/** A field that a column can be read as. */
export interface FieldRule {
  /** The name as in the calls of the forms; `full_name`, `class`, `fsc_total`, `matric_total` and `entry_semester` are only here. */
  field: string;
  /** The label as on the forms. */
  label: string;
  /** A new record needs it, unless another field `gives` it. */
  required: boolean;
  value: FieldValue;
  /** Headings that are recognised, as {@link normalizeHeading} makes them; the first ones win over the later ones. */
  headings: readonly string[];
  /** The fields that this one gives, so that they need no column of their own. */
  gives?: readonly string[];
  /** Only in files that have it: the template leaves it out. */
  isExtra?: true;
  /** Texts that a cell of a `code` may have, in lower case, and the codes that they mean. */
  codes?: ReadonlyMap<string, string>;
}

/** Headings are compared in lower case without punctuation and spaces. */
export const normalizeHeading = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const rule = (
  field: string,
  label: string,
  value: FieldValue,
  {
    required = false,
    headings = [],
    ...rest
  }: Partial<Pick<FieldRule, 'required' | 'headings' | 'gives' | 'isExtra' | 'codes'>> = {},
): FieldRule => ({
  field,
  label,
  required,
  value,
  headings: [...new Set([label, ...headings, field].map(normalizeHeading))],
  ...rest,
});

const required = true;

const FIRST_NAME_HEADINGS = ['Given Name', 'Forename'];
const LAST_NAME_HEADINGS = ['Surname', 'Family Name'];
const NAME_HEADINGS = ['Name', 'Student Name', 'Name of Student', 'Student'];
const ID_HEADINGS = [
  ...['CMS ID', 'CMS', 'CMS No', 'Reg No', 'Regn No', 'Reg', 'Reg Number', 'Registration No', 'Registration'],
  ...['Registration ID', 'Roll No', 'Roll', 'Roll Number', 'Student ID', 'Student No', 'ID'],
];

/** "SSC Marks", "Matric Obtained Marks" and so on: every examination with every word. */
const inEach = (examinations: readonly string[], words: readonly string[]) =>
  examinations.flatMap((examination) =>
    words.flatMap((word) => [`${examination} ${word}`, `${word} ${examination}`]),
  );
const HSSC = ['HSSC', 'FSc', 'HSSC/FSc', 'Inter', 'Intermediate'];
const SSC = ['SSC', 'Matric', 'SSC/Matric', 'Matriculation'];
const MARKS = ['Marks', 'Mark', 'Obtained', 'Marks Obtained', 'Obtained Marks', 'Marks Obt', 'Obt Marks'];
const YEAR = ['Year', 'Yr', 'Passing Year', 'Year of Passing', 'Pass Year'];
const DIVISION = ['Division', 'Div'];
const TOTAL = ['Total', 'Total Marks', 'Marks Total', 'Max Marks', 'Out of'];

const SHORT_ENGINEERING = ['Engg', 'Engg.', 'Engr', 'Engr.', 'Eng', 'Eng.'];

/** Codes by all that a cell may say for them, in lower case. "Engineering" is often cut short. */
const codesByName = (namesByCode: Readonly<Record<string, readonly string[]>>) =>
  new Map(
    Object.entries(namesByCode).flatMap(([code, names]) =>
      [code, ...names]
        .flatMap((name) => [name, ...SHORT_ENGINEERING.map((short) => name.replace('Engineering', short))])
        .map((name): [string, string] => [name.toLowerCase(), code]),
    ),
  );

const DEPARTMENT_CODES = codesByName({
  EE: [DEPARTMENTS.EE, 'Electrical'],
  CE: [
    ...[DEPARTMENTS.CE, 'Computer & Software Engineering', 'Computer and Software'],
    ...['Computer Engineering', 'Software Engineering'],
  ],
  ME: [DEPARTMENTS.ME, 'Mechanical'],
  MTS: [DEPARTMENTS.MTS, 'Mechatronics'],
});
const GENDER_CODES = codesByName({ M: ['Male'], F: ['Female'] });
const SYNDICATE_CODES = codesByName({
  A: ['Syndicate A', 'Syn A', 'Section A'],
  B: ['Syndicate B', 'Syn B', 'Section B'],
  C: ['Syndicate C', 'Syn C', 'Section C'],
});

const STUDENT = STUDENT_FIELD_LABELS;
const FAMILY = FAMILY_FIELD_LABELS;

const STUDENT_FIELDS: readonly FieldRule[] = [
  rule('id', STUDENT.id, 'digits', { required, headings: [...ID_HEADINGS, 'student_id'] }),
  rule('first_name', STUDENT.first_name, 'text', { required, headings: FIRST_NAME_HEADINGS }),
  rule('last_name', STUDENT.last_name, 'text', { required, headings: LAST_NAME_HEADINGS }),
  rule('full_name', 'Full name', 'full-name', {
    headings: NAME_HEADINGS,
    gives: ['first_name', 'last_name'],
  }),
  rule('dob', STUDENT.dob, 'date', { required, headings: ['DOB', 'D.O.B.', 'Birth Date', 'Birthday'] }),
  rule('gender', STUDENT.gender, 'code', { headings: ['Sex', 'M/F'], codes: GENDER_CODES }),
  rule('phone_number', STUDENT.phone_number, 'digits', {
    headings: ['Phone', 'Phone No', 'Mobile', 'Mobile No', 'Cell', 'Cell No', 'Contact', 'Contact No'],
  }),
  rule('joining_date', STUDENT.joining_date, 'date', {
    required,
    headings: ['DOJ', 'Date of Joining', 'Joining', 'Joined', 'Admission Date', 'Date of Admission'],
  }),
  rule('department', STUDENT.department, 'code', {
    required,
    headings: ['Dept', 'Branch', 'Discipline'],
    codes: DEPARTMENT_CODES,
  }),
  rule('degree', STUDENT.degree, 'digits', {
    required,
    headings: ['Degree No', 'Batch', 'Batch No', 'DE', 'DE No', 'Course No'],
  }),
  rule('syn', STUDENT.syn, 'code', {
    required,
    headings: ['Syn', 'Synd', 'Section', 'Sec'],
    codes: SYNDICATE_CODES,
  }),
  rule('class', 'Class', 'class', {
    headings: ['Class Section', 'Degree Class'],
    gives: ['department', 'degree', 'syn'],
  }),
  rule('current_sem', STUDENT.current_sem, 'ordinal', {
    required,
    headings: ['Current Semester', 'Sem', 'Current Sem', 'Semester No'],
  }),
  rule('entry_semester', 'Entry semester', 'ordinal', {
    headings: ['Entry Semester', 'Enters in Semester', 'Entered in Semester'],
  }),
  rule('fsc_marks', STUDENT.fsc_marks, 'school-marks', { required, headings: inEach(HSSC, MARKS) }),
  rule('fsc_total', 'FSC total', 'total', { headings: inEach(HSSC, TOTAL), gives: [] }),
  rule('fsc_year', STUDENT.fsc_year, 'number', { required, headings: inEach(HSSC, YEAR) }),
  rule('fsc_div', STUDENT.fsc_div, 'ordinal', { required, headings: inEach(HSSC, DIVISION) }),
  rule('matric_marks', STUDENT.matric_marks, 'school-marks', { required, headings: inEach(SSC, MARKS) }),
  rule('matric_total', 'Matric total', 'total', { headings: inEach(SSC, TOTAL), gives: [] }),
  rule('matric_year', STUDENT.matric_year, 'number', { required, headings: inEach(SSC, YEAR) }),
  rule('matric_div', STUDENT.matric_div, 'ordinal', { required, headings: inEach(SSC, DIVISION) }),
  rule('reason', STUDENT.reason, 'lines', { headings: ['Reasons', 'Comments', 'Comment', 'Remarks'] }),
  // The family may follow later. Where a row has something of it, the form's check names what is missing.
  rule('father_name', FAMILY.father_name, 'text', {
    headings: [EXPORT_COLUMN_TITLES.father_name, 'Father', 'F/Name', 'Name of Father'],
  }),
  rule('father_occupation', FAMILY.father_occupation, 'text', {
    headings: ["Father's Job", 'Father Job', 'Father Occ', 'F/Occupation', 'Occupation of Father'],
  }),
  rule('mother_name', FAMILY.mother_name, 'text', { headings: ['Mother', 'M/Name', 'Name of Mother'] }),
  rule('mother_occupation', FAMILY.mother_occupation, 'text', {
    headings: ["Mother's Job", 'Mother Job', 'Mother Occ', 'M/Occupation', 'Occupation of Mother'],
  }),
  rule('number_siblings', FAMILY.number_siblings, 'number', { headings: ['Siblings', 'No of Siblings'] }),
  rule('father_phone', FAMILY.father_phone, 'digits', {
    headings: ['Father Mobile', 'Father Cell', 'Father Contact', 'Father Phone No', 'Father Contact No'],
  }),
  rule('mother_phone', FAMILY.mother_phone, 'digits', {
    headings: ['Mother Mobile', 'Mother Cell', 'Mother Contact', 'Mother Phone No', 'Mother Contact No'],
  }),
  rule('home_phone', FAMILY.home_phone, 'digits', {
    headings: ['Landline', 'Residence Phone', 'Home Phone No'],
  }),
  rule('address', FAMILY.address, 'lines', {
    headings: ['Home Address', 'Postal Address', 'Permanent Address', 'Residential Address'],
  }),
];

const COURSE_ID_HEADINGS = ['Course No', 'Course Number', 'Subject ID'];
const COURSE_CODE_HEADINGS = ['Code', 'Subject Code'];
const CREDIT_HEADINGS = ['CH', 'Cr', 'Cr Hrs', 'CHs', 'Credit', 'Credit Hrs', 'Credit Hour'];

const isExtra = true;
const STUDENT_NAME = { headings: ['Full Name', ...NAME_HEADINGS] };
/** The parts of a name beside an ID, which is compared with that of the record, as `student_name`. */
const NAME_PARTS: readonly FieldRule[] = [
  rule('first_name', STUDENT.first_name, 'text', { isExtra, headings: FIRST_NAME_HEADINGS }),
  rule('last_name', STUDENT.last_name, 'text', { isExtra, headings: LAST_NAME_HEADINGS }),
];

const RESULT_FIELDS: readonly FieldRule[] = [
  rule('student_id', STUDENT.id, 'digits', { required, headings: ID_HEADINGS }),
  rule('student_name', 'Name', 'text', STUDENT_NAME),
  ...NAME_PARTS,
  rule('semester', 'Semester', 'ordinal', { required, headings: ['Sem', 'Semester No'] }),
  rule('course_code', 'Course code', 'digits', { headings: [...COURSE_CODE_HEADINGS, 'Course'] }),
  rule('course_id', 'Course ID', 'digits', { headings: COURSE_ID_HEADINGS }),
  rule('title', 'Subject', 'text', {
    headings: ['Title', 'Subject Title', 'Subject Name', 'Course Title', 'Course Name'],
  }),
  rule('credits', 'Credit hours', 'number', { headings: CREDIT_HEADINGS }),
  rule('grade', 'Grade', 'grade', {
    headings: ['Letter Grade', 'Letter', 'Grade Points', 'Grade Point', 'GP', 'Points'],
  }),
];

const COURSE_FIELDS: readonly FieldRule[] = [
  rule('course_id', 'Course ID', 'digits', { required, headings: ['ID', ...COURSE_ID_HEADINGS] }),
  rule('course_code', 'Course code', 'digits', { required, headings: COURSE_CODE_HEADINGS }),
  rule('course_name', 'Course name', 'text', {
    required,
    headings: ['Name', 'Course', 'Title', 'Course Title', 'Subject', 'Subject Name'],
  }),
  rule('course_description', 'Description', 'lines', { headings: ['Course Description', 'Details'] }),
  rule('credits', 'Credit hours', 'number', { headings: CREDIT_HEADINGS }),
];

const MARKS_FIELDS: readonly FieldRule[] = [
  rule('student_id', STUDENT.id, 'digits', { isExtra, headings: ID_HEADINGS }),
  rule('student_name', 'Name', 'text', { isExtra, ...STUDENT_NAME }),
  ...NAME_PARTS,
  // Other headings are told by their words, and by the cells below them.
  rule('marks', 'Marks', 'mark', { required }),
];

const SCHEME_FIELDS: readonly FieldRule[] = [
  rule('semester', 'Semester', 'ordinal', { required, headings: ['Sem', 'Semester No'] }),
  rule('code', 'Course code', 'digits', { headings: [...COURSE_CODE_HEADINGS, 'Course'] }),
  rule('title', 'Title', 'text', {
    headings: ['Course Title', 'Course Name', 'Subject', 'Subject Title', 'Subject Name', 'Name'],
  }),
  rule('hours', 'Hours', 'text', {
    headings: [...CREDIT_HEADINGS, 'Contact Hours', 'Th+Lab', 'Theory+Lab'].filter(
      (one) => !/credit/i.test(one),
    ),
  }),
  rule('theory', 'Theory', 'number', { headings: ['Th', 'Lecture', 'Theory Hours'] }),
  rule('lab', 'Lab', 'number', { headings: ['Laboratory', 'Practical', 'Lab Hours'] }),
  rule('credits', 'Credit hours', 'number', { headings: ['Credit', 'Credits', 'Credit Hrs', 'Credit Hour'] }),
  rule('options', 'Options', 'text', { headings: ['Other Options', 'Alternatives', 'Electives'] }),
  rule('needs', 'Needs', 'text', {
    headings: ['Prerequisite', 'Prerequisites', 'Pre-requisite', 'Pre-requisites', 'Pre-req'],
  }),
  rule('key', 'Key', 'text', {}),
];

/** The fields of each kind, in the order of the template. */
export const FIELDS: Readonly<Record<ImportKind, readonly FieldRule[]>> = {
  students: STUDENT_FIELDS,
  results: RESULT_FIELDS,
  courses: COURSE_FIELDS,
  marks: MARKS_FIELDS,
  scheme: SCHEME_FIELDS,
};

/** The required fields that no column and no value for all rows gives. */
export function missingFields(rules: readonly FieldRule[], read: readonly string[]): FieldRule[] {
  const given = new Set(
    rules.flatMap(({ field, gives = [] }) => (read.includes(field) ? [field, ...gives] : [])),
  );
  return rules.filter((one) => one.required && !given.has(one.field));
}
