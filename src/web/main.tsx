import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { errorMessage, onSecondFactorNeeded, onSessionEnded } from './lib/api.ts';
import { discardOldDrafts } from './lib/drafts.ts';
import { focusWhatIsClicked, watchNavigation } from './lib/navigation/navigation.ts';
import { shareSessionWithNewTabs } from './lib/navigation/new-tabs.ts';
import { storeEndedPage } from './lib/navigation/return-page.ts';
import { tolerateTranslators } from './lib/page/page-translators.ts';
import { unfoldForPrint } from './lib/printing/unfold-for-print.ts';
import { queryClient } from './lib/query-client.ts';
import { endSession, storeNavExpanded } from './lib/session.ts';
import { router } from './router.tsx';
import { blurNumberOnWheel } from './ui/fields/blur-number-on-wheel.ts';
import { flash } from './ui/flash.tsx';
import './styles/main.css';

tolerateTranslators();
discardOldDrafts();
storeNavExpanded(true);
watchNavigation(router);
shareSessionWithNewTabs();
blurNumberOnWheel();
focusWhatIsClicked();
unfoldForPrint();
onSessionEnded(({ userId, hasDraft }) => {
  storeEndedPage({ path: router.state.location.href, userId, hasDraft });
  endSession();
  queryClient.clear();
  flash(`Your session has ended. Sign in again.${hasDraft ? ' What you typed is kept.' : ''}`, 'warning');
  void router.navigate({ to: '/login' });
});

// What nothing else shows; an aborted call has been given up by the user.
window.addEventListener('unhandledrejection', ({ reason }) => {
  if (reason instanceof DOMException && reason.name === 'AbortError') return;
  flash(errorMessage(reason, 'Something went wrong. Try again.'), 'warning');
});

onSecondFactorNeeded(() => void router.navigate({ to: '/two-factor', replace: true }));

// See theme.js.
document.documentElement.dataset.started = '';
const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no element #root.');
createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
