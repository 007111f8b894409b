import { type Expression, sql } from 'kysely';
import {
  type StudentFilter,
  type StudentListItem,
  type StudentPage,
  type StudentView,
  studentPageReply,
} from '../../../contract/students/student-list.ts';
import { SCHOOL_MARKS_TOTAL } from '../../../domain/student.ts';
import {
  jsonBoolean,
  jsonElements,
  jsonFraction,
  jsonFromText,
  jsonObject,
  jsonRows,
} from '../../db/dialect/sql.ts';
import { preparedQueryVariants } from '../../db/prepared-query.ts';
import type { Db } from '../../db/schema.ts';
import { fetchAndSort } from './candidates.ts';
import { countMatching, hasStudents, smallestSource } from './counts.ts';
import { type ParsedFilter, parseClassFilter, parseFilter } from './filter.ts';
import { scanIndex } from './index-scan.ts';
import { type ReadOrder, readParts } from './order-ranges.ts';
import {
  cursorPosition,
  type IdPage,
  orderedPage,
  type PageRequest,
  sortOrder,
  type TotalCount,
} from './sort.ts';
import { searchByRelevance, searchInOrder } from './strategies.ts';

const schoolMarks = (db: Db, column: string) => jsonFraction(db, sql.ref(column), SCHOOL_MARKS_TOTAL * 100);

/** The JSON of one row of the list. */
const rowColumns = (db: Db): Record<keyof StudentListItem, Expression<unknown>> => ({
  id: sql.ref('s.id'),
  first_name: sql.ref('s.first_name'),
  last_name: sql.ref('s.last_name'),
  dob: sql.ref('s.dob'),
  department: sql.ref('s.department'),
  degree: sql.ref('s.degree'),
  syn: sql.ref('s.syn'),
  gender: sql.ref('s.gender'),
  current_sem: sql.ref('s.current_sem'),
  fsc_marks: schoolMarks(db, 's.fsc_marks'),
  matric_marks: schoolMarks(db, 's.matric_marks'),
  phone_number: sql.ref('s.phone_number'),
  cgpa: sql`case when s.cgpa >= 0 then ${jsonFraction(db, sql.ref('s.cgpa'), 100)} end`,
  cgpa_semester: sql`case when s.cgpa_semester > 0 then s.cgpa_semester end`,
  final_cgpa: sql`case when s.final_cgpa >= 0 then ${jsonFraction(db, sql.ref('s.final_cgpa'), 100)} end`,
  is_complete: jsonBoolean(db, sql`s.is_complete = 1`),
  father_name: sql.ref('f.father_name'),
  father_phone: sql.ref('f.father_phone'),
  status: sql.ref('s.status'),
  status_date: sql.ref('s.status_date'),
  standing: sql`nullif(s.standing, '')`,
  former_ids: jsonFromText(
    db,
    sql`(select ${jsonRows(db, sql.ref('o.former_id'), sql.ref('o.history_id'))}
      from student_former_ids o where o.student_id = s.id)`,
  ),
});

/** The rows of these students as one JSON array, in the order of the given ids. Three look-ups by primary key each. */
export async function studentRowsJson(db: Db, ids: readonly string[]): Promise<string> {
  if (ids.length === 0) return '[]';
  const [row] = await rowsQuery(db, null, { ids: JSON.stringify(ids) });
  return row?.students ?? '[]';
}

const rowsQuery = preparedQueryVariants<{ students: string }, null>(
  (db, _shape, value) => sql`
    select ${jsonRows(db, jsonObject(db, rowColumns(db)), sql.ref('l.place'))} as students
    from ${jsonElements(db, value('ids'))} l
      cross join students s
      left join families f on f.student_id = s.id
    where s.id = l.value`,
);

