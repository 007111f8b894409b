import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../lib/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { LogOutDialog } from '../../ui/dialog/log-out-dialog.tsx';
import { AuthLayout } from '../auth/auth-layout.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** For users whose role requires a second factor that they have not set up: nothing else opens before. */
export function TwoFactorPage() {
  const navigate = useNavigate();
  const [asksToLogOut, setAsksToLogOut] = useState(false);
  return (
    <AuthLayout
      title="Two-factor Authentication"
      text="Your role requires a second step when you sign in. Set it up to go on."
    >
      <TwoFactorPanel
        onSetUp={() => {
          // What was refused until now.
          queryClient.clear();
          void navigate({ to: '/' });
        }}
      />
      <Button className="self-start" onClick={() => setAsksToLogOut(true)}>
        Logout
      </Button>
      <LogOutDialog isOpen={asksToLogOut} onClose={() => setAsksToLogOut(false)} />
    </AuthLayout>
  );
}
