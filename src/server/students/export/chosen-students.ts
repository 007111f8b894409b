import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  type StudentListed,
  type StudentPage,
  type StudentView,
  studentListed,
} from '../../../contract/student-list.ts';
import type { Db } from '../../db/schema.ts';
import { narrowingOf } from '../list-filter.ts';
import { orderOf } from '../list-order.ts';
import { studentPage } from '../list-page.ts';
import { listedStudents } from '../list-rows.ts';
import { collect } from '../list-walk.ts';
import type { StudentPages } from './columns.ts';

/** `ids` alone, whatever the view is narrowed to; or all of the view but `except`. */
export interface Selection {
  ids?: readonly string[] | undefined;
  except?: readonly string[] | undefined;
}

export interface Chosen extends Pick<StudentPage, 'total' | 'total_is'> {
  pages: StudentPages;
}

/** Students of one page: read and written in a few milliseconds, after each of which other calls have their turn. */
const PAGE = 250;

/**
 * The students of a selection in the order of the view, and how many they are. The pages are read one by one as they
 * are asked for: a record that is changed meanwhile comes as it was or as it is, and none comes twice or is left out
 * unless the change moved it in the order.
 */
export async function chosenStudents(
  db: Db,
  view: StudentView,
  { ids, except = [] }: Selection,
): Promise<Chosen> {
  if (ids !== undefined) return namedStudents(db, view, ids);
  const first = await studentPage(db, view, { limit: PAGE, cursor: undefined });
  const total = Math.max(0, first.total - except.length);
  return { pages: without(pagesFrom(db, view, first), new Set(except)), total, total_is: first.total_is };
}

async function* pagesFrom(db: Db, view: StudentView, first: StudentPage): AsyncGenerator<StudentListed[]> {
  for (let page = first; ; ) {
    yield page.students;
    if (page.next_cursor === null) return;
    await setImmediate();
    page = await studentPage(db, view, { limit: PAGE, cursor: page.next_cursor });
  }
}

async function* without(pages: StudentPages, except: ReadonlySet<string>): AsyncGenerator<StudentListed[]> {
  for await (const page of pages) yield page.filter(({ id }) => !except.has(id));
}

/** Those of the named who are there; the order is found out at once, since they are few. */
async function namedStudents(db: Db, view: StudentView, ids: readonly string[]): Promise<Chosen> {
  const places = await collect(db, {
    source: 'ids',
    ids: [...new Set(ids)],
    narrowing: narrowingOf({}),
    order: orderOf(view),
    after: undefined,
    limit: ids.length,
  });
  const inOrder = places.map(([, id]) => id);
  return { pages: pagesOf(db, inOrder), total: inOrder.length, total_is: 'exact' };
}

async function* pagesOf(db: Db, ids: readonly string[]): AsyncGenerator<StudentListed[]> {
  for (let i = 0; i < ids.length; i += PAGE) {
    await setImmediate();
    yield z.array(studentListed).parse(JSON.parse(await listedStudents(db, ids.slice(i, i + PAGE))));
  }
}
