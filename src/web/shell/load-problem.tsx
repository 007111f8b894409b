import type { UseQueryResult } from '@tanstack/react-query';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { focusMain } from './focus-main.ts';

interface LoadProblemProps {
  query: Pick<UseQueryResult<unknown>, 'error' | 'isPending' | 'fetchStatus' | 'refetch'>;
}

/** Whether a page's read has failed or was cancelled, so that a skeleton would promise what never comes. */
export function hasLoadProblem({ query }: LoadProblemProps): boolean {
  return query.isPending ? query.fetchStatus === 'idle' : query.error !== null;
}

/** Says what became of a read that brought nothing, and tries again. Nothing while there is no problem. */
export function LoadProblem({ query }: LoadProblemProps) {
  if (!hasLoadProblem({ query })) return null;
  const tryAgain = () => {
    // The button goes with the problem.
    focusMain();
    void query.refetch();
  };
  return (
    <Alert tone={query.error ? 'danger' : 'warn'} className="mb-5">
      <p>{query.error ? query.error.message : 'Loading was cancelled.'}</p>
      <Button size="sm" className="mt-2.5 text-fg" onClick={tryAgain}>
        Try again
      </Button>
    </Alert>
  );
}
