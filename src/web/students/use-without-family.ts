import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { StudentRecord } from '../../contract/students.ts';
import { useMayWrite } from '../session.ts';

/** A record whose family step has not been done (`null`) leads to that step, for those who may do it. */
export function useWithoutFamily(studentId: string, record: StudentRecord | null | undefined): void {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const lacksFamily = record === null && mayWrite;
  useEffect(() => {
    if (!lacksFamily) return;
    void navigate({ to: '/students/$studentId/family/create', params: { studentId }, replace: true });
  }, [lacksFamily, navigate, studentId]);
}
