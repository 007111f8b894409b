import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactorSetup } from '../../../contract/accounts/sign-in.ts';
import { focusMain } from '../../lib/navigation/navigation.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { sessionsQuery, signInMethodsQuery } from '../account-queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RemoveTwoFactor } from './remove.tsx';
import { ConfirmTwoFactor, StartTwoFactor } from './set-up.tsx';

/** Sets up or removes the user's own second factor. */
export function TwoFactorPanel() {
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
          focusMain();
        }}
      />
    );
  }
  if (methods.data === undefined) {
    return methods.error === null ? <Skeleton width={260} /> : <LoadError query={methods} />;
  }
  if (methods.data.second_factor !== null) {
    return <RemoveTwoFactor factor={methods.data.second_factor} onRemoved={refresh} />;
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
