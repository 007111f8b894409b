import { queryOptions } from '@tanstack/react-query';
import type { StudentRecord } from '../../contract/students.ts';
import { callVersioned } from '../api.ts';
import { studentPath } from './student-path.ts';

/** The whole record for a form, with its version. Not kept: a form must begin with what is stored now. */
export const recordToEditQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'record-to-edit', studentId],
    queryFn: ({ signal }) => callVersioned<StudentRecord | null>('GET', studentPath(studentId), { signal }),
    gcTime: 0,
    staleTime: 0,
  });
