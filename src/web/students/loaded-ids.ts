import type { QueryClient } from '@tanstack/react-query';
import type { StudentPage, StudentView } from '../../contract/student-list.ts';
import { reversedView } from './student-order.ts';

/** The students of a view whose rows are at hand, from whichever end they were read. */
export function loadedIds(queries: QueryClient, view: StudentView): Set<string> {
  const ids = new Set<string>();
  for (const oneWay of [view, reversedView(view)]) {
    if (oneWay === undefined) continue;
    for (const [, page] of queries.getQueriesData<StudentPage>({ queryKey: ['students', 'list', oneWay] })) {
      for (const { id } of page?.students ?? []) ids.add(id);
    }
  }
  return ids;
}
