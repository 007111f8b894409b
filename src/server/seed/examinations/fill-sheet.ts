import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import type { RowStatus } from '../../../domain/marksheets/class-statistics.ts';
import type { Tx } from '../../db/schema.ts';
import type { AuthorWithRole } from '../../http/transact-as.ts';
import { confirmSheet } from '../../marksheets/confirmation/confirm.ts';
import { planConfirmation } from '../../marksheets/confirmation/preview.ts';
import { rectifySheet } from '../../marksheets/confirmation/rectify.ts';
import { checkSheet } from '../../marksheets/grading/checks.ts';
import { submitSheet } from '../../marksheets/grading/submit.ts';
import { requireSheet } from '../../marksheets/sheet.ts';
import { storeCells } from '../../marksheets/store-cells.ts';
import { updateRow } from '../../marksheets/write-rows.ts';
import { createSheet } from '../../marksheets/write-sheet.ts';
import type { SeedCourse } from '../catalogue.ts';
import type { Random } from '../random.ts';
import type { SampleClass } from './classes.ts';

/** How far a sheet gets. An empty one is a draft without marks. */
export type Progress = 'empty' | 'draft' | 'submitted' | 'confirmed';

export interface Examiner {
  tx: Tx;
  /** The author of marks and confirmations. Not an account, so no second person has to confirm. */
  teacher: AuthorWithRole;
  /** The author of moves and notifications of classes. */
  registrar: AuthorWithRole;
  random: Random;
}

export interface SampleSheet {
  term_id: number;
  of: SampleClass;
  /** The students of the class on this sheet. */
  ids: readonly string[];
  semester: number;
  course: SeedCourse;
  title?: string;
  progress: Progress;
  /** Students of other classes who take the course again, with the semester in which they do. */
  repeaters?: readonly { id: string; semester: number }[];
  /** Rows that end without a grade. */
  endings?: readonly RowStatus[];
}

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

const ENDING_REASONS: Readonly<Record<RowStatus, string | null>> = {
  graded: null,
  incomplete: 'The laboratory report is to be handed in by the end of the next term',
  withdrawn: 'Withdrawn from the course in the sixth week',
  barred: 'Not admitted to the final for short attendance',
  excused: 'Called up for the national team; excused by the dean',
};
const BOARD = 'Agreed by the examination board';

/** Makes a sheet, fills it, and takes it as far as it is to get. @returns its number */
export async function addSheet(examiner: Examiner, sample: SampleSheet): Promise<number> {
  const { tx, teacher, random } = examiner;
  const { term_id, of, semester, course, progress, repeaters = [], endings = [] } = sample;
  const sheet = await createSheet(tx, teacher, {
    course_id: course.id,
    term_id,
    title: sample.title ?? course.name,
    credits: course.credits,
    semester,
    department: of.department,
    degree: of.degree,
    categories: CATEGORIES,
    ids: [...sample.ids, ...repeaters.map(({ id }) => id)],
  });
  const { sheet_id } = sheet;
  for (const repeater of repeaters) {
    await updateRow(tx, teacher, sheet_id, repeater.id, {
      status: 'graded',
      reason: null,
      semester: repeater.semester,
    });
  }
  for (const [i, status] of endings.entries()) {
    const row = sheet.rows[(i * 11 + 7) % sheet.rows.length];
    if (row === undefined || repeaters.some(({ id }) => id === row.student_id)) continue;
    await updateRow(tx, teacher, sheet_id, row.student_id, {
      status,
      reason: ENDING_REASONS[status],
      semester: null,
    });
  }
  if (progress === 'empty') return sheet_id;
  await storeCells(tx, teacher, sheet_id, { cells: inventCells(random, sheet, course, progress) });
  if (progress === 'draft') return sheet_id;
  await submit(examiner, sheet_id);
  if (progress === 'confirmed') await confirm(examiner, sheet_id);
  return sheet_id;
}

/** The last component of a draft is still to be marked. One student has missed the final examination. */
function inventCells(random: Random, sheet: Sheet, course: SeedCourse, progress: Progress) {
  const components = sheet.categories.flatMap(({ components: some }) => some);
  const marked = progress === 'draft' ? components.slice(0, -1) : components;
  const absentee = random.whole(0, Math.max(9, sheet.rows.length) - 1);
  return sheet.rows.flatMap(({ student_id }, row) => {
    const ability = random.normal((course.mean ?? 65) / 100, 0.12);
    return marked.map(({ component_id, max }) => {
      const share = Math.min(1, Math.max(0.1, random.normal(ability, 0.08)));
      const isAbsent = (max === 10 && random.chance(0.03)) || (max === 100 && row === absentee);
      return {
        student_id,
        component_id,
        was: null,
        value: isAbsent ? ('A' as const) : Math.round(share * max * 2) / 2,
      };
    });
  });
}

/** Submits a draft, with a reason for each warning. */
async function submit({ tx, teacher }: Examiner, sheetId: number): Promise<void> {
  const { warnings } = await checkSheet(tx, await requireSheet(tx, sheetId));
  const reasons = Object.fromEntries(warnings.map(({ rule }) => [rule, BOARD]));
  await submitSheet(tx, teacher, sheetId, { reasons });
}

async function confirm({ tx, teacher }: Examiner, sheetId: number): Promise<void> {
  const { preview } = await planConfirmation(tx, await requireSheet(tx, sheetId));
  await confirmSheet(tx, teacher, sheetId, preview);
}

/** Opens the rectification of a confirmed sheet, which raises one mark, and takes it as far as it is to get. */
export async function addRectification(
  examiner: Examiner,
  rectified: number,
  progress: Exclude<Progress, 'empty'>,
): Promise<void> {
  const { tx, teacher } = examiner;
  const reason = 'A page of the script was found after the results had been notified';
  const { sheet_id, categories, rows } = await rectifySheet(tx, teacher, rectified, {
    kind: 'missing-script',
    reason,
  });
  const final = categories.flatMap(({ components }) => components).at(-1);
  const row = rows.find(({ total, cells }) => {
    const mark = final && cells[final.component_id];
    return total !== null && total < 70 && typeof mark === 'number' && mark <= 80;
  });
  if (final !== undefined && row !== undefined) {
    const was = row.cells[final.component_id] ?? null;
    const value = Number(was) + 20;
    await storeCells(tx, teacher, sheet_id, {
      cells: [{ student_id: row.student_id, component_id: final.component_id, value, was }],
    });
  }
  if (progress === 'draft') return;
  await submit(examiner, sheet_id);
  if (progress === 'confirmed') await confirm(examiner, sheet_id);
}
