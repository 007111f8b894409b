import { Outlet, useLocation } from '@tanstack/react-router';
import { useMayWrite } from '../session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** Around the pages that change records: those who only read are told so instead. */
export function WritersOnly() {
  return useMayWrite() ? <Outlet /> : <ReadersNotice />;
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
