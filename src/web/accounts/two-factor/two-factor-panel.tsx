import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SecondFactorSetup } from '../../../contract/accounts/sign-in.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { flash } from '../../ui/flash.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { sessionsQuery, signInMethodsQuery } from '../account-queries.ts';
import { RemoveTwoFactor } from './remove.tsx';
import { ConfirmTwoFactor, StartTwoFactor } from './set-up.tsx';

/** Sets up or removes the user's own second factor. `onSetUp` is called once it is set up and its recovery codes are saved. */
export function TwoFactorPanel({ onSetUp }: { onSetUp?: () => void }) {
  const methods = useQuery(signInMethodsQuery);
  const queries = useQueryClient();
  const [setup, setSetup] = useState<SecondFactorSetup>();
  const [codes, setCodes] = useState<readonly string[]>();

  const refresh = () => queries.invalidateQueries(signInMethodsQuery);
  if (codes !== undefined) {
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(undefined);
          setSetup(undefined);
          onSetUp?.();
        }}
      />
    );
  }
  if (methods.data === undefined) {
    return methods.error === null ? <Skeleton width={260} /> : <LoadError query={methods} />;
  }
  if (methods.data.second_factor !== null) {
    return onSetUp === undefined ? (
      <RemoveTwoFactor factor={methods.data.second_factor} onRemoved={refresh} />
    ) : (
      <Button variant="primary" onClick={onSetUp}>
        Continue
      </Button>
    );
  }
  if (setup === undefined) return <StartTwoFactor onBegun={setSetup} />;
  return (
    <ConfirmTwoFactor
      setup={setup}
      onConfirmed={(codes) => {
        setCodes(codes);
        void refresh();
        void queries.invalidateQueries(sessionsQuery);
      }}
    />
  );
}

/** Recovery codes for a lost phone, shown only once. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
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
