import { queryOptions } from '@tanstack/react-query';
import { studentRecordQuery } from './use-student-record.ts';

/** The whole record for a form. Not kept: a form must begin with what is stored now. */
export const recordToEditQuery = (studentId: string) =>
  queryOptions({
    ...studentRecordQuery(studentId),
    queryKey: ['students', 'record-to-edit', studentId],
    gcTime: 0,
    staleTime: 0,
  });
