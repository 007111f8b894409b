import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SheetSaved } from '../../../contract/marksheets/sheets.ts';
import { ApiError, call, errorMessage } from '../../lib/api.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { readIds } from '../setup/sheet-form-values.ts';
import { useSheet } from '../sheet-context.ts';
import { invalidateSheet, sheetPath } from '../sheet-queries.ts';

export function AddStudentsDialog({ onClose }: { onClose: () => void }) {
  const { sheet_id } = useSheet();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const add = async () => {
    setIsRunning(true);
    try {
      const body = { ids: readIds(typed) };
      const { message } = await call<SheetSaved>('POST', `${sheetPath(sheet_id)}/students`, { body });
      await invalidateSheet(queries, sheet_id);
      flash(message);
      dialog.current?.close();
    } catch (refusal) {
      setError(firstText(refusal) ?? errorMessage(refusal, 'The students could not be added. Try again.'));
      setIsRunning(false);
    }
  };
  return (
    <TaskDialog dialog={dialog} title="Add students" isRunning={isRunning} onClose={onClose}>
      <form
        noValidate
        className="px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextAreaField
          name="ids"
          label="CMS IDs"
          value={typed}
          onChange={setTyped}
          rows={5}
          error={error}
          hint={`${formatStudentCount(readIds(typed).length)}. Spaces, commas or line ends separate them.`}
          required
        />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" processing={isRunning}>
            Add
          </Button>
        </div>
      </form>
    </TaskDialog>
  );
}

const firstText = (error: unknown) =>
  error instanceof ApiError ? Object.values(error.errors)[0]?.[0] : undefined;
