import { sql } from 'kysely';
import { DEPARTMENT_CODES, type Department } from '../../domain/student.ts';
import type { Tx } from '../db/schema.ts';
import type { Author } from '../history/record-change.ts';
import type { AuthorWithRole } from '../http/transact-as.ts';
import { confirmSheet } from '../marksheets/confirmation/confirm.ts';
import { notifyClass } from '../marksheets/confirmation/notifications.ts';
import { planConfirmation } from '../marksheets/confirmation/preview.ts';
import { rectifySheet } from '../marksheets/confirmation/rectify.ts';
import { checkSheet } from '../marksheets/grading/checks.ts';
import { submitSheet } from '../marksheets/grading/submit.ts';
import { requireSheet } from '../marksheets/sheet.ts';
import { storeCells } from '../marksheets/store-cells.ts';
import { createSheet } from '../marksheets/write-sheet.ts';
import { createTerm, listTerms } from '../terms/terms.ts';
import { CATALOGUE, type SeedCourse } from './catalogue.ts';
import { type Random, seededRandom } from './random.ts';

/** An existing term of this name is used. */
const TERM = { name: 'Sample term', starts_on: '2026-09-07', ends_on: '2027-01-22' };

const CATEGORIES = [
  { name: 'Quizzes', weight: 10, best_of: 2, parts: ['Quiz 1', 'Quiz 2', 'Quiz 3'], max: 10 },
  { name: 'Assignments', weight: 10, best_of: null, parts: ['Assignment 1', 'Assignment 2'], max: 20 },
  { name: 'Midterm', weight: 30, best_of: null, parts: ['Midterm'], max: 50 },
  { name: 'Final', weight: 50, best_of: null, parts: ['Final'], max: 100 },
].map(({ parts, max, ...category }) => ({
  category_id: null,
  ...category,
  components: parts.map((name) => ({ component_id: null, name, max })),
}));

/** Students of a class whose next semester is not recorded yet. */
interface SampleClass {
  department: Department;
  degree: string;
  semester: number;
  ids: string[];
}

/** How far a sheet gets. */
type Progress = 'draft' | 'submitted' | 'confirmed';

/**
 * Adds mark sheets in every state to a faculty that has been entered: of the largest class that waits for results all courses
 * of a semester, confirmed and notified, one of them with the draft of a rectification; of the next one a confirmed sheet that is
 * not notified yet, a submitted one, and drafts.
 *
 * @returns the number of sheets
 */
export async function seedSheets(tx: Tx, author: Author, seed: number): Promise<number> {
  const random = seededRandom(seed);
  const [first, second] = await findWaitingClasses(tx);
  if (first === undefined) return 0;
  const terms = await listTerms(tx);
  const term = terms.find(({ name }) => name === TERM.name) ?? (await createTerm(tx, author, TERM));
  const { term_id } = term;
  // Nobody's: it is submitted and confirmed by the same author, who need not be the only administrator.
  const actor: AuthorWithRole = { id: null, name: author.name, role: 'admin' };
  let sheets = 0;
  const add = async (own: SampleClass, course: SeedCourse, progress: Progress) => {
    sheets += 1;
    return addSheet(tx, actor, random, { own, course, progress, term_id });
  };
  const confirmed: number[] = [];
  for (const course of getCourses(first)) confirmed.push(await add(first, course, 'confirmed'));
  const { department, degree, semester } = first;
  await notifyClass(tx, author, { term_id, department, degree, semester });
  const [rectified] = confirmed;
  if (rectified !== undefined) {
    const reason = 'A script was found after the results had been notified';
    await rectifySheet(tx, actor, rectified, { kind: 'missing-script', reason });
    sheets += 1;
  }
  if (second === undefined) return sheets;
  const steps: readonly Progress[] = ['confirmed', 'submitted'];
  for (const [i, course] of getCourses(second).entries()) await add(second, course, steps[i] ?? 'draft');
  return sheets;
}

/** The courses of the semester that a class is in. */
const getCourses = ({ department, semester }: SampleClass): SeedCourse[] =>
  CATALOGUE.filter((course) => course.semester === semester && course.departments.includes(department));

/** The largest first. */
async function findWaitingClasses(tx: Tx): Promise<SampleClass[]> {
  const { rows } = await sql<{ id: string; department: Department; degree: string; semester: number }>`
    select id, department, degree, current_sem as semester from students s
    where status = 'active' and exists (select 1 from families f where f.student_id = s.id)
      and current_sem = 1 + (select count(*) from semesters a where a.student_id = s.id)
    order by id`.execute(tx);
  const classes = new Map<string, SampleClass>();
  for (const { id, ...of } of rows) {
    const key = `${of.department} ${of.degree} ${of.semester}`;
    const own = classes.get(key) ?? { ...of, ids: [] };
    own.ids.push(id);
    classes.set(key, own);
  }
  return [...classes.values()]
    .filter((own) => getCourses(own).length > 2)
    .sort(
      (a, b) =>
        b.ids.length - a.ids.length ||
        DEPARTMENT_CODES.indexOf(a.department) - DEPARTMENT_CODES.indexOf(b.department) ||
        a.semester - b.semester,
    );
}

async function addSheet(
  tx: Tx,
  actor: AuthorWithRole,
  random: Random,
  {
    own: { ids, department, degree, semester },
    course,
    progress,
    term_id,
  }: { own: SampleClass; course: SeedCourse; progress: Progress; term_id: number },
): Promise<number> {
  const sheet = await createSheet(tx, actor, {
    ...{ course_id: course.id, term_id, title: course.name, credits: course.credits, semester },
    ...{ department, degree, ids, categories: CATEGORIES },
  });
  const { sheet_id } = sheet;
  const components = sheet.categories.flatMap(({ components: some }) => some);
  // The last one of a draft is still to be marked.
  const marked = progress === 'draft' ? components.slice(0, -1) : components;
  const cells = sheet.rows.flatMap(({ student_id }) => {
    const ability = random.normal((course.mean ?? 65) / 100, 0.12);
    return marked.map(({ component_id, max }) => {
      const share = Math.min(1, Math.max(0.1, random.normal(ability, 0.08)));
      const isAbsent = max === 10 && random.chance(0.03);
      return {
        ...{ student_id, component_id, was: null },
        value: isAbsent ? ('A' as const) : Math.round(share * max * 2) / 2,
      };
    });
  });
  await storeCells(tx, actor, sheet_id, { cells });
  if (progress === 'draft') return sheet_id;
  const { warnings } = await checkSheet(tx, await requireSheet(tx, sheet_id));
  const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, 'Agreed by the examination board']));
  await submitSheet(tx, actor, sheet_id, { reasons });
  if (progress === 'submitted') return sheet_id;
  const { preview } = await planConfirmation(tx, await requireSheet(tx, sheet_id));
  await confirmSheet(tx, actor, sheet_id, preview.fingerprint);
  return sheet_id;
}
