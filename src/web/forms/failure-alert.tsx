import { useEffect, useRef } from 'react';
import { Alert } from '../ui/alert.tsx';

/** Why a save failed as a whole. It takes the focus: the button that was pressed is far below on a long form. */
export function FailureAlert({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Alert ref={box} className="mb-5">
      {text}
    </Alert>
  );
}
