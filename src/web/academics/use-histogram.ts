import { queryOptions } from '@tanstack/react-query';
import type { Histogram } from '../../contract/courses.ts';
import { call } from '../api.ts';

/** Marks of a course in ten buckets; empty when it has none. One that fails is shown as missing, not tried again. */
export const histogramQuery = (courseId: number) =>
  queryOptions({
    queryKey: ['courses', 'histogram', courseId],
    queryFn: ({ signal }) => call<Histogram>('GET', `/api/courses/histogram/${courseId}`, { signal }),
    retry: false,
  });
