import { useRef } from 'react';
import type { OpenedSheet } from '../../../contract/marksheets/openings.ts';
import { openedClassText } from '../../settings/openings/opening-queries.ts';
import { fullName } from '../../students/student-format.ts';
import { RecordLink } from '../../students/student-link.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';

type LeftOut = OpenedSheet['left_out'][number];

/** Who of a class is not put on a sheet, and why. */
export function LeftOutDialog({ planned, onClose }: { planned: OpenedSheet; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { left_out, title } = planned;
  return (
    <TaskDialog
      dialog={dialog}
      title={`${left_out.length} left out of ${title}`}
      isRunning={false}
      isLarge
      onClose={onClose}
    >
      <div className="min-h-0 flex-auto overflow-y-auto px-5 pb-5">
        <p className="mb-3 text-fg-2">{openedClassText(planned)}</p>
        <TableContainer>
          <Table
            label="Left out"
            columns={COLUMNS}
            rows={left_out}
            rowKey={({ student_id }) => student_id}
            rowClass={() => 'max-md:gap-y-0.5 max-md:py-2.5'}
            hasCards
          />
        </TableContainer>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-line border-t bg-sunken px-5 py-3">
        <p className="text-fg-2 text-label">They can be added later, with a reason where one is asked.</p>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </div>
    </TaskDialog>
  );
}

const COLUMNS: readonly Column<LeftOut>[] = [
  { head: 'CMS ID', className: 'wrap-anywhere max-md:text-label', cell: ({ student_id }) => student_id },
  {
    head: 'Name',
    className: 'strong wrap-anywhere max-md:-order-1',
    cell: (student) => (
      <RecordLink id={student.student_id} className="link link-quiet">
        {fullName(student)}
      </RecordLink>
    ),
  },
  { head: 'Why', className: 'wrap-anywhere', cell: ({ reason }) => reason },
];
