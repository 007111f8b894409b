import { useNavigate, useRouter } from '@tanstack/react-router';
import type { SignedIn } from '../../../contract/accounts/accounts.ts';
import { hasDrafts } from '../../lib/drafts.ts';
import { type ReturnPage, takeReturnPage } from '../../lib/navigation/return-page.ts';
import { queryClient } from '../../lib/query-client.ts';
import { signIn, storeStartingSemester } from '../../lib/session.ts';
import { flash } from '../../ui/flash.tsx';

/** Starts a session, goes Home and offers the way back to the page that was open before. */
export function useSignIn() {
  const navigate = useNavigate();
  const router = useRouter();

  const offer = (page: ReturnPage) => {
    const { pathname } = new URL(page.path, location.origin);
    const [routes, params] = router.getMatchedRoutes(pathname);
    const title = routes.at(-1)?.options.staticData?.title;
    // Home is open already, and an unknown path is no page.
    if (pathname === '/' || title === undefined) return;
    const { studentId } = params;
    const semester = studentId === undefined ? null : page.semester;
    flash(
      page.hasDraft && hasDrafts() ? 'You are signed in. What you typed is kept.' : 'You are signed in.',
      'done',
      {
        label: `Continue with ${semester === null ? (studentId ?? title) : `${studentId}, semester ${semester}`}`,
        run: () => {
          if (studentId !== undefined && semester !== null) storeStartingSemester(studentId, semester);
          router.history.push(page.path);
        },
      },
    );
  };

  return async (reply: SignedIn) => {
    queryClient.clear();
    signIn(reply);
    await navigate({ to: '/' });
    const page = takeReturnPage(reply.user.id);
    if (page !== null) offer(page);
  };
}
