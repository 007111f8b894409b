import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { errorMessage } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { useCanWrite } from '../../lib/session.ts';
import { fullName } from '../../students/student-format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { flash } from '../../ui/flash.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import {
  CELL_ROLE,
  COLUMN_HEADER_ROLE,
  ROW_GROUP_ROLE,
  ROW_ROLE,
  TABLE_ROLE,
  TableContainer,
} from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { SheetActions, useCanEdit, useSheet } from '../sheet-context.tsx';
import { AwardListButton } from '../sheet-file-buttons.tsx';
import { invalidateSheet } from '../sheet-queries.ts';
import { ROW_STATUS_NAMES } from '../sheet-words.ts';
import { AddStudentsDialog } from './add-students-dialog.tsx';
import { RowDialog } from './row-dialog.tsx';

/** The students of a sheet, and how their rows end. */
export function ClassTab() {
  const { rows, rectifies } = useSheet();
  const canEdit = useCanEdit();
  const canWrite = useCanWrite();
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<SheetRowReply>();
  const [removed, setRemoved] = useState<SheetRowReply>();
  const canChangeList = canEdit && rectifies === null;
  const addButton = canChangeList && (
    <Button onClick={() => setIsAdding(true)}>
      <UserPlus strokeWidth={1.75} aria-hidden="true" />
      Add students
    </Button>
  );
  return (
    <>
      {rows.length > 0 && (
        <SheetActions>
          {canWrite && <AwardListButton />}
          {addButton}
        </SheetActions>
      )}
      {rows.length === 0 ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="No student is on this mark sheet"
            text="Marks can be entered once there are students."
            action={addButton || undefined}
          />
        </div>
      ) : (
        <TableContainer>
          <table {...TABLE_ROLE} aria-label="Class list" className="tbl class-table">
            <thead {...ROW_GROUP_ROLE}>
              <tr {...ROW_ROLE}>
                {['CMS ID', 'Name', 'Syndicate', 'Counts in semester', 'Result'].map((head) => (
                  <th key={head} scope="col" {...COLUMN_HEADER_ROLE}>
                    {head}
                  </th>
                ))}
                {canEdit && (
                  <th scope="col" {...COLUMN_HEADER_ROLE}>
                    <span className="sr-only">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody {...ROW_GROUP_ROLE}>
              {rows.map((row) => (
                <ClassRow
                  key={row.student_id}
                  row={row}
                  onEdit={canEdit ? setEdited : undefined}
                  onRemove={canChangeList ? setRemoved : undefined}
                />
              ))}
            </tbody>
          </table>
        </TableContainer>
      )}
      {isAdding && <AddStudentsDialog onClose={() => setIsAdding(false)} />}
      {edited && <RowDialog row={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveDialog row={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

interface ClassRowProps {
  row: SheetRowReply;
  onEdit: ((row: SheetRowReply) => void) | undefined;
  onRemove: ((row: SheetRowReply) => void) | undefined;
}

function ClassRow({ row, onEdit, onRemove }: ClassRowProps) {
  const { student_id, syn, status, reason, recorded, blocked } = row;
  const { semester } = useSheet();
  const name = fullName(row);
  return (
    <tr {...ROW_ROLE}>
      <td {...CELL_ROLE} className="class-id">
        {student_id}
      </td>
      <td {...CELL_ROLE} className="class-name strong wrap-anywhere">
        <Link to="/students/$studentId" params={{ studentId: student_id }} className="hover:text-ink-text">
          {name}
        </Link>
      </td>
      <td {...CELL_ROLE} className="max-md:hidden">
        {syn ?? '--'}
      </td>
      <td {...CELL_ROLE} className={row.semester === semester ? 'max-md:hidden' : undefined}>
        <span className="md:hidden">Semester </span>
        {row.semester}
        {row.semester !== semester && (
          <span className="text-fg-3 text-label">{`, the class in ${semester}`}</span>
        )}
      </td>
      <td {...CELL_ROLE}>
        {status === 'graded' ? ROW_STATUS_NAMES.graded : <Tag tone="warn">{ROW_STATUS_NAMES[status]}</Tag>}
        {reason !== null && <span className="wrap-anywhere block text-fg-3 text-label">{reason}</span>}
        {recorded === false && (
          <span className="ms-2">
            <Tag tone="warn">Not recorded</Tag>
          </span>
        )}
        {blocked !== null && <span className="wrap-anywhere block text-label text-warn">{blocked}</span>}
      </td>
      {onEdit && (
        <td {...CELL_ROLE} className="class-actions num whitespace-nowrap">
          <IconButton label={`Change the row of ${name}`} onClick={() => onEdit(row)}>
            <Pencil strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
          {onRemove && (
            <IconButton label={`Take ${name} off the list`} onClick={() => onRemove(row)}>
              <X strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          )}
        </td>
      )}
    </tr>
  );
}

function RemoveDialog({ row, onClose }: { row: SheetRowReply; onClose: () => void }) {
  const { sheet_id } = useSheet();
  const queries = useQueryClient();
  const [isRunning, setIsRunning] = useState(false);
  const marks = Object.values(row.cells).filter((cell) => cell !== null).length;
  const remove = async () => {
    setIsRunning(true);
    try {
      const { message } = await call('DELETE /api/sheets/:sheet_id/students/:student_id', {
        params: { sheet_id, student_id: row.student_id },
      });
      flash(message);
      await invalidateSheet(queries, sheet_id);
      onClose();
    } catch (error) {
      flash(errorMessage(error, 'The student could not be taken off. Try again.'), 'warning');
      onClose();
    }
  };
  return (
    <ConfirmDialog
      isOpen
      tone={marks > 0 ? 'danger' : 'ink'}
      text={`Are you sure you want to take ${fullName(row)} off this mark sheet${
        marks > 0 ? ` with ${marks} ${marks === 1 ? 'mark' : 'marks'}` : ''
      }?`}
      processing={isRunning}
      onYes={() => void remove()}
      onNo={onClose}
    />
  );
}
