import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AcademicsStepReply } from '../../contract/students/academics.ts';
import type { FamilyStepReply, Student } from '../../contract/students/students.ts';
import { call, callWithVersion } from '../lib/call.ts';

export const searchStudents = (q: string, limit: number, signal: AbortSignal) =>
  call('GET /api/students', { query: { q, limit }, signal });

/** One student as the list has them; null if there is none with this ID. */
export const listedStudentQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'listed', studentId],
    // A search, since an unknown ID gives an empty result there and not an error.
    queryFn: async ({ signal }) =>
      (await searchStudents(studentId, 1, signal)).students.find(({ id }) => id === studentId) ?? null,
  });

/** Students with the same name and date of birth. */
export const namesakesQuery = (person: { first_name: string; last_name: string; dob: string }) =>
  queryOptions({
    queryKey: ['students', 'namesakes', person],
    queryFn: ({ signal }) => call('GET /api/namesakes', { query: person, signal }),
  });

/** The whole record; null before the family step. */
export const studentRecordQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'record', studentId],
    queryFn: ({ signal }) => call('GET /api/students/:id', { params: { id: studentId }, signal }),
  });

/** The base record, which exists from the first step on, and its version. Not cached: a form must start from what is stored now. */
export const studentBaseQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'base', studentId],
    queryFn: ({ signal }) =>
      callWithVersion('GET /api/students/:id/base', { params: { id: studentId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

/** The whole record for a form, and its version. Not cached: a form must start from what is stored now. */
export const editRecordQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'record-to-edit', studentId],
    queryFn: ({ signal }) => callWithVersion('GET /api/students/:id', { params: { id: studentId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

/** The server's answer whether a step of a new entry can be entered, and the student if so. */
type EntryStep<Reply extends { canProceed: boolean }> = Reply & { student?: Student };
export type FamilyStep = EntryStep<FamilyStepReply>;
export type SemesterStep = EntryStep<AcademicsStepReply>;

/** Reads the student too if the step can be entered: session storage may be of another student. */
async function addStudent<Reply extends { canProceed: boolean }>(
  reply: Reply,
  options: { params: { id: string }; signal: AbortSignal },
): Promise<EntryStep<Reply>> {
  if (!reply.canProceed) return reply;
  const { student } = await call('GET /api/students/:id/base', options);
  return { ...reply, student };
}

/** Whether the family step can be entered. Not cached: each step changes the answer. */
export const familyStepQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'family-step', studentId],
    queryFn: async ({ signal }) => {
      const options = { params: { id: studentId }, signal };
      return addStudent(await call('GET /api/students/:id/family/create', options), options);
    },
    gcTime: 0,
    staleTime: 0,
  });

/** Whether results can be entered, and from which semester on. Not cached: each saved semester changes the answer. */
export const semesterStepQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'academics-step', studentId],
    queryFn: async ({ signal }) => {
      const options = { params: { id: studentId }, signal };
      return addStudent(await call('GET /api/students/:id/academics/create', options), options);
    },
    gcTime: 0,
    staleTime: 0,
  });

/** The subjects of the student's classmates in a semester. */
export const classSubjectsQuery = (studentId: string, semester: number) =>
  queryOptions({
    queryKey: ['students', 'class-subjects', studentId, semester],
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/class-subjects', {
        params: { id: studentId },
        query: { semester },
        signal,
      }),
    gcTime: 0,
  });

/** The rows of the scheme for a semester that nothing fills. Not cached: each result may fill one. */
export const schemeSubjectsQuery = (studentId: string, semester: number) =>
  queryOptions({
    queryKey: ['students', 'scheme-subjects', studentId, semester],
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/scheme-subjects', {
        params: { id: studentId },
        query: { semester },
        signal,
      }),
    gcTime: 0,
    staleTime: 60_000,
  });

/** Which results come from mark sheets. Not cached: a form must start from what is stored now. */
export const resultRightsQuery = (studentId: string) =>
  queryOptions({
    queryKey: ['students', 'result-rights', studentId],
    queryFn: ({ signal }) =>
      call('GET /api/students/:id/result-rights', { params: { id: studentId }, signal }),
    gcTime: 0,
    staleTime: 0,
  });

/** After a save or a delete. Removes the cached data, so that it is not shown even for a moment; a record on screen is read again. */
export function invalidateStudent(queries: QueryClient, studentId: string): void {
  queries.removeQueries({ queryKey: ['students', 'list'] });
  void queries.resetQueries({ queryKey: ['students', 'record', studentId] });
  void queries.invalidateQueries(resultRightsQuery(studentId));
}
