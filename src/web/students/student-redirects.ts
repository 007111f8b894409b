import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { StudentRecord } from '../../contract/students/students.ts';
import { ApiError } from '../lib/api.ts';
import { useCanWrite } from '../lib/session.ts';
import { flash } from '../ui/flash.tsx';
import type { FamilyStep, SemesterStep } from './student-queries.ts';

/** The ID in the address. */
export function useStudentId(): string {
  const { studentId } = useParams({ strict: false });
  if (studentId === undefined) throw new Error('The address has no student ID.');
  return studentId;
}

/**
 * Leads from a form whose history entry has created the student already, which happens by the browser's Back, to what was
 * stored.
 */
export function useCreatedStudent(
  editPage: '/students/$studentId/edit' | '/students/$studentId/family/edit',
) {
  const navigate = useNavigate();
  const { state } = useLocation();
  // Read once: the page stays as it is until the next step is shown.
  const [createdId] = useState(state.createdStudentId);
  useEffect(() => {
    if (createdId === undefined) return;
    void navigate({ to: editPage, params: { studentId: createdId }, replace: true });
  }, [createdId, editPage, navigate]);
  const storeCreatedStudent = (createdStudentId: string) =>
    navigate({ to: '.', state: { createdStudentId }, replace: true, resetScroll: false });
  return { isCreated: createdId !== undefined, storeCreatedStudent };
}

/** Whether there is no student with the ID that was asked for. */
export const isUnknownStudent = (error: Error | null): boolean =>
  error instanceof ApiError && error.status === 404;

/** Leads from the ID of an unknown student to the list, and from a former ID to the record, with the server's message. */
export function useStudentNotFoundRedirect(error: Error | null): void {
  const navigate = useNavigate();
  const isUnknown = isUnknownStudent(error);
  useEffect(() => {
    if (!isUnknown || error === null) return;
    const studentId = error instanceof ApiError ? error.presentId : undefined;
    flash(error.message, studentId === undefined ? 'warning' : 'done');
    if (studentId === undefined) void navigate({ to: '/students', replace: true });
    else void navigate({ to: '/students/$studentId', params: { studentId }, replace: true });
  }, [isUnknown, error, navigate]);
}

/** Leads from a record without family details (`null`) to that step, for users who can write. */
export function useFamilyRedirect(studentId: string, record: StudentRecord | null | undefined): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const canWrite = useCanWrite();
  const lacksFamily = record === null && canWrite;
  useEffect(() => {
    if (!lacksFamily) return;
    void navigate({ to: '/students/$studentId/family/create', params: { studentId }, replace: true });
  }, [lacksFamily, navigate, studentId]);
  // Not cached for the next visit: another user may complete the record.
  useEffect(() => {
    if (record !== null) return;
    return () => queries.removeQueries({ queryKey: ['students', 'record', studentId], type: 'inactive' });
  }, [record, queries, studentId]);
}

/** Leads from the family step to another one where the server says so. */
export function useFamilyStepRedirect(studentId: string, step: FamilyStep | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (step === undefined || step.canProceed) return;
    flash(step.message, 'warning');
    if (step.redirectTo === 'base') void navigate({ to: '/students/create', replace: true });
    else if (step.redirectTo === 'academics') {
      void navigate({ to: '/students/$studentId/academics/create', params: { studentId }, replace: true });
    } else void navigate({ to: '/students', replace: true });
  }, [step, navigate, studentId]);
}

/** Leads from the step of the results to another one where the server says so. */
export function useSemesterStepRedirect(studentId: string, step: SemesterStep | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (step === undefined || step.canProceed) return;
    flash(step.message, 'warning');
    if (step.redirectToDashboard) void navigate({ to: '/students', replace: true });
    else if (step.redirectToMain) void navigate({ to: '/students/create', replace: true });
    else {
      void navigate({ to: '/students/$studentId/family/create', params: { studentId }, replace: true });
    }
  }, [step, navigate, studentId]);
}
