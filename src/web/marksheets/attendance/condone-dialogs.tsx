import { useQueryClient } from '@tanstack/react-query';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { fullName } from '../../students/student-format.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import { useSheet } from '../sheet-context.tsx';
import { mergeRows } from '../sheet-queries.ts';

interface CondoneDialogProps {
  row: SheetRowReply;
  onClose: () => void;
}

/** Condones the short attendance of a student, or takes that back. */
export function CondoneDialog(props: CondoneDialogProps) {
  return props.row.attendance?.condoned ? <TakeBackDialog {...props} /> : <ReasonDialog {...props} />;
}

function useCondone({ student_id }: SheetRowReply) {
  const { sheet_id } = useSheet();
  const queries = useQueryClient();
  return {
    condone: (reason: string | null) =>
      call('PUT /api/sheets/:sheet_id/rows/:student_id/condone', {
        params: { sheet_id, student_id },
        body: { reason },
      }),
    show: ({ version, row }: { version: number; row: SheetRowReply }) =>
      mergeRows(queries, sheet_id, { version, rows: [row] }),
  };
}

function ReasonDialog({ row, onClose }: CondoneDialogProps) {
  const { condone, show } = useCondone(row);
  return (
    <FormDialog
      title={`Condone the attendance of ${fullName(row)}`}
      fields={{ reason: '' }}
      action="Condone"
      failure="The attendance could not be condoned. Try again."
      run={({ reason }) => condone(reason)}
      onDone={show}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="text-fg-2">
            The figures stay as they are, and no longer warn at submission. A change of a figure ends it.
          </p>
          <TextAreaField {...field('reason')} label="Reason" rows={2} required />
        </>
      )}
    </FormDialog>
  );
}

function TakeBackDialog({ row, onClose }: CondoneDialogProps) {
  const { condone, show } = useCondone(row);
  const takeBack = useTask({
    run: () => condone(null),
    failure: 'The condoning could not be taken back. Try again.',
    flashesProblem: true,
    onDone: show,
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      text={`Are you sure you want to take back the condoning of ${fullName(row)}?`}
      processing={takeBack.isRunning}
      onYes={() => takeBack.start()}
      onNo={onClose}
    >
      <p className="wrap-anywhere mt-2 text-fg-2 text-label">{row.attendance?.condoned?.reason}</p>
    </ConfirmDialog>
  );
}
