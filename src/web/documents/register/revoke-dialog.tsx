import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { IssuedDocument } from '../../../contract/documents/documents.ts';
import { DOCUMENT_TITLES } from '../../../domain/documents/kinds.ts';
import { displayErrorTexts } from '../../forms/error-texts.ts';
import { ApiError, call, errorMessage } from '../../lib/api.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { documentPath, REGISTER_KEY } from '../document-queries.ts';

/** Declares a document invalid, with the reason. */
export function RevokeDialog({ issued, onClose }: { issued: IssuedDocument; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const revoke = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    if (reason.trim() === '') return setError('Required');
    setIsRunning(true);
    setError(undefined);
    setFailure(undefined);
    try {
      const { message } = await call<{ message: string }>('POST', `${documentPath(issued.serial)}/revoke`, {
        body: { reason },
      });
      await queries.invalidateQueries({ queryKey: REGISTER_KEY });
      setIsRunning(false);
      dialog.current?.close();
      flash(message);
    } catch (refusal) {
      setIsRunning(false);
      if (refusal instanceof ApiError && refusal.status === 422) {
        return setError(displayErrorTexts(refusal.errors).reason);
      }
      setFailure(errorMessage(refusal, 'The document could not be revoked. Try again.'));
    }
  };
  return (
    <TaskDialog dialog={dialog} title={`Revoke ${issued.serial}`} isRunning={isRunning} onClose={onClose}>
      <form noValidate onSubmit={(event) => void revoke(event)} className="flex min-h-0 flex-1 flex-col">
        <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-5 pb-1">
          {failure !== undefined && <Alert>{failure}</Alert>}
          <p className="text-pretty text-fg-2">
            {DOCUMENT_TITLES[issued.kind]} of <bdi className="font-[560] text-fg">{issued.student_name}</bdi>.
            Whoever checks it is told that it must not be accepted. It stays in the register. This can't be
            undone.
          </p>
          <TextField
            label="Reason"
            name="revoke-reason"
            value={reason}
            onChange={setReason}
            maxLength={255}
            error={error}
            hint="Stands in the register only."
            required
          />
        </div>
        <div className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-4 max-xs:*:grow">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="danger" processing={isRunning}>
            Revoke document
          </Button>
        </div>
      </form>
    </TaskDialog>
  );
}
