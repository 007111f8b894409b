import { useEffect, useReducer, useState } from 'react';
import { countUnsentMarks } from '../../lib/drafts.ts';
import { useLogOut } from '../../lib/log-out.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Marks may be saved while the question is open. */
const RECOUNT_AFTER_MS = 500;

/** Asks before logging out, and says what that would discard. */
export function LogOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const logOut = useLogOut(onClose);
  const [isProcessing, setIsProcessing] = useState(false);
  const [, recount] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(recount, RECOUNT_AFTER_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  const unsent = isOpen ? countUnsentMarks() : 0;

  return (
    <ConfirmDialog
      isOpen={isOpen}
      text="You will be logged out. Do you wish to proceed?"
      onNo={onClose}
      onYes={() => {
        setIsProcessing(true);
        void logOut();
      }}
      processing={isProcessing}
    >
      {unsent === 0 ? undefined : (
        <p className="mt-2 text-fg-2 text-label">
          {unsent === 1 ? '1 mark is' : `${unsent} marks are`} not saved. Logging out discards{' '}
          {unsent === 1 ? 'it' : 'them'}.
        </p>
      )}
    </ConfirmDialog>
  );
}
