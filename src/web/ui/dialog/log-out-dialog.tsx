import { useNavigate } from '@tanstack/react-router';
import { useEffect, useReducer, useState } from 'react';
import { call } from '../../lib/call.ts';
import { countUnsentMarks } from '../../lib/drafts.ts';
import { plural } from '../../lib/format.ts';
import { queryClient } from '../../lib/query-client.ts';
import { beginLogout, endSession } from '../../lib/session.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Marks may be saved while the question is open. */
const RECOUNT_AFTER_MS = 500;

/**
 * Asks before logging out, and says what that would discard. Yes ends the session here even when the server can't be reached; there
 * it then expires.
 */
export function LogOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [isProcessing, setIsProcessing] = useState(false);
  const [, recount] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(recount, RECOUNT_AFTER_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  const logOut = async () => {
    setIsProcessing(true);
    // The request already carries the token, so the token can be removed before the response.
    const response = call('POST /api/logout').catch(() => undefined);
    beginLogout();
    await response;
    endSession();
    onClose();
    await navigate({ to: '/login' });
    // Last: otherwise the page being left would refetch its data.
    queryClient.clear();
  };
  const unsent = isOpen ? countUnsentMarks() : 0;

  return (
    <ConfirmDialog
      isOpen={isOpen}
      text="You will be logged out. Do you wish to proceed?"
      onNo={onClose}
      onYes={() => void logOut()}
      processing={isProcessing}
    >
      {unsent === 0 ? undefined : (
        <p className="mt-2 text-fg-2 text-label">
          {plural(unsent, 'mark is', 'marks are')} not saved. Logging out discards{' '}
          {unsent === 1 ? 'it' : 'them'}.
        </p>
      )}
    </ConfirmDialog>
  );
}
