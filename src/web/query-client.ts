import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A failed read says so at once and offers to try again; silent repeats only make the person wait.
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
    },
  },
});
