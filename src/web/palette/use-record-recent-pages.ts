import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { addRecentPage } from '../lib/navigation/recent-pages.ts';
import { recentPagePath } from './screens.ts';

/** Stores the opened pages as recent pages. */
export function useRecordRecentPages(): void {
  const page = useRouterState({
    select: ({ resolvedLocation }) => recentPagePath(resolvedLocation?.pathname ?? ''),
  });
  useEffect(() => {
    if (page !== null) addRecentPage(page);
  }, [page]);
}
