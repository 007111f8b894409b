import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  type StudentListItem,
  type StudentPage,
  type StudentView,
  studentListItem,
} from '../../../contract/students/student-list.ts';
import { pausedChunks } from '../../chunks.ts';
import type { Db } from '../../db/schema.ts';
import { fetchAndSortByIds } from '../list/candidates.ts';
import { parseFilter } from '../list/filter.ts';
import { studentPage, studentRowsJson } from '../list/list-page.ts';
import { sortOrder } from '../list/sort.ts';
import type { StudentPages } from './columns.ts';

/** The students named by `ids`, ignoring the filter, or all of the view except `except`. */
export interface Selection {
  ids?: readonly string[] | undefined;
  except?: readonly string[] | undefined;
}

export interface SelectedStudents extends Pick<StudentPage, 'total' | 'total_is'> {
  pages: StudentPages;
}

/** Students per page: read and written in a few milliseconds, after which other calls can run. */
const PAGE_SIZE = 250;

/**
 * The students of a selection in the order of the view, and their number. Pages are read one by one on demand, so a record
 * changed during the export appears in its old or new state, and may appear twice or not at all only if the change moved
 * it in the order.
 */
export async function selectedStudents(
  db: Db,
  view: StudentView,
  { ids, except = [] }: Selection,
): Promise<SelectedStudents> {
  if (ids !== undefined) return namedStudents(db, view, ids);
  const first = await studentPage(db, view, { limit: PAGE_SIZE, cursor: undefined });
  const total = Math.max(0, first.total - except.length);
  return { pages: without(pagesFrom(db, view, first), new Set(except)), total, total_is: first.total_is };
}

async function* pagesFrom(db: Db, view: StudentView, first: StudentPage): AsyncGenerator<StudentListItem[]> {
  for (let page = first; ; ) {
    yield page.students;
    if (page.next_cursor === null) return;
    await setImmediate();
    page = await studentPage(db, view, { limit: PAGE_SIZE, cursor: page.next_cursor });
  }
}

async function* without(pages: StudentPages, except: ReadonlySet<string>): AsyncGenerator<StudentListItem[]> {
  for await (const page of pages) yield page.filter(({ id }) => !except.has(id));
}

/** The named students that exist. There are few, so all are sorted before the first page. */
async function namedStudents(db: Db, view: StudentView, ids: readonly string[]): Promise<SelectedStudents> {
  const positions = await fetchAndSortByIds(db, [...new Set(ids)], {
    filter: parseFilter({}),
    order: sortOrder(view),
    after: undefined,
    limit: ids.length,
  });
  const inOrder = positions.map(([, id]) => id);
  return { pages: readPages(db, inOrder), total: inOrder.length, total_is: 'exact' };
}

async function* readPages(db: Db, ids: readonly string[]): AsyncGenerator<StudentListItem[]> {
  for await (const page of pausedChunks(ids, PAGE_SIZE)) {
    yield z.array(studentListItem).parse(JSON.parse(await studentRowsJson(db, page)));
  }
}
