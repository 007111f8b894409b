import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';
import { AuthLayout } from './auth-layout.tsx';
import { NewPasswordForm } from './recovery/new-password-form.tsx';
import { useResetToken } from './recovery/recovery-link.ts';
import { useSignIn } from './use-sign-in.ts';

const NEW_LINK = 'Ask the administrator who invited you for a new link.';

/** The target of the link with which a user is invited. Opening the page does not use the link. */
export function InvitationPage() {
  const token = useResetToken();
  const signIn = useSignIn();
  if (token === '') {
    return (
      <AuthLayout title="Your Invitation" text={`Open the link that you were given. ${NEW_LINK}`}>
        {null}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Your Invitation" text="Choose the password that you will sign in with.">
      <NewPasswordForm
        token={token}
        save={(body) => call('POST /api/accept-invitation', { body })}
        submitLabel="Set Password and Sign In"
        invalidLink={NEW_LINK}
        onSet={(reply) => {
          // Another user may be signed in here.
          endSession();
          return signIn(reply);
        }}
      />
    </AuthLayout>
  );
}
