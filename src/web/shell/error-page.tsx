import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** A fault of the application itself. What was typed is in the drafts, so starting over loses nothing. */
export function ErrorPage() {
  return (
    <main id="main" tabIndex={-1}>
      <EmptyState
        title="Something went wrong"
        heading="h1"
        text="This page could not be shown. What you typed is kept; load the page again."
        action={
          <Button variant="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
        }
      />
    </main>
  );
}
