import { useNavigate, useSearch } from '@tanstack/react-router';
import { type InsightsSearchParams, parseInsightsSearchParams } from './search-params.ts';

/** The search parameters of Insights, so that a reload and a link keep the view. `''` removes a parameter. */
export function useInsightsSearchParams() {
  const address = useSearch({ from: '/staff/insights' });
  const navigate = useNavigate();
  const change = (parts: { [Name in keyof InsightsSearchParams]: string }) =>
    void navigate({
      to: '/insights',
      search: (now) => parseInsightsSearchParams({ ...now, ...parts }),
      replace: true,
      resetScroll: false,
    });
  return { address, change };
}
