import { queryOptions } from '@tanstack/react-query';
import type { StudentBase } from '../../contract/students.ts';
import { call } from '../api.ts';
import { studentPath } from './student-path.ts';

/** The base record alone, which is there from the first step on. Not kept: a form must begin with what is stored now. */
export const studentBaseQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'base', studentId],
    queryFn: ({ signal }) => call<StudentBase>('GET', `${studentPath(studentId)}/base`, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
