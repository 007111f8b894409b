import { foldText } from '../search-text.ts';

/**
 * The roles of columns by their headings:
 *
 * - `marks`: headed "Marks", and nothing else
 * - `obtained`: marks that were obtained, beside which a total is that of the full marks
 * - `score`: other words for marks
 * - `assessment`: something that is marked, such as a quiz
 * - `total`: a sum of marks, or the full marks beside obtained ones
 * - `percentage`
 * - `full`: full marks, which never are marks
 * - `id`, `serial`, `name`: of the student
 * - `other`: known, and no marks
 * - `unknown`: nothing is known
 */
export type HeadingRole =
  | 'marks'
  | 'obtained'
  | 'score'
  | 'assessment'
  | 'total'
  | 'percentage'
  | 'full'
  | 'id'
  | 'serial'
  | 'name'
  | 'other'
  | 'unknown';

/** Full marks that a heading states: "(out of 50)", "[20]", "/ 10.00", "out of 50", "Max 50". */
const STATED_MAXIMUM =
  /[([{][^)\]}]*\d[^)\]}]*[)\]}]|(?:\bout\s+of|\bof|\bmax(?:imum)?\.?|\bsur|\/)\s*\d+(?:[.,]\d+)?(?:\s*(?:marks|points|pts))?/giu;
const CASE_BORDER = /(?<=\p{Ll})(?=\p{Lu})/gu;
const WORDS = /\p{L}+|\p{N}+|[#%]/gu;

/** Folded words and numbers of a heading; `RollNo` has two. */
export const toWords = (heading: string): string[] =>
  foldText(heading.normalize('NFKC').replace(CASE_BORDER, ' ')).match(WORDS) ?? [];

export const wordSet = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => toWords(text)));

/** Words of English, Urdu, and of the languages in which learning platforms are most used. */
export const OBTAINED = wordSet(
  'obtained obt obtd obtain secured scored achieved attained awarded earned gained result results',
  'obtenu obtenus obtenue obtenida obtenido obtenidos ottenuto erreicht erzielt ergebnis resultat resultado',
  'حاصل',
);
export const SCORE = wordSet(
  'mark marks mks mrks score scores point points pts grade grades',
  'note notes nota notas calificacion calificaciones punkte punktzahl puntos puntaje puntuacion voto voti punteggio pontos',
  'نمبر نمبرات مارکس',
);
export const TOTAL = wordSet(
  'total totals tot aggregate sum overall',
  'gesamt gesamtpunkte gesamtpunktzahl summe somme totale insgesamt suma soma',
  'کل میزان ٹوٹل',
);
export const FULL = wordSet(
  'max maximum maximal maximums full possible outof allotted allocated',
  'maxi maximo maxima massimo bareme maximalpunkte maximalpunktzahl hochstpunktzahl hochstpunkte',
);
const PERCENTAGE = wordSet('percent percentage pct perc prozent pourcentage porcentaje percentuale فیصد %');
const ASSESSMENT = wordSet(
  'exam exams examination test tests quiz quizzes mid mids midterm midsem final finals terminal sessional',
  'assignment assignments asgn assgn lab labs practical practicals theory viva project presentation report oht ese ct',
  'paper internal external homework hw coursework cw classwork end endterm endsem component activity task question q',
  'klausur prufung examen devoir essai parcial prova esame امتحان',
);
const ID = wordSet(
  'roll rollno rollnumber reg regno regd regn registration id ids cms cmsid usn enrolment enrollment matricule matrikel',
  'matrikelnummer matricola matricula admission login username userid sis studentid studentno rollnr رول رجسٹریشن',
);
const NAME = wordSet(
  'name names student students candidate surname forename firstname lastname fullname studentname',
  'nom prenom nombre apellido apellidos vorname nachname cognome nome alumno etudiant studente نام طالب',
);
const SERIAL = wordSet(
  's sr srl sl serial sno srno slno serno serial serialno serialnumber no nr number seq index seat seatno lfdnr',
);
/** Other people, and things that have a name or number of their own. */
const OTHER_NAMES = wordSet(
  'father fathers mother mothers guardian parent teacher instructor examiner course subject phone mobile cell',
);
/** Never marks, also beside words for marks: "Passing marks", "Marks in words", "Grade points". */
const NEVER_MARKS = wordSet(
  'pass passing min minimum minimo weight weightage credit credits hours hrs gpa cgpa sgpa letter rank ranking position',
  'percentile remark remarks feedback comment comments status attempt attempts date downloaded email mail words average mean',
  'deviation',
);
/** Not marks where nothing else says so. */
const OTHER = wordSet(
  'section sec class group department dept degree course subject code semester sem term year batch syndicate syn',
  'programme program institution school campus city gender sex age phone mobile contact address teacher instructor time',
  'attendance father mother signature sign started completed state absent present shift session',
);

