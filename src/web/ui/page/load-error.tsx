import type { UseQueryResult } from '@tanstack/react-query';
import { Alert } from '../alert.tsx';
import { Button } from '../button.tsx';

export interface LoadErrorProps {
  query: Pick<UseQueryResult<unknown>, 'error' | 'isPending' | 'fetchStatus' | 'refetch'>;
}

/** Whether a page's read failed or was cancelled, so that no skeleton should be shown. */
export function hasLoadError({ query }: LoadErrorProps): boolean {
  return query.isPending ? query.fetchStatus === 'idle' : query.error !== null;
}

/** The error of a page's read, with a button to try again. Renders nothing without an error. */
export function LoadError({ query }: LoadErrorProps) {
  if (!hasLoadError({ query })) return null;
  return (
    <Alert tone={query.error ? 'danger' : 'warn'} className="mb-5">
      <p>{query.error ? query.error.message : 'Loading was cancelled.'}</p>
      <Button size="sm" className="mt-2.5 text-fg" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Alert>
  );
}
