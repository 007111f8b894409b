import type { QueryClient } from '@tanstack/react-query';

/** After a save or a delete: what was read of this student before must not be shown again, not even for a moment. */
export function forgetStudent(queries: QueryClient, studentId: string): void {
  queries.removeQueries({ queryKey: ['students', 'list'] });
  queries.removeQueries({ queryKey: ['students', 'record', studentId] });
}
