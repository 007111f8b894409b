import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import type { RowStatus } from '../../../domain/marksheets/class-statistics.ts';
import { SEMESTER_COUNT } from '../../../domain/student.ts';
import { displayErrorTexts } from '../../forms/error-texts.ts';
import type { FieldErrors } from '../../forms/use-draft-form.ts';
import { ApiError, call, errorMessage } from '../../lib/api.ts';
import { oneOf } from '../../lib/one-of.ts';
import { fullName } from '../../students/student-format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { useSheet } from '../sheet-context.ts';
import { mergeRows, sheetPath } from '../sheet-queries.ts';
import { ROW_STATUS_NAMES } from '../sheet-words.ts';

interface RowSaved {
  message: string;
  version: number;
  row: SheetRowReply;
}

const STATUSES = ['graded', 'incomplete', 'withdrawn', 'excused'] as const satisfies readonly RowStatus[];

/** How the row of a student ends, why, and in which semester the student takes the course. */
export function RowDialog({ row, onClose }: { row: SheetRowReply; onClose: () => void }) {
  const { sheet_id, semester: ofClass } = useSheet();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [status, setStatus] = useState<RowStatus>(row.status);
  const [reason, setReason] = useState(row.reason ?? '');
  const [semester, setSemester] = useState(row.semester === ofClass ? '' : String(row.semester));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const save = async () => {
    setIsRunning(true);
    setFailure(undefined);
    try {
      const path = `${sheetPath(sheet_id)}/rows/${encodeURIComponent(row.student_id)}`;
      const body = { status, reason, semester };
      const saved = await call<RowSaved>('PUT', path, { body });
      mergeRows(queries, sheet_id, { version: saved.version, rows: [saved.row] });
      flash(saved.message);
      dialog.current?.close();
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) setErrors(displayErrorTexts(error.errors));
      else setFailure(errorMessage(error, 'The row could not be saved. Try again.'));
      setIsRunning(false);
    }
  };
  return (
    <TaskDialog dialog={dialog} title={fullName(row)} isRunning={isRunning} onClose={onClose}>
      <form
        noValidate
        className="grid gap-4 px-5 pb-5"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {failure !== undefined && <Alert>{failure}</Alert>}
        <SelectField
          name="status"
          label="Ends as"
          value={status}
          onChange={(to) => setStatus(oneOf(STATUSES, to) ?? status)}
          options={STATUSES.map((value) => ({ value, label: ROW_STATUS_NAMES[value] }))}
          error={errors.status}
          hint={status === 'graded' ? undefined : 'The result is recorded without a grade.'}
        />
        <TextField
          name="reason"
          label="Reason"
          value={reason}
          onChange={setReason}
          error={errors.reason}
          required={status !== 'graded'}
        />
        <SelectField
          name="semester"
          label="Takes the course in"
          value={semester}
          onChange={setSemester}
          placeholder={`Semester ${ofClass}, as the class`}
          options={Array.from({ length: SEMESTER_COUNT }, (_, i) => i + 1)
            .filter((one) => one !== ofClass)
            .map((one) => ({ value: String(one), label: `Semester ${one}` }))}
          error={errors.semester}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" processing={isRunning}>
            Save
          </Button>
        </div>
      </form>
    </TaskDialog>
  );
}
