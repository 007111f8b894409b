import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { flash } from '../shell/flash.tsx';

interface CourseRead {
  data: { canProceed: boolean; message: string } | undefined;
  isFetching: boolean;
}

/** A course that may not be shown leads to where one is added, with the server's word about it. */
export function useUnknownCourse({ data, isFetching }: CourseRead): void {
  const navigate = useNavigate();
  // A kept refusal may be out of date: the course may have been added since.
  const refusal = !isFetching && data?.canProceed === false ? data.message : undefined;
  useEffect(() => {
    if (refusal === undefined) return;
    flash(refusal, 'warning');
    void navigate({ to: '/courses/create', replace: true });
  }, [refusal, navigate]);
}
