import { queryOptions } from '@tanstack/react-query';
import type { FamilyGate } from '../../contract/family.ts';
import { call } from '../api.ts';
import { studentPath } from './student-path.ts';

/** May the family step be entered? Always asked anew: each step changes the answer. */
export const familyGateQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'family-gate', studentId],
    queryFn: ({ signal }) => call<FamilyGate>('GET', `${studentPath(studentId)}/family/create`, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
