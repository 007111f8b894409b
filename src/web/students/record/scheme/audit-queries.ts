import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AuditQuery } from '../../../../contract/schemes/audit.ts';
import { call } from '../../../lib/call.ts';
import { invalidateStudent } from '../../student-queries.ts';

/** How the rows of the scheme are filled; with a class, as if the student were in it. */
export const auditQuery = (studentId: string, ofClass: AuditQuery = {}) =>
  queryOptions({
    queryKey: ['students', 'audit', studentId, ofClass],
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/audit', { params: { id: studentId }, query: ofClass, signal }),
  });

/** After an exception or credits from elsewhere have changed. */
export function invalidateAudit(queries: QueryClient, studentId: string): void {
  void queries.invalidateQueries({ queryKey: ['students', 'audit', studentId] });
  void queries.invalidateQueries({ queryKey: ['students', 'grading', studentId] });
  queries.removeQueries({ queryKey: ['reports'] });
  invalidateStudent(queries, studentId);
}

/** The needs of the rows of a published scheme, which never change, by their keys. */
export const schemeNeedsQuery = (schemeId: number) =>
  queryOptions({
    queryKey: ['schemes', 'needs', schemeId],
    queryFn: async ({ signal }) => {
      const { rows } = await call('GET /api/schemes/:scheme_id', {
        params: { scheme_id: schemeId },
        signal,
      });
      return new Map(rows.map(({ key, needs }) => [key, needs]));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
