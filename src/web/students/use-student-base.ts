import { queryOptions } from '@tanstack/react-query';
import type { StudentBase } from '../../contract/students.ts';
import { callVersioned } from '../api.ts';
import { studentPath } from './student-path.ts';

/** The base record alone, which is there from the first step on. With its version. Not kept: a form must begin with what is stored now. */
export const studentBaseQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'base', studentId],
    queryFn: ({ signal }) => callVersioned<StudentBase>('GET', `${studentPath(studentId)}/base`, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
