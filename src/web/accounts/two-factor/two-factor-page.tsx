import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLogOut } from '../../lib/log-out.ts';
import { queryClient } from '../../lib/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { AuthLayout } from '../auth/auth-layout.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** For users whose role requires a second factor that they have not set up: nothing else opens before. */
export function TwoFactorPage() {
  const navigate = useNavigate();
  const logOut = useLogOut();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <AuthLayout
      title="Two-step Verification"
      text="Your role requires a second step when you sign in. Set it up to go on."
    >
      <TwoFactorPanel
        onSetUp={() => {
          // What was refused until now.
          queryClient.clear();
          void navigate({ to: '/' });
        }}
      />
      <Button
        className="self-start"
        processing={isLeaving}
        onClick={() => {
          setIsLeaving(true);
          void logOut();
        }}
      >
        Logout
      </Button>
    </AuthLayout>
  );
}
