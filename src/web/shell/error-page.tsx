import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** Shown when a page throws. Forms keep drafts, so a retry loses nothing. */
export function PageError() {
  return (
    <EmptyState
      title="Something went wrong"
      heading="h1"
      text="This page could not be shown. What you typed is kept; load the page again."
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
          <ButtonLink to="/">Home</ButtonLink>
        </div>
      }
    />
  );
}

/** Shown when something outside the shell, or the shell itself, throws; so it renders its own `main`. */
export function ErrorPage() {
  return (
    <main id="main" tabIndex={-1}>
      <PageError />
    </main>
  );
}
