import { useId, useState } from 'react';
import { SUBJECT_COUNT } from '../../../../../domain/student.ts';

interface SubjectCountProps {
  count: number;
  onCount: (count: number) => void;
}

/** The number of subjects to show. The field keeps what is typed until it is left, then shows the resulting number. */
export function SubjectCount({ count, onCount }: SubjectCountProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <div className="ml-auto flex items-center gap-2.5">
      <label htmlFor={id} className="font-[540] text-label">
        Number of subjects
      </label>
      <input
        id={id}
        type="number"
        className="control w-18"
        min={1}
        max={SUBJECT_COUNT}
        step={1}
        value={typed ?? count}
        onChange={(event) => {
          setTyped(event.target.value);
          const wanted = event.target.valueAsNumber;
          if (Number.isInteger(wanted) && wanted >= 1) onCount(wanted);
        }}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}
