import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import type { RowStatus } from '../../../domain/marksheets/class-statistics.ts';
import { SEMESTER_COUNT } from '../../../domain/student.ts';
import { mergeRemoteChanges } from '../../forms/conflicts/merge-remote-changes.ts';
import { Form } from '../../forms/form.tsx';
import { useTask } from '../../forms/use-task.ts';
import { call, findRefusal } from '../../lib/call.ts';
import { fullName, ROW_STATUS_NAMES } from '../../students/student-format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { useSheet } from '../sheet-context.tsx';
import { mergeRows } from '../sheet-queries.ts';

const STATUSES = [
  'graded',
  'incomplete',
  'withdrawn',
  'excused',
  'barred',
] as const satisfies readonly RowStatus[];

const getHint = (status: string) =>
  status === 'barred'
    ? 'Not admitted to the final: the result is an F, whatever the marks are.'
    : status === 'graded'
      ? undefined
      : 'The result is recorded without a grade.';

const toValues = ({ status, reason, semester }: SheetRowReply, ofClass: number) => ({
  status: String(status),
  reason: reason ?? '',
  semester: semester === ofClass ? '' : String(semester),
});

/** A status is changed together with its reason. */
const getPart = (name: string) => (name === 'reason' ? 'status' : name);

const SAVE = 'PUT /api/sheets/:sheet_id/rows/:student_id';

/** How the row of a student ends, why, and in which semester the student takes the course. */
export function RowDialog({ row, onClose }: { row: SheetRowReply; onClose: () => void }) {
  const { sheet_id, semester: ofClass } = useSheet();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  /** The row that the changes are based on. */
  const [stored, setStored] = useState(row);
  const [values, setValues] = useState(() => toValues(row, ofClass));
  const [isConflict, setIsConflict] = useState(false);
  const change = (changed: Partial<typeof values>) => setValues({ ...values, ...changed });

  /** Shows what another user has stored, but for what was changed here. */
  const takeCurrent = (current: SheetRowReply) => {
    const theirs = toValues(current, ofClass);
    const changes = { base: toValues(stored, ofClass), mine: values, stored: theirs, getPart };
    const { merged } = mergeRemoteChanges(changes);
    change(Object.fromEntries(merged.map((name) => [name, theirs[name]])));
    setStored(current);
    setIsConflict(true);
  };

  const { start, isRunning, errors, error, problem } = useTask({
    run: () => {
      const { status, reason, semester } = stored;
      return call(SAVE, {
        params: { sheet_id, student_id: row.student_id },
        body: { ...values, was: { status, reason, semester } },
      });
    },
    failure: 'The row could not be saved. Try again.',
    fields: Object.keys(values),
    onDone: (saved) => {
      mergeRows(queries, sheet_id, { version: saved.version, rows: [saved.row] });
      dialog.current?.close();
    },
    onError: (error) => {
      const outdated = findRefusal(error, SAVE, 412);
      if (outdated) takeCurrent(outdated.current);
    },
  });
  const { status, reason, semester } = values;
  return (
    <TaskDialog dialog={dialog} title={fullName(row)} isRunning={isRunning} onClose={onClose}>
      <Form className="grid gap-4 px-5 pb-5" onSubmit={() => start()}>
        {isConflict && (
          <Alert tone="warn">
            {`Another user changed this row while you were editing. Stored now: ${rowText(stored)}. Save again to store what is below.`}
          </Alert>
        )}
        {problem !== undefined && findRefusal(error, SAVE, 412) === undefined && <Alert>{problem}</Alert>}
        <SelectField
          name="status"
          label="Result"
          value={status}
          onChange={(to) => change({ status: to })}
          options={STATUSES.map((value) => ({ value, label: ROW_STATUS_NAMES[value] }))}
          error={errors.status}
          hint={getHint(status)}
        />
        <TextField
          name="reason"
          label="Reason"
          value={reason}
          onChange={(to) => change({ reason: to })}
          error={errors.reason}
          required={status !== 'graded'}
        />
        <SelectField
          name="semester"
          label="Counts in semester"
          value={semester}
          onChange={(to) => change({ semester: to })}
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
      </Form>
    </TaskDialog>
  );
}

const rowText = ({ status, reason, semester }: SheetRowReply) =>
  [ROW_STATUS_NAMES[status], ...(reason === null ? [] : [`“${reason}”`]), `semester ${semester}`].join(', ');
