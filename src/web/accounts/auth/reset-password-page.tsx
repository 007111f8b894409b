import { Link } from '@tanstack/react-router';
import { useCurrentUser } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { isRecoveryMailEnabled, useResetToken } from './recovery-link.ts';

const TITLE = 'Set a New Password';

/** The target of the mailed link; a placeholder when recovery by mail is off. */
export function ResetPasswordPage() {
  const token = useResetToken();
  if (!isRecoveryMailEnabled()) return <Placeholder />;
  if (token === '') return <WithoutLink />;
  return (
    <AuthLayout title={TITLE} text="Choose the password that you will sign in with.">
      <NewPasswordForm token={token} />
    </AuthLayout>
  );
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
      text="Open the link in the mail that was sent to you. It works once, and for 30 minutes."
    >
      {isSignedIn ? (
        <ButtonLink to="/list-users" variant="primary" size="lg">
          Change it in Your Profile
        </ButtonLink>
      ) : (
        <>
          <ButtonLink to="/forgot-password" variant="primary" size="lg">
            Ask for a new link
          </ButtonLink>
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
