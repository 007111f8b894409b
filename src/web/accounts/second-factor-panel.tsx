import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactorBegun } from '../../contract/second-factor.ts';
import { focusMain } from '../shell/focus-main.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RemoveSecondFactor } from './second-factor-remove.tsx';
import { BeginSecondFactor, ConfirmSecondFactor } from './second-factor-set-up.tsx';
import { sessionsQuery } from './sessions-query.ts';
import { signInMethodsQuery } from './sign-in-methods-query.ts';

/** Sets one's own second factor up, step by step, or removes it. */
export function SecondFactorPanel() {
  const methods = useQuery(signInMethodsQuery);
  const queries = useQueryClient();
  const [begun, setBegun] = useState<SecondFactorBegun>();
  const [codes, setCodes] = useState<readonly string[]>();

  const readAgain = () => queries.invalidateQueries(signInMethodsQuery);
  if (codes !== undefined) {
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(undefined);
          setBegun(undefined);
          focusMain();
        }}
      />
    );
  }
  if (methods.data === undefined) {
    return methods.error === null ? <Skeleton width={260} /> : <LoadProblem query={methods} />;
  }
  if (methods.data.second_factor !== null) {
    return <RemoveSecondFactor factor={methods.data.second_factor} onRemoved={readAgain} />;
  }
  if (begun === undefined) return <BeginSecondFactor onBegun={setBegun} />;
  return (
    <ConfirmSecondFactor
      begun={begun}
      onConfirmed={(told) => {
        setCodes(told);
        void readAgain();
        void queries.invalidateQueries(sessionsQuery);
      }}
    />
  );
}
