import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface EmptySemesterProps {
  semester: number;
  isOpen: boolean;
  onRecord: () => void;
  onBack: () => void;
  /** Ends an edit without this semester. A new entry has no such way: it is left by its page. */
  onLater: (() => void) | undefined;
}

/** Asked before a semester is recorded in which nothing stands: it counts as one, and can't be taken back. */
export function EmptySemester({ semester, isOpen, onRecord, onBack, onLater }: EmptySemesterProps) {
  return (
    <Dialog
      isOpen={isOpen}
      text={`Record semester ${semester} without subjects?`}
      answers={{ yes: 'Record it empty', no: 'Go back' }}
      onYes={onRecord}
      onNo={onBack}
    >
      {onLater && <Button onClick={onLater}>Leave it for later</Button>}
    </Dialog>
  );
}