/** Letters of abbreviations, such as "M.M." for maximum marks. */
const ABBREVIATIONS: Readonly<Record<string, HeadingRole>> = {
  mm: 'full',
  fm: 'full',
  tm: 'total',
  om: 'obtained',
  mo: 'obtained',
  gp: 'other',
};

/** Whether a heading says what its column has of marks or of students. */
export const isKnownHeading = (heading: string): boolean =>
  !['unknown', 'other'].includes(headingRole(heading));

/** The role of a column by the words of its heading alone. */
export function headingRole(heading: string): HeadingRole {
  const text = heading.trim();
  if (text.toLowerCase() === 'marks') return 'marks';
  const bare = toWords(text.replaceAll(STATED_MAXIMUM, ' '));
  const words = bare.length > 0 ? bare : toWords(text);
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const last = words.at(-1) ?? '';
  const joined = words.filter((word) => word !== '#').join('');
  if (words.length === 0) return 'unknown';
  const abbreviated = ABBREVIATIONS[joined];
  if (abbreviated !== undefined) return abbreviated;
  if (!has(OBTAINED) && !has(SCORE) && !has(TOTAL)) {
    if (joined === '' || words.every((word) => word === '#' || SERIAL.has(word))) return 'serial';
    if (has(OTHER_NAMES) && !has(ASSESSMENT)) return 'other';
    // "Roll No", but not "Quiz No. 2": a heading that ends with a number is a numbered assessment.
    if (last === 'no' || last === '#') return 'id';
    if (!/^\p{N}/u.test(last)) {
      if (has(ID)) return 'id';
      if (has(NAME)) return 'name';
    }
  } else if (has(ID) && words.includes('نمبر')) return 'id';
  if (has(NEVER_MARKS) || isGradePoints(words)) return 'other';
  if (has(OBTAINED)) return has(PERCENTAGE) ? 'percentage' : 'obtained';
  if (has(FULL) || words.some((word, at) => word === 'out' && words[at + 1] === 'of')) return 'full';
  if (has(PERCENTAGE)) return 'percentage';
  if (has(TOTAL)) return 'total';
  if (has(SCORE)) return 'score';
  if (has(ASSESSMENT)) return 'assessment';
  return has(OTHER) ? 'other' : 'unknown';
}

const isGradePoints = (words: readonly string[]) =>
  words.some((word) => word === 'grade' || word === 'quality') &&
  words.some((word) => word === 'point' || word === 'points');

/** Words that say nothing beside the name of an assessment: "Mid Marks", "OHT 1 (out of 50)". */
const BESIDE_NAMES = new Set([...OBTAINED, ...SCORE, ...TOTAL, 'out', 'of']);

/**
 * The name of an assessment in a heading, so that `OHT-1 (out of 50)`, `Oht 1 marks` and `OHT1` are the same.
 */
export function assessmentName(heading: string): string {
  const words = toWords(heading.replaceAll(STATED_MAXIMUM, ' '));
  const named = words.filter((word) => !BESIDE_NAMES.has(word));
  return (named.length > 0 ? named : words).join('');
}
