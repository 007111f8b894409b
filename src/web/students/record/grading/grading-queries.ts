import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { studentRecordQuery } from '../../student-queries.ts';

/** The key of what is computed from the results of a student. It is below that of the record, so that both are read again together. */
const gradingKey = (studentId: string, ...part: (string | number | undefined)[]) => [
  ...studentRecordQuery(studentId).queryKey,
  ...part,
];

/** How the CGPA is computed; after the latest recorded semester unless one is given. */
export const cgpaQuery = (studentId: string, semester?: number) =>
  queryOptions({
    queryKey: gradingKey(studentId, 'cgpa', semester),
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/cgpa', { params: { id: studentId }, query: { semester }, signal }),
  });

export const standingQuery = (studentId: string) =>
  queryOptions({
    queryKey: gradingKey(studentId, 'standing'),
    queryFn: ({ signal }) => call('GET /api/students/:id/standing', { params: { id: studentId }, signal }),
  });

/** The results needed for the CGPA of the degree in the credit hours that are left to earn. */
export const planQuery = (studentId: string) =>
  queryOptions({
    queryKey: gradingKey(studentId, 'plan'),
    queryFn: ({ signal }) => call('GET /api/students/:id/plan', { params: { id: studentId }, signal }),
  });

export const degreeCheckQuery = (studentId: string) =>
  queryOptions({
    queryKey: gradingKey(studentId, 'degree-check'),
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/degree-check', { params: { id: studentId }, signal }),
  });
