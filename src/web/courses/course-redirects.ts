import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { flash } from '../ui/flash.tsx';

/** The course ID in the URL, as text: it may hold anything. */
export function useCourseId(): string {
  const { courseId } = useParams({ strict: false });
  if (courseId === undefined) throw new Error('This address names no course.');
  return courseId;
}

interface CourseRead {
  data: { canProceed: boolean; message: string } | undefined;
  isFetching: boolean;
}

/** Redirects to the create page when the course does not exist, with the server's message. */
export function useCourseNotFoundRedirect({ data, isFetching }: CourseRead): void {
  const navigate = useNavigate();
  // Cached answers don't count: the course may have been added since.
  const refusal = !isFetching && data?.canProceed === false ? data.message : undefined;
  useEffect(() => {
    if (refusal === undefined) return;
    flash(refusal, 'warning');
    void navigate({ to: '/courses/create', replace: true });
  }, [refusal, navigate]);
}
