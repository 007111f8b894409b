import type { QueryClient } from '@tanstack/react-query';

/** After a save or a delete: what was read of this course before must not be shown again, not even for a moment. */
export function forgetCourse(queries: QueryClient, courseId: string): void {
  queries.removeQueries({ queryKey: ['courses', 'list'] });
  queries.removeQueries({ queryKey: ['courses', 'one', courseId] });
  queries.removeQueries({ queryKey: ['courses', 'histogram', Number(courseId)] });
}
