import { useNavigate, useSearch } from '@tanstack/react-router';
import { type InsightsAddress, readInsightsAddress } from './insights-address.ts';

/** How the figures are shown stands in the address, so that a reload and a link keep it. `''` takes a part away. */
export function useInsightsAddress() {
  const address = useSearch({ from: '/staff/insights' });
  const navigate = useNavigate();
  const change = (parts: { [Name in keyof InsightsAddress]: string }) =>
    void navigate({
      to: '/insights',
      search: (now) => readInsightsAddress({ ...now, ...parts }),
      replace: true,
      resetScroll: false,
    });
  return { address, change };
}
