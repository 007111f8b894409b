import { Outlet, useLocation } from '@tanstack/react-router';
import { useCanWrite } from '../lib/session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page } from '../ui/page/page.tsx';

/** Wraps the pages that change records; users who may only read get a notice instead. */
export function WritersOnly() {
  return useCanWrite() ? <Outlet /> : <ReadersNotice />;
}

function ReadersNotice() {
  const isCourse = useLocation({ select: ({ pathname }) => pathname.startsWith('/courses') });
  return (
    <Page>
      <EmptyState
        heading="h1"
        title="Your role lets you read records, not change them."
        action={
          isCourse ? (
            <ButtonLink to="/courses">Courses</ButtonLink>
          ) : (
            <ButtonLink to="/students">Students</ButtonLink>
          )
        }
      />
    </Page>
  );
}
