import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api.ts';
import { queryClient } from '../query-client.ts';
import { signOut } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Yes ends the session here even when the server can't be told; it then ends there by its own expiry. */
export function LogoutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [isProcessing, setIsProcessing] = useState(false);

  const logOut = async () => {
    setIsProcessing(true);
    await call('POST', '/api/logout').catch(() => undefined);
    signOut();
    queryClient.clear();
    onClose();
    await navigate({ to: '/login' });
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