/** One page of the list as JSON, whose rows the database has written, and the number of rows. */
export async function studentPageJson(
  db: Db,
  view: StudentView,
  request: PageRequest,
): Promise<{ json: string; rows: number }> {
  const { ids, total, total_is, next_cursor } = await findPage(db, view, request);
  const students = await studentRowsJson(db, ids);
  return {
    json: `{"students":${students},"total":${total},"total_is":"${total_is}","next_cursor":${JSON.stringify(next_cursor)}}`,
    rows: ids.length,
  };
}

/** One page of the list as an object. */
export async function studentPage(db: Db, view: StudentView, request: PageRequest): Promise<StudentPage> {
  const { json } = await studentPageJson(db, view, request);
  return studentPageReply.parse(JSON.parse(json));
}

/**
 * The ids of all matching students, page by page, the active ones first, each in the order of the ids. Only the last page has no `next`; any page may
 * be shorter than `limit`.
 */
export async function matchingIds(
  db: Db,
  filter: StudentFilter,
  cursor: string | undefined,
  limit: number,
): Promise<{ ids: string[]; next: string | undefined }> {
  const { ids, next_cursor } = await findPage(
    db,
    { ...filter, sort: 'id', direction: 'ascending' },
    { limit, cursor },
  );
  return { ids, next: next_cursor ?? undefined };
}

/** Chooses the strategy, see the table in strategies.ts. */
async function findPage(
  db: Db,
  { sort, direction, ...studentFilter }: StudentView,
  request: PageRequest,
): Promise<IdPage> {
  const { q } = studentFilter;
  const order = sortOrder({ sort, direction }, request);
  const ofClass = parseClassFilter(studentFilter);
  // Where there is no such class, IDs are written like one.
  const isOfClass = ofClass !== undefined && (await hasStudents(db, ofClass.named));
  const filter = isOfClass ? ofClass.filter : parseFilter(studentFilter);
  if (q === undefined || (isOfClass && filter.words.length === 0)) {
    return listInOrder(db, filter, order, request);
  }
  // Only characters that no name has, such as "%": no matches.
  if (filter.words.length === 0) return { ids: [], next_cursor: null, total: 0, total_is: 'exact' };
  return sort === undefined
    ? searchByRelevance(db, filter, q, request)
    : searchInOrder(db, filter, order, request);
}

/** Fetching one candidate costs as much as scanning this many entries of an index. */
const LOOKUP_COST = 80;

/** The list without a search: scans the index of the order, or fetches and sorts all matches if that is cheaper. */
async function listInOrder(
  db: Db,
  filter: ParsedFilter,
  order: ReadOrder,
  { limit, cursor }: PageRequest,
): Promise<IdPage> {
  const after = cursorPosition(order, cursor);
  const counts = await countMatching(db, filter);
  const { students, isExact } = counts.matching;
  const total: TotalCount = { total: students, total_is: isExact ? 'exact' : 'estimate' };
  // Semester and department select whole index branches, so with these alone a scan skips no rows.
  const skipsRows = filter.conditions.some((name) => name !== 'current_sem' && name !== 'department');
  const positions = await readParts({ filter, order, after, limit }, async (range) => {
    const part = counts.parts[range.part];
    const { matching } = part;
    if (matching.isExact && matching.students === 0) return [];
    const [source, candidates] = smallestSource(part);
    const expectedScan = (range.limit * part.inBranches) / Math.max(1, matching.students);
    return skipsRows && candidates * LOOKUP_COST < expectedScan
      ? fetchAndSort(db, { source, ...range })
      : scanIndex(db, range);
  });
  const isOnlyPage = after === undefined && positions.length < limit;
  return orderedPage(order, positions, limit, correctTotal(total, positions.length, isOnlyPage));
}

/** The exact number of rows if this is the only page; otherwise no estimate below the number of rows on this page. */
const correctTotal = ({ total, total_is }: TotalCount, rows: number, isOnlyPage: boolean): TotalCount =>
  isOnlyPage ? { total: rows, total_is: 'exact' } : { total: Math.max(total, rows), total_is };
