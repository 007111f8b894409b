import type { SheetCheck, SheetChecks } from '../../../contract/marksheets/grading.ts';
import type { SheetCategory } from '../../../contract/marksheets/sheets.ts';
import { plural } from '../../../domain/format-count.ts';
import { isApart } from '../../../domain/hundredths.ts';
import { movedBoundaries, proposeBoundaries } from '../../../domain/marksheets/boundaries.ts';
import { classStatistics } from '../../../domain/marksheets/class-statistics.ts';
import { gradeClass } from '../../../domain/marksheets/letters.ts';
import { type Cells, totalRow } from '../../../domain/marksheets/totals.ts';
import { inIdOrder } from '../../../domain/search-text.ts';
import type { Db } from '../../db/schema.ts';
import { groupBy } from '../../group-by.ts';
import { presentAttendance } from '../attendance/stored-attendance.ts';
import {
  type Grading,
  getComponents,
  getStudentId,
  loadPolicy,
  parseCategories,
  parseCells,
  parseGrading,
  parseSyndicates,
  type SheetColumns,
  toGradable,
  toGrading,
} from '../sheet.ts';
import { findClass } from '../write-sheet.ts';
import { listOfferings } from './boundaries.ts';

/** Percent by which the heaviest category may differ from the rest of a row. */
const APART = 40;
/** Marks by which the mean may differ from that of the last offering. */
const MEAN_OFF = 10;
/** Equal rows of fewer marks are no surprise. */
const MIN_EQUAL_MARKS = 3;

interface CheckedRow {
  student_id: string;
  attendance: string | null;
  status: string;
  cells: Cells;
  total: number | null;
}

/** Finds all that keeps a sheet from being submitted, and all that needs a reason. */
export async function checkSheet(db: Db, sheet: SheetColumns): Promise<SheetChecks & { grading: Grading }> {
  const stored = inIdOrder(
    await db.selectFrom('sheet_rows').selectAll().where('sheet_id', '=', sheet.sheet_id).execute(),
    getStudentId,
  );
  const categories = parseCategories(sheet);
  const rows: CheckedRow[] = stored.map((row) => ({ ...row, cells: parseCells(row) }));
  const graded = rows.filter(({ status }) => status === 'graded');
  const gradable = stored.map(toGradable);
  const grading = toGrading(await loadPolicy(db, sheet), parseGrading(sheet), gradable);

  const refusals: SheetCheck[] = [];
  const add = (
    list: SheetCheck[],
    rule: string,
    found: readonly CheckedRow[],
    text: (students: string) => string,
  ) => {
    if (found.length === 0) return;
    const students = plural(found.length, 'student');
    list.push({ rule, text: text(students), student_ids: found.map(({ student_id }) => student_id) });
  };
  if (rows.length === 0)
    refusals.push({ rule: 'no-students', text: 'The class list is empty.', student_ids: [] });
  const ids = getComponents(categories).map(({ component_id }) => component_id);
  const blank = graded.filter(({ cells }) => ids.some((id) => (cells[id] ?? null) === null));
  add(refusals, 'empty-cells', blank, (students) => `Cells of ${students} are empty.`);
  const excused = graded.filter((row) => row.total === null && !blank.includes(row));
  add(
    refusals,
    'no-total',
    excused,
    (students) => `${students}: excused from everything, so there is no total; set another status.`,
  );
  // The class or the policy may have changed since they were stored. A rectification keeps those of its sheet.
  const proposal =
    grading.stored !== null && sheet.rectifies === null
      ? proposeBoundaries(gradable, grading.rules)
      : undefined;
  if (grading.boundaries === null) {
    refusals.push({
      rule: 'no-boundaries',
      text: 'There are no boundaries: the method of the policy refuses this class. Choose another one under Grades.',
      student_ids: [],
    });
  } else if (proposal?.boundaries === null) {
    refusals.push({
      rule: 'no-boundaries',
      text: `The stored boundaries don’t hold: their method refuses the class as it is now. ${proposal.refused} Choose another one under Grades.`,
      student_ids: [],
    });
  }
  const course = await db
    .selectFrom('courses')
    .select('course_id')
    .where('course_id', '=', sheet.course_id)
    .executeTakeFirst();
  if (course === undefined) {
    refusals.push({
      rule: 'no-course',
      text: 'The course has been deleted. It can be restored from its history.',
      student_ids: [],
    });
  }

  const warnings: SheetCheck[] = [];
  if (grading.boundaries !== null) {
    const { warnings: ofLetters } = gradeClass(gradable, grading.boundaries, grading.rules);
    warnings.push(...ofLetters.map((warning) => ({ ...warning, student_ids: [] })));
  }
  if (movedBoundaries(grading.stored?.proposed ?? [], proposal?.boundaries ?? []).length > 0) {
    warnings.push({
      rule: 'other-proposal',
      text: 'The method proposes other boundaries now than when the boundaries were stored.',
      student_ids: [],
    });
  }
  // A rectification has the students and their attendance of the sheet that it rectifies.
  if (sheet.rectifies === null) {
    const isShort = (row: CheckedRow) => {
      const attendance = presentAttendance(row, grading.rules);
      return attendance?.short === true && attendance.condoned === null;
    };
    add(
      warnings,
      'attendance',
      graded.filter(isShort),
      (students) => `${students} short of attendance, not condoned.`,
    );
    warnings.push(
      ...(await classListWarnings(db, sheet, rows)),
      ...(await meanWarnings(db, sheet, gradable)),
    );
  }
  const heaviest = categories.reduce<SheetCategory | undefined>(
    (most, one) => (most === undefined || one.weight > most.weight ? one : most),
    undefined,
  );
  if (heaviest !== undefined && categories.length > 1) {
    const rest = categories.filter((one) => one !== heaviest);
    const isAbsent = ({ cells }: CheckedRow) =>
      heaviest.components.every(({ component_id }) => cells[component_id] === 'A') &&
      getComponents(rest).some(({ component_id }) => typeof cells[component_id] === 'number');
    add(
      warnings,
      'absent-with-marks',
      graded.filter(isAbsent),
      (students) => `${students} absent from ${heaviest.name}, with marks elsewhere.`,
    );
    const apart = graded.filter((row) => {
      if (row.total === null || isAbsent(row)) return false;
      const [own, others] = [[heaviest], rest].map((some) => totalRow(some, row.cells).total);
      return own != null && others != null && isApart(own, others, APART);
    });
    add(
      warnings,
      'far-apart',
      apart,
      (students) => `${students} with ${heaviest.name} ${APART} % or more from their other marks.`,
    );
  }
  add(
    warnings,
    'equal-rows',
    findEqualRows(graded, ids),
    (students) => `${students} with the same marks as another student in every component.`,
  );
  return { refusals, warnings, grading };
}

