import { queryOptions } from '@tanstack/react-query';
import type { CourseListed } from '../../contract/courses.ts';
import { call } from '../api.ts';

/** The course catalogue, to choose subjects from. */
export const coursesQuery = queryOptions({
  queryKey: ['courses', 'list'],
  queryFn: ({ signal }) => call<CourseListed[]>('GET', '/api/courses', { signal }),
});
