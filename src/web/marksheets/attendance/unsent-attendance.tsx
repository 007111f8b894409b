import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { plural } from '../../lib/format.ts';
import { useCanFill } from '../../lib/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { useOpenSheet } from '../sheet-context.tsx';
import { PARTS, type UnsentAttendance, useUnsentAttendance } from './use-attendance-editing.ts';

const unsentText = ({ studentId, componentId, text }: UnsentAttendance) =>
  `${studentId}, ${PARTS.find(({ component_id }) => component_id === componentId)?.name}: ${text || 'empty'}`;

/** Attendance that was typed here and has no place any more: of a student who is gone, or of a sheet that is no draft. */
export function UnsentAttendanceNotice() {
  const { sheet, attendance } = useOpenSheet();
  const canFill = useCanFill();
  const [isAsking, setIsAsking] = useState(false);
  const isClosed = sheet.state !== 'draft' || !canFill;
  const cells = useUnsentAttendance().filter(({ kind }) => isClosed || kind === 'lost');
  if (cells.length === 0) return null;
  return (
    <Alert tone="warn" className="mb-3">
      <p>
        {isClosed
          ? 'This attendance was typed here and not saved before the mark sheet was submitted. It is kept on this computer.'
          : 'This attendance was typed here, but the student has been taken off the mark sheet. It is kept on this computer.'}
      </p>
      <p className="wrap-anywhere mt-1 max-h-24 overflow-auto">{cells.map(unsentText).join('; ')}</p>
      <Button size="sm" className="mt-2.5 text-fg" onClick={() => setIsAsking(true)}>
        Discard it
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        tone="danger"
        text={`Are you sure you want to discard ${plural(cells.length, 'figure')}?`}
        onNo={() => setIsAsking(false)}
        onYes={() => {
          setIsAsking(false);
          attendance.discard(cells);
        }}
      />
    </Alert>
  );
}

/** The attendance of this browser that keeps a sheet from being submitted. */
export function UnsentAttendanceCheck({ unsent }: { unsent: readonly UnsentAttendance[] }) {
  const { sheet } = useOpenSheet();
  if (unsent.length === 0) return null;
  return (
    <li data-kind="refusal">
      <p className="wrap-anywhere font-[560]">
        {`${plural(unsent.length, 'figure')} of attendance, typed in this browser, ${unsent.length === 1 ? 'is' : 'are'} not saved.`}
      </p>
      <p className="wrap-anywhere mt-1 max-h-24 overflow-auto text-label">
        {unsent.map(unsentText).join('; ')}
      </p>
      <Link
        to="/marksheets/$sheetId/class"
        params={{ sheetId: String(sheet.sheet_id) }}
        className="link text-label"
      >
        Go to the class
      </Link>
    </li>
  );
}
