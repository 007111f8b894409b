import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type {
  OpenedClass,
  OpenedSheet,
  OpeningPreview,
  OpeningPreviewInput,
} from '../../../contract/marksheets/openings.ts';
import { formatCount } from '../../../domain/format-count.ts';
import { OPENING_LIMITS } from '../../../domain/marksheets/opening-limits.ts';
import { foldKey } from '../../../domain/schemes/scheme.ts';
import { withLastDays } from '../../../domain/term-dates.ts';
import type { Db } from '../../db/schema.ts';
import { invalidField, ValidationError } from '../../errors.ts';
import { findCatalogueCourses } from '../../students/audit/named-courses.ts';
import { type PublishedScheme, schemeFinder } from '../../students/audit/schemes.ts';
import type { TermColumns } from '../registration/last-days.ts';
import { requireSetup } from '../write-sheet.ts';
import { type ExistingSheet, type PlannedSheet, planClass } from './plan-class.ts';

export interface PlannedOpening {
  preview: OpeningPreview;
  planned: readonly PlannedSheet[];
}

/**
 * Which sheets opening a term for classes makes, keeps and skips, and whom it leaves out.
 *
 * @throws ValidationError on what of the input contradicts the schemes, or is more than one opening makes
 */
export async function planOpening(
  db: Db,
  term: TermColumns,
  input: OpeningPreviewInput,
): Promise<PlannedOpening> {
  requireSetup(input.categories, []);
  requireLabSetup(input.lab_categories);
  const schemes = await requireSchemes(db, input.classes);
  await requireChoices(db, input.choices);
  const existing = await findExisting(db, term.term_id);
  const planned: PlannedSheet[] = [];
  for (const [i, opened] of input.classes.entries()) {
    const scheme = schemes[i];
    if (scheme !== undefined)
      planned.push(...(await planClass(db, { term, opened, scheme, existing, choices: input.choices })));
  }
  const made = planned.filter(({ shown }) => isMade(shown));
  const students = made.reduce((sum, { ids }) => sum + ids.length, 0);
  if (made.length > OPENING_LIMITS.sheets)
    throw invalidField('classes', `The classes must have at most ${OPENING_LIMITS.sheets} mark sheets.`);
  if (students > OPENING_LIMITS.rows)
    throw invalidField(
      'classes',
      `The classes must have at most ${formatCount(OPENING_LIMITS.rows)} rows of mark sheets.`,
    );
  const hash = createHash('sha256').update(
    JSON.stringify([term.term_id, term.version, input, planned.map(({ shown, ids }) => [shown, ids])]),
  );
  return {
    planned,
    preview: {
      fingerprint: hash.digest('base64url'),
      dates: withLastDays(term),
      sheets: planned.map(({ shown }) => shown),
      totals: {
        create: made.length,
        keep: planned.filter(({ shown }) => shown.sheet_id !== null).length,
        skip: planned.filter(({ shown }) => shown.problem !== null).length,
        students,
      },
    },
  };
}

export const isMade = ({ sheet_id, problem }: OpenedSheet) => sheet_id === null && problem === null;

function requireLabSetup(categories: OpeningPreviewInput['lab_categories']): void {
  if (categories == null) return;
  try {
    requireSetup(categories, []);
  } catch (fault) {
    if (!(fault instanceof ValidationError)) throw fault;
    const errors = Object.entries(fault.errors).map(([path, texts]) => [`lab_${path}`, texts]);
    throw new ValidationError(Object.fromEntries(errors));
  }
}

/** The scheme in force of each class. */
async function requireSchemes(db: Db, classes: readonly OpenedClass[]): Promise<PublishedScheme[]> {
  const findScheme = schemeFinder(db);
  const seen = new Set<string>();
  const schemes: PublishedScheme[] = [];
  for (const [i, { department, degree, semester }] of classes.entries()) {
    const key = `${department} ${degree} ${semester}`;
    if (seen.has(key)) throw invalidField(`classes.${i}`, 'The class is named twice.');
    seen.add(key);
    const scheme = await findScheme({ department, degree });
    if (scheme === undefined)
      throw invalidField(`classes.${i}`, `There is no scheme for ${department}-${degree}.`);
    schemes.push(scheme);
  }
  return schemes;
}

async function requireChoices(db: Db, choices: OpeningPreviewInput['choices']): Promise<void> {
  const findScheme = schemeFinder(db);
  const chosen = choices.flatMap(({ course_ids }) => course_ids);
  const courses = new Set((await findCatalogueCourses(db, chosen)).map(({ course_id }) => course_id));
  const seen = new Set<string>();
  for (const [i, { row: key, course_ids, ...ofClass }] of choices.entries()) {
    const scheme = await findScheme(ofClass);
    const row = scheme?.rows.find((one) => foldKey(one.key) === foldKey(key));
    if (row === undefined) throw invalidField(`choices.${i}.row`, `The scheme has no row ${key}.`);
    const place = `${ofClass.department} ${ofClass.degree} ${foldKey(key)}`;
    if (seen.has(place)) throw invalidField(`choices.${i}.row`, `The row ${key} is named twice.`);
    seen.add(place);
    if (course_ids.some((id) => !row.options.includes(id)))
      throw invalidField(`choices.${i}.course_ids`, `The course ids must be options of the row ${key}.`);
    if (course_ids.some((id) => !courses.has(id)))
      throw invalidField(`choices.${i}.course_ids`, 'The course ids must be those of existing courses.');
  }
}

const findExisting = async (db: Db, termId: number): Promise<ExistingSheet[]> => {
  const { rows } = await sql<ExistingSheet>`
    select h.sheet_id, h.course_id, h.department, h.degree, h.semester,
      (select count(*) from sheet_rows r where r.sheet_id = h.sheet_id) as students
    from sheets h where h.term_id = ${termId} and h.rectifies is null order by h.sheet_id`.execute(db);
  return rows.map((row) => ({ ...row, students: Number(row.students) }));
};
