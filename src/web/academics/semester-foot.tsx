import { SUBJECT_COUNT } from '../../domain/student.ts';
import { Button } from '../ui/button.tsx';
import { semesterTotals } from './semester-totals.ts';
import type { SubjectSlot } from './subject-slots.ts';

interface SemesterFootProps {
  slots: readonly SubjectSlot[];
  submitLabel: string;
  isProcessing: boolean;
  /** Goes on without saving. */
  onLater: (() => void) | undefined;
}

/** The bar of the form, with what the subjects come to. It stays on small screens too, unlike other forms' notes. */
export function SemesterFoot({ slots, submitLabel, isProcessing, onLater }: SemesterFootProps) {
  const { subjects, credits, sgpa } = semesterTotals(slots);
  return (
    <div className="form-foot flex flex-wrap items-center gap-2 py-3">
      <p className="min-w-20 flex-1 text-fg-3 text-label [&_b]:font-semibold [&_b]:text-fg">
        <b>{subjects}</b> of {SUBJECT_COUNT} subjects, <b>{credits}</b> credit hours
        {sgpa !== null && (
          <>
            , SGPA <b>{sgpa.toFixed(2)}</b>
          </>
        )}
      </p>
      {onLater && <Button onClick={onLater}>Leave it for later</Button>}
      <Button type="submit" variant="primary" processing={isProcessing} className="ms-auto">
        {submitLabel}
      </Button>
    </div>
  );
}
