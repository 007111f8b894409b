import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { StudentRecord } from '../../contract/students.ts';

/** A record whose family step has not been done (`null`) leads to that step. */
export function useWithoutFamily(studentId: string, record: StudentRecord | null | undefined): void {
  const navigate = useNavigate();
  const lacksFamily = record === null;
  useEffect(() => {
    if (!lacksFamily) return;
    void navigate({ to: '/students/$studentId/family/create', params: { studentId }, replace: true });
  }, [lacksFamily, navigate, studentId]);
}
