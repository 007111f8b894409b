import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../lib/format.ts';
import { useCanWrite } from '../lib/session.ts';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { activeHoldsQuery } from './holds/hold-queries.ts';

/** The screens about papers. The register is for those who issue. */
export function DocumentsTabs() {
  const active = useQuery(activeHoldsQuery).data;
  if (!useCanWrite()) return null;
  const tabs = [
    { to: '/documents', name: 'Register' },
    { to: '/documents/holds', name: 'Holds', note: active === undefined ? undefined : formatCount(active) },
  ];
  return <PageTabs label="Documents" tabs={tabs} className="mb-5" />;
}
