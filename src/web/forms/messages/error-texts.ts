/**
 * How the server's error texts are shown at their fields (docs/decisions/006, row "Error texts").
 */

const SCHOOL_MARKS = new Set(['fsc_marks', 'matric_marks']);
const COURSE_MARKS = new Set(['marks', 'file', 'selectedFile']);
/** Fields whose "Required." ends with a full stop. */
const REQUIRED_WITH_STOP = new Set(['fsc_year', 'fsc_div', 'matric_year', 'matric_div']);
/** Fields where "id" means the registration number; courses and subjects have other ids. */
const REGISTRATION_NUMBER = new Set(['id', 'student_id']);

const IS_REQUIRED = /^The .+ field is required\.$/;
const TAKEN_EMAIL = 'The email has already been taken.';

/** Whole words only: "id" must not be replaced inside "invalid". */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\bThe father name(?: field)?\b/g, "Father's name"],
  [/\bThe father occupation(?: field)?\b/g, "Father's occupation"],
  [/\bThe mother name(?: field)?\b/g, "Mother's name"],
  [/\bThe mother occupation(?: field)?\b/g, "Mother's occupation"],
  [/\bThe father phone(?: field)?\b/g, "Father's phone"],
  [/\bThe mother phone(?: field)?\b/g, "Mother's phone"],
  [/\bThe home phone(?: field)?\b/g, 'Home phone'],
  [/\bnumber siblings\b/g, 'number of siblings'],
  [/\bdob\b/g, 'date of birth'],
  [/\bimg(?: field)?\b/g, 'student portrait'],
  [/\bsyn\b/g, 'syndicate'],
  [/\bcurrent sem\b/g, 'semester'],
  [/\bfsc year\b/g, 'FSC passing year'],
  [/\bfsc div\b/g, 'FSC division'],
  [/\bmatric year\b/g, 'Matric passing year'],
  [/\bmatric div\b/g, 'Matric division'],
  [/\bstarts on\b/g, 'start'],
  [/\bends on\b/g, 'end'],
  [/\bThe cgpa below\b/g, '“CGPA below”'],
  [/\bThe fell by\b/g, '“Fell by at least”'],
];

export type ErrorTextRewrite = (field: string, serverText: string) => string;

/** The text shown at `field` for the server's error text. */
export function displayErrorText(field: string, serverText: string): string {
  if (COURSE_MARKS.has(field)) return serverText;
  if (SCHOOL_MARKS.has(field)) {
    return IS_REQUIRED.test(serverText) ? 'Required.' : 'Required. Marks are 100 to 1100.';
  }
  if (IS_REQUIRED.test(serverText)) return REQUIRED_WITH_STOP.has(field) ? 'Required.' : 'Required';
  if (serverText === TAKEN_EMAIL) return 'Already taken';
  const own = REGISTRATION_NUMBER.has(field)
    ? serverText.replace(/\bid\b/g, 'registration number')
    : serverText;
  return REWRITES.reduce((text, [words, instead]) => text.replace(words, instead), own);
}

/** Shows the server's texts as they are, for fields that other screens don't have. */
export const keepErrorText: ErrorTextRewrite = (_, serverText) => serverText;

/** The first error text of every invalid field, rewritten for display. */
export function displayErrorTexts(
  errors: Readonly<Record<string, readonly string[]>>,
  rewrite: ErrorTextRewrite = displayErrorText,
): Partial<Record<string, string>> {
  const shown: Partial<Record<string, string>> = {};
  for (const [field, [first]] of Object.entries(errors)) {
    if (first !== undefined) shown[field] = rewrite(field, first);
  }
  return shown;
}
