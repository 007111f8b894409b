import { useCurrentUser } from '../session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { HistoryList } from './history-list.tsx';

/** Who changed what, of everything; for administrators. */
export function HistoryPage() {
  const isAdmin = useCurrentUser()?.role === 'admin';
  return (
    <Page>
      {isAdmin ? (
        <>
          <PageHead
            title="History"
            sub="Every change, the latest first. Nothing here can be changed or removed."
          />
          <HistoryList path="/api/history" isOfEverything />
        </>
      ) : (
        <EmptyState heading="h1" title="Only an administrator can read the history of everything." />
      )}
    </Page>
  );
}
