import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** A fault of a page. What was typed is in the drafts, so starting over loses nothing. */
export function PageFault() {
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

/** A fault outside of the shell, or of the shell itself: the page brings its own `main`. */
export function ErrorPage() {
  return (
    <main id="main" tabIndex={-1}>
      <PageFault />
    </main>
  );
}
