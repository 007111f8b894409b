import { LogIn } from 'lucide-react';
import { useTask } from '../../../forms/use-task.ts';
import { call } from '../../../lib/call.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';

/** Starts the sign-in at the identity provider. */
export function SsoButton({ name, refusal }: { name: string; refusal: string | null }) {
  const { start, isIdle, isRunning, isDone, problem } = useTask({
    run: async () => window.location.assign((await call('POST /api/provider/begin')).url),
    failure: `${name} could not be opened. Try again.`,
  });
  const shown = isIdle ? refusal : problem;
  return (
    <div className="flex flex-col gap-4.5">
      <p className="flex items-center gap-3 text-fg-3 text-label before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {shown && <Alert>{shown}</Alert>}
      <Button
        size="lg"
        processing={isRunning || isDone}
        onClick={() => start()}
        className="wrap-anywhere md:whitespace-normal"
      >
        <LogIn />
        Sign in with {name}
      </Button>
    </div>
  );
}
