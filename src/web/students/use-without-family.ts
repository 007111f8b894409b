import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { StudentRecord } from '../../contract/students.ts';
import { useMayWrite } from '../session.ts';

/** A record whose family step has not been done (`null`) leads to that step, for those who may do it. */
export function useWithoutFamily(studentId: string, record: StudentRecord | null | undefined): void {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayWrite = useMayWrite();
  const lacksFamily = record === null && mayWrite;
  useEffect(() => {
    if (!lacksFamily) return;
    void navigate({ to: '/students/$studentId/family/create', params: { studentId }, replace: true });
  }, [lacksFamily, navigate, studentId]);
  // Not kept for the next visit: the record may be completed elsewhere in the meantime.
  useEffect(() => {
    if (record !== null) return;
    return () => queries.removeQueries({ queryKey: ['students', 'record', studentId], type: 'inactive' });
  }, [record, queries, studentId]);
}
