import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api.ts';
import { flash } from '../shell/flash.tsx';

/** An ID that stands for nobody (any more) leads to the list, with the server's word about it. */
export function useUnknownStudent(error: Error | null): void {
  const navigate = useNavigate();
  const isUnknown = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (!isUnknown || error === null) return;
    flash(error.message, 'warning');
    void navigate({ to: '/students', replace: true });
  }, [isUnknown, error, navigate]);
}
