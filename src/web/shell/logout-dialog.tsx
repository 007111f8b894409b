import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api.ts';
import { queryClient } from '../query-client.ts';
import { endSession, giveUpSession } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Yes ends the session here even when the server can't be told; it then ends there by its own expiry. */
export function LogoutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [isProcessing, setIsProcessing] = useState(false);

  const logOut = async () => {
    setIsProcessing(true);
    // The call takes the token along, so the token can go before the answer.
    const told = call('POST', '/api/logout').catch(() => undefined);
    giveUpSession();
    await told;
    endSession();
    onClose();
    await navigate({ to: '/login' });
    // Not before: the page that is left would read its data anew.
    queryClient.clear();
  };

  return (
    <Dialog
      isOpen={isOpen}
      text="You will be logged out. Do you wish to proceed?"
      onNo={onClose}
      onYes={() => void logOut()}
      processing={isProcessing}
    />
  );
}
