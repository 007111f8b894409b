import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { calendarDate } from '../../../domain/age.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { ReasonField } from '../../forms/reason-field.tsx';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { formatDate, plural } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { termsQuery } from '../../settings/term-queries.ts';
import { fullName } from '../../students/student-format.ts';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { useSheet } from '../sheet-context.tsx';
import { invalidateSheet } from '../sheet-queries.ts';

interface RemoveDialogProps {
  row: SheetRowReply;
  onClose: () => void;
}

/** Takes a student off a class list. After the last day to drop an administrator says why. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { term_id } = useSheet();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const term = useQuery(termsQuery).data?.find((one) => one.term_id === term_id);
  const lastDay = term?.add_until == null ? null : term.drop_until;
  return isAdmin && lastDay !== null && lastDay < calendarDate(new Date()) ? (
    <LateRemoval {...props} lastDay={lastDay} />
  ) : (
    <Removal {...props} />
  );
}

function useRemoval({ student_id }: SheetRowReply) {
  const { sheet_id } = useSheet();
  const queries = useQueryClient();
  return {
    run: (reason?: string) =>
      call('DELETE /api/sheets/:sheet_id/students/:student_id', {
        params: { sheet_id, student_id },
        query: { reason },
      }),
    failure: 'The student could not be taken off. Try again.',
    onDone: () => invalidateSheet(queries, sheet_id),
  };
}

/** Empty without marks. */
function marksText({ cells }: SheetRowReply): string {
  const marks = Object.values(cells).filter((cell) => cell !== null).length;
  return marks === 0 ? '' : ` with ${plural(marks, 'mark')}`;
}

function Removal({ row, onClose }: RemoveDialogProps) {
  const { run, ...removal } = useRemoval(row);
  const remove = useTask({ ...removal, run: () => run(), flashesProblem: true, onSettled: onClose });
  const marks = marksText(row);
  return (
    <ConfirmDialog
      isOpen
      tone={marks === '' ? 'ink' : 'danger'}
      text={`Are you sure you want to take ${fullName(row)} off this mark sheet${marks}?`}
      processing={remove.isRunning}
      onYes={() => remove.start()}
      onNo={onClose}
    />
  );
}

function LateRemoval({ row, lastDay, onClose }: RemoveDialogProps & { lastDay: string }) {
  const { run, ...removal } = useRemoval(row);
  return (
    <FormDialog
      {...removal}
      title={`Take ${fullName(row)} off this mark sheet${marksText(row)}`}
      fields={{ reason: '' }}
      action="Take off"
      variant="danger"
      run={({ reason }) => run(reason)}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="text-fg-2">
            {`Students were dropped until ${formatDate(lastDay)}. Who has attended since is set withdrawn instead, which leaves the row.`}
          </p>
          <ReasonField {...field('reason')} />
        </>
      )}
    </FormDialog>
  );
}
