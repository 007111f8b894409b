import { queryOptions } from '@tanstack/react-query';
import type { StudentRecord } from '../../contract/students.ts';
import { call } from '../api.ts';
import { studentPath } from './student-path.ts';

/** The whole record; null while the family step has not been done. */
export const studentRecordQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'record', studentId],
    queryFn: ({ signal }) => call<StudentRecord | null>('GET', studentPath(studentId), { signal }),
  });
