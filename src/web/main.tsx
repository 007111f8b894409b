import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchNavigation } from './after-navigation.ts';
import { onSessionEnded } from './api.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { storeShowsNavText } from './session.ts';
import { flash } from './shell/flash.tsx';
import { handSessionToNewTabs } from './shell/new-tabs.ts';
import { keepWheelFromNumbers } from './shell/wheel.ts';
import './styles/main.css';

storeShowsNavText(true);
watchNavigation(router);
handSessionToNewTabs();
keepWheelFromNumbers();
onSessionEnded((isTypedKept) => {
  queryClient.clear();
  flash(`Your session has ended. Sign in again.${isTypedKept ? ' What you typed is kept.' : ''}`, 'warning');
  void router.navigate({ to: '/login' });
});

const place = document.getElementById('root');
if (place === null) throw new Error('The page has no place for the application.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
