import { useParams } from '@tanstack/react-router';

/** The student whom the address is about. */
export function useStudentId(): string {
  const { studentId } = useParams({ strict: false });
  if (studentId === undefined) throw new Error('This address names no student.');
  return studentId;
}
