import { displayText, type Rewrite } from '../forms/error-texts.ts';

/** The wire's names of a subject's fields as the form calls them; the longer ones first. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\bThe subject \d+ id\b/g, 'Subject ID'],
  [/\bThe subj credit \d+\b/g, 'Credit hours'],
  [/\bThe subj grade \d+\b/g, 'Grade'],
  [/\bThe subject \d+\b/g, 'Title'],
];

/** How the server's texts stand in the results' forms: they name the field, not its place among forty. */
export const semesterErrorText: Rewrite = (field, serverText) =>
  NAMES.reduce((text, [words, instead]) => text.replace(words, instead), displayText(field, serverText));
