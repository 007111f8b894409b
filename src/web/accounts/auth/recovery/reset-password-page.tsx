import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../../lib/call.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { endSession, useCurrentUser } from '../../../lib/session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { flash } from '../../../ui/flash.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { isRecoveryMailEnabled, useResetToken } from './recovery-link.ts';

const TITLE = 'Set a New Password';

/** The target of the mailed link; a placeholder when recovery by mail is off. */
export function ResetPasswordPage() {
  return isRecoveryMailEnabled() ? <SetPasswordPage /> : <Placeholder />;
}

/** The target of a link that an administrator hands over. */
export function SetPasswordPage() {
  const token = useResetToken();
  const navigate = useNavigate();
  if (token === '') return <WithoutLink />;
  return (
    <AuthLayout title={TITLE} text="Choose the password that you will sign in with.">
      <NewPasswordForm
        token={token}
        save={(body) => call('POST /api/reset-password', { body })}
        submitLabel="Update Password"
        invalidLink={<NewLink />}
        onSet={async ({ message }) => {
          // The server has ended the account's sessions, so the user signs in again with the new password.
          endSession();
          queryClient.clear();
          flash(message);
          await navigate({ to: '/login' });
        }}
      />
    </AuthLayout>
  );
}

/** The page that requests links is closed to signed-in users, and they need no link. */
function NewLink() {
  const isSignedIn = useCurrentUser() !== null;
  if (isSignedIn) return <Link to="/list-users">Change it in Your Profile</Link>;
  if (!isRecoveryMailEnabled()) return 'Ask an administrator for a new link.';
  return <Link to="/forgot-password">Ask for a new link</Link>;
}

function Placeholder() {
  return (
    <main id="main" tabIndex={-1} className="p-(--gutter)">
      <h1 className="font-normal text-body tracking-normal">please help</h1>
    </main>
  );
}

function WithoutLink() {
  const isSignedIn = useCurrentUser() !== null;
  return (
    <AuthLayout
      title={TITLE}
      text={
        isRecoveryMailEnabled()
          ? 'Open the link in the mail that was sent to you. It works once, and for 30 minutes.'
          : 'Open the link that an administrator gave you. It works once, and for 24 hours.'
      }
    >
      {isSignedIn ? (
        <ButtonLink to="/list-users" variant="primary" size="lg">
          Change it in Your Profile
        </ButtonLink>
      ) : (
        <>
          {isRecoveryMailEnabled() && (
            <ButtonLink to="/forgot-password" variant="primary" size="lg">
              Ask for a new link
            </ButtonLink>
          )}
          <p className="text-label">
            <Link to="/login" className="link">
              Sign in.
            </Link>
          </p>
        </>
      )}
    </AuthLayout>
  );
}
