import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';

/** Starts the sign-in at the identity provider. */
export function SsoButton({ name, refusal }: { name: string; refusal: string | null }) {
  const [problem, setProblem] = useState(refusal);
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async () => {
    setIsLeaving(true);
    setProblem(null);
    try {
      const { url } = await call('POST /api/provider/begin');
      window.location.assign(url);
    } catch (error) {
      setProblem(errorMessage(error, `${name} could not be opened. Try again.`));
      setIsLeaving(false);
    }
  };
  return (
    <div className="flex flex-col gap-4.5">
      <p className="flex items-center gap-3 text-fg-3 text-label before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {problem !== null && <Alert>{problem}</Alert>}
      <Button
        size="lg"
        processing={isLeaving}
        onClick={() => void leave()}
        className="wrap-anywhere md:whitespace-normal"
      >
        <LogIn strokeWidth={1.75} aria-hidden="true" />
        Sign in with {name}
      </Button>
    </div>
  );
}
