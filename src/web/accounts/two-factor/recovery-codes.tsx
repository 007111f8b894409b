import { useEffect, useRef } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { flash } from '../../ui/flash.tsx';

/** Recovery codes for a lost phone, shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      flash('The codes have been copied.');
    } catch {
      flash('The codes could not be copied. Write them down.', 'warning');
    }
  };
  return (
    <div className="flex flex-col items-start gap-4">
      <Alert tone="warn">
        <b className="font-semibold">Keep these recovery codes somewhere safe.</b> Each signs you in once
        instead of a code from the app. They are not shown again.
      </Alert>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid w-full max-w-105 select-all grid-cols-1 gap-x-6 gap-y-1.5 rounded-control border border-line bg-sunken px-4 py-3 font-mono outline-none xs:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>Copy codes</Button>
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}
