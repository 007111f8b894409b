import { queryOptions } from '@tanstack/react-query';
import type {
  CgpaExplanation,
  DegreeCheck,
  PlanReply,
  StandingReply,
} from '../../../../contract/grading/grading.ts';
import { call } from '../../../lib/api.ts';
import { studentPath, studentRecordQuery } from '../../student-queries.ts';

/** What follows from the results of a student. Keyed below the record, so that it is read again together with it. */
function gradingQuery<Reply>(studentId: string, path: string) {
  return queryOptions({
    queryKey: [...studentRecordQuery(studentId).queryKey, path],
    queryFn: ({ signal }) => call<Reply>('GET', `${studentPath(studentId)}/${path}`, { signal }),
  });
}

/** How the CGPA is computed; after the latest recorded semester unless one is given. */
export const cgpaQuery = (studentId: string, semester?: number) =>
  gradingQuery<CgpaExplanation>(studentId, semester === undefined ? 'cgpa' : `cgpa?semester=${semester}`);

export const standingQuery = (studentId: string) => gradingQuery<StandingReply>(studentId, 'standing');

/** What is needed for the CGPA of the degree in the credit hours that are left to earn. */
export const planQuery = (studentId: string) => gradingQuery<PlanReply>(studentId, 'plan');

export const degreeCheckQuery = (studentId: string) => gradingQuery<DegreeCheck>(studentId, 'degree-check');