async function classListWarnings(
  db: Db,
  sheet: SheetColumns,
  rows: readonly CheckedRow[],
): Promise<SheetCheck[]> {
  const { department, degree } = sheet;
  const ofClass = await findClass(db, { department, degree, syn: parseSyndicates(sheet) });
  const listed = new Set(rows.map(({ student_id }) => student_id));
  const expected = new Set(ofClass);
  const missing = ofClass.filter((id) => !listed.has(id));
  const added = [...listed].filter((id) => !expected.has(id));
  if (missing.length + added.length === 0) return [];
  const parts = [
    ...(missing.length > 0 ? [`${missing.length} of the class are not on the list`] : []),
    ...(added.length > 0 ? [`${added.length} on the list are not of the class`] : []),
  ];
  const text = `The class list differs from the students of ${department}-${degree}: ${parts.join(', ')}.`;
  return [{ rule: 'class-list', text, student_ids: inIdOrder([...missing, ...added], (id) => id) }];
}

async function meanWarnings(
  db: Db,
  sheet: SheetColumns,
  rows: Parameters<typeof classStatistics>[0],
): Promise<SheetCheck[]> {
  const { mean } = classStatistics(rows);
  const [last] = await listOfferings(db, sheet.sheet_id);
  if (mean === null || last?.mean == null || !isApart(mean, last.mean, MEAN_OFF)) return [];
  const text = `The mean of ${mean} is ${MEAN_OFF} marks or more from the ${last.mean} of ${last.term_name}.`;
  return [{ rule: 'mean-off', text, student_ids: [] }];
}

/** Rows whose marks another row has in every component. */
function findEqualRows(rows: readonly CheckedRow[], ids: readonly number[]): CheckedRow[] {
  const keyed = rows.flatMap((row) => {
    const marks = ids.map((id) => row.cells[id]);
    const isEnough = marks.filter((mark) => typeof mark === 'number').length >= MIN_EQUAL_MARKS;
    return isEnough ? { row, key: JSON.stringify(marks) } : [];
  });
  const groups = groupBy(keyed, ({ key }) => key);
  return keyed.flatMap(({ row, key }) => ((groups.get(key)?.length ?? 0) > 1 ? row : []));
}
