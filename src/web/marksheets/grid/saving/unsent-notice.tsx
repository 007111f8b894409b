import { useState } from 'react';
import { useCanFill } from '../../../lib/session.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { useOpenSheet } from '../../sheet-context.tsx';
import { useUnsentMarks } from './use-mark-editing.ts';

/** Marks that were typed here and have no place any more: of a student or component that is gone, or of a sheet that is no draft. */
export function UnsentNotice() {
  const { sheet, editor } = useOpenSheet();
  const unsent = useUnsentMarks();
  const canFill = useCanFill();
  const [isAsking, setIsAsking] = useState(false);
  const isClosed = sheet.state !== 'draft' || !canFill;
  const cells = isClosed ? unsent : unsent.filter(({ kind }) => kind === 'lost');
  if (cells.length === 0) return null;
  const components = sheet.categories.flatMap((category) => category.components);
  const texts = cells.map(({ studentId, componentId, text }) => {
    const name = components.find(({ component_id }) => component_id === componentId)?.name;
    return `${studentId}${name === undefined ? '' : `, ${name}`}: ${text || 'empty'}`;
  });
  return (
    <Alert tone="warn" className="mb-3">
      <p>
        {isClosed
          ? 'These marks were typed here and not saved before the mark sheet was submitted. They are kept on this computer.'
          : 'These marks were typed here, but the student or the component has been taken off the mark sheet. They are kept on this computer.'}
      </p>
      <p className="wrap-anywhere mt-1 max-h-24 overflow-auto">{texts.join('; ')}</p>
      <Button size="sm" className="mt-2.5 text-fg" onClick={() => setIsAsking(true)}>
        {cells.length === 1 ? 'Discard this mark' : 'Discard these marks'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        tone="danger"
        text={`Are you sure you want to discard ${cells.length === 1 ? 'this mark' : `these ${cells.length} marks`}?`}
        onNo={() => setIsAsking(false)}
        onYes={() => {
          setIsAsking(false);
          editor.discard(cells);
        }}
      />
    </Alert>
  );
}
