import { Pencil, ShieldCheck, ShieldOff, UserPlus, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SheetRowReply } from '../../../contract/marksheets/sheets.ts';
import { useCanFill, useCanWrite } from '../../lib/session.ts';
import { fullName, ROW_STATUS_NAMES } from '../../students/student-format.ts';
import { RecordLink } from '../../students/student-link.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, NoResults } from '../../ui/page/empty-state.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { CondoneDialog } from '../attendance/condone-dialogs.tsx';
import { UnsentAttendanceNotice } from '../attendance/unsent-attendance.tsx';
import { useAttendanceColumns, useCanCondone } from '../attendance/use-attendance-columns.tsx';
import { SheetActions, useCanEdit, useSheet } from '../sheet-context.tsx';
import { AwardListButton } from '../sheet-file-buttons.tsx';
import { AddStudentsDialog } from './add-students-dialog.tsx';
import { AttendanceKeys, type ClassFilter, ClassTools, filterClass, NO_FILTER } from './class-tools.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RowDialog } from './row-dialog.tsx';

/** The students of a sheet, and how their rows end. */
export function ClassTab() {
  const { rows, rectifies, semester } = useSheet();
  const [filter, setFilter] = useState<ClassFilter>(NO_FILTER);
  const shown = useMemo(() => filterClass(rows, filter), [rows, filter]);
  const attendance = useAttendanceColumns(shown);
  const canCondone = useCanCondone();
  const canEdit = useCanEdit();
  const canWrite = useCanWrite();
  const canFill = useCanFill();
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<SheetRowReply>();
  const [removed, setRemoved] = useState<SheetRowReply>();
  const [condoned, setCondoned] = useState<SheetRowReply>();
  const canChangeList = canWrite && canEdit && rectifies === null;
  const addButton = canChangeList && (
    <Button onClick={() => setIsAdding(true)}>
      <UserPlus />
      Add students
    </Button>
  );
  const columns = canEdit
    ? [
        ...classColumns(semester, attendance.columns),
        actionsColumn({
          onEdit: setEdited,
          onRemove: canChangeList ? setRemoved : undefined,
          onCondone: canCondone ? setCondoned : undefined,
        }),
      ]
    : classColumns(semester, attendance.columns);
  return (
    <>
      {rows.length > 0 && (
        <SheetActions>
          {canFill && <AwardListButton />}
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
        <ClassTools rows={rows} filter={filter} onFilter={setFilter} attendance={attendance} />
      )}
      <UnsentAttendanceNotice />
      {rows.length > 0 && shown.length === 0 && (
        <NoResults
          title="No student matches the search"
          text="CMS IDs and names are searched."
          action="Show all"
          onClear={() => setFilter(NO_FILTER)}
        />
      )}
      {shown.length > 0 && (
        <>
          <TableContainer canScroll className="overflow-x-auto" handlers={attendance.handlers}>
            <Table
              label="Class list"
              columns={columns}
              rows={shown}
              rowKey={({ student_id }) => student_id}
              rowClass={() => 'max-md:gap-y-0.5 max-md:py-2.5'}
              hasCards
            />
          </TableContainer>
          <AttendanceKeys />
        </>
      )}
      {isAdding && <AddStudentsDialog onClose={() => setIsAdding(false)} />}
      {edited && <RowDialog row={edited} onClose={() => setEdited(undefined)} />}
      {condoned && <CondoneDialog row={condoned} onClose={() => setCondoned(undefined)} />}
      {attendance.dialogs}
      {removed && <RemoveDialog row={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

/** Below 768 px a student is a card: the name over the rest, beside what can be done. */
const classColumns = (
  ofClass: number,
  attendance: readonly Column<SheetRowReply>[],
): readonly Column<SheetRowReply>[] => [
  { head: 'CMS ID', className: 'max-md:col-start-1', cell: ({ student_id }) => student_id },
  {
    head: 'Name',
    className: 'strong wrap-anywhere max-md:-order-1 max-md:col-start-1',
    cell: (row) => (
      <RecordLink id={row.student_id} className="hover:text-ink-text">
        {fullName(row)}
      </RecordLink>
    ),
  },
  { head: 'Syndicate', className: 'max-lg:hidden', cell: ({ syn }) => syn ?? '--' },
  {
    head: 'Counts in semester',
    className: 'max-md:col-start-1 max-md:not-has-[small]:hidden',
    cell: ({ semester }) => (
      <>
        <span className="md:hidden">Semester </span>
        {semester}
        {semester !== ofClass && (
          <small className="text-fg-3 text-label">{`, the class in ${ofClass}`}</small>
        )}
      </>
    ),
  },
  ...attendance,
  {
    head: 'Result',
    className: 'max-md:col-start-1',
    cell: ({ status, reason, recorded, blocked, attendance }) => (
      <>
        {status === 'graded' ? ROW_STATUS_NAMES.graded : <Tag tone="warn">{ROW_STATUS_NAMES[status]}</Tag>}
        {reason !== null && <span className="wrap-anywhere block text-fg-3 text-label">{reason}</span>}
        {status === 'graded' && attendance?.proposed != null && attendance.condoned === null && (
          <span className="block text-label text-warn">{`Short: ${ROW_STATUS_NAMES[attendance.proposed]} is proposed`}</span>
        )}
        {recorded === false && (
          <span className="ms-2">
            <Tag tone="warn">Not recorded</Tag>
          </span>
        )}
        {blocked !== null && <span className="wrap-anywhere block text-label text-warn">{blocked}</span>}
      </>
    ),
  },
];

interface RowActions {
  onEdit: (row: SheetRowReply) => void;
  onRemove: ((row: SheetRowReply) => void) | undefined;
  onCondone: ((row: SheetRowReply) => void) | undefined;
}

const actionsColumn = ({ onEdit, onRemove, onCondone }: RowActions): Column<SheetRowReply> => ({
  head: 'Actions',
  isHeadHidden: true,
  className:
    'num whitespace-nowrap max-md:col-start-2 max-md:row-span-3 max-md:row-start-1 max-md:self-center',
  cell: (row) => (
    <>
      {onCondone && row.attendance?.short && (
        <IconButton
          label={
            row.attendance.condoned
              ? `Take back the condoning of ${fullName(row)}`
              : `Condone the attendance of ${fullName(row)}`
          }
          onClick={() => onCondone(row)}
        >
          {row.attendance.condoned ? <ShieldOff /> : <ShieldCheck />}
        </IconButton>
      )}
      <IconButton label={`Change the row of ${fullName(row)}`} onClick={() => onEdit(row)}>
        <Pencil />
      </IconButton>
      {onRemove && (
        <IconButton label={`Take ${fullName(row)} off the list`} onClick={() => onRemove(row)}>
          <X />
        </IconButton>
      )}
    </>
  ),
});
