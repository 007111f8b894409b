import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/call.ts';
import { recentRecordIds } from '../lib/navigation/recent-pages.ts';

/** The waiting tasks, and the records that this user opened last in this browser. Read again each time that Home is opened. */
export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => call('GET /api/home', { query: { opened: recentRecordIds() }, signal }),
  refetchOnMount: 'always',
});
