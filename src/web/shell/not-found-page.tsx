import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page } from '../ui/page/page.tsx';

export function NotFoundPage() {
  return (
    <Page>
      <EmptyState
        title="Page not found"
        heading="h1"
        text="There is nothing at this address."
        action={<ButtonLink to="/">Home</ButtonLink>}
      />
    </Page>
  );
}
