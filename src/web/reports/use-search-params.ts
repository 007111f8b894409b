import { useNavigate, useSearch } from '@tanstack/react-router';
import { parseReportsSearchParams, type ReportsSearchParams } from './search-params.ts';

/** The search parameters of Reports, so that a reload and a link keep the report. `''` removes a parameter. */
export function useReportsSearchParams() {
  const address = useSearch({ from: '/staff/reports' });
  const navigate = useNavigate();
  const change = (parts: { [Name in keyof ReportsSearchParams]: string }) =>
    void navigate({
      to: '/reports',
      search: (now) => parseReportsSearchParams({ ...now, ...parts }),
      replace: true,
      resetScroll: false,
    });
  return { address, change };
}
