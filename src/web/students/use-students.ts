import { queryOptions } from '@tanstack/react-query';
import type { Student } from '../../contract/students.ts';
import { call } from '../api.ts';
import { toStudentRow } from './student-row.ts';

/** All students, as the list shows them. */
export const studentsQuery = queryOptions({
  queryKey: ['students', 'list'],
  queryFn: ({ signal }) => call<Student[]>('GET', '/api', { signal }),
  select: (students) => students.map(toStudentRow),
});
