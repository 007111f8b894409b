import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { User } from '../../../contract/accounts/accounts.ts';
import { call } from '../../lib/call.ts';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { accountStatesQuery } from '../account-queries.ts';
import { ConfirmPasswordDialog } from '../confirm-password-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { WAITING_TEXTS } from './waiting-texts.ts';

/** How another user signs in, and what an administrator can do about it. */
export function AccountAccess({ user }: { user: Pick<User, 'id' | 'name'> }) {
  const params = { id: user.id };
  const states = useQuery(accountStatesQuery);
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'lock' | 'factor' | 'link'>();
  const [link, setLink] = useState<string | null>(null);
  const madeLink = useRef<string | null>(null);
  const state = states.data?.find(({ id }) => id === user.id);

  const setLocked = (locked: boolean) => async (password: string) => {
    const reply = await call('PUT /api/users/:id/lock', { params, body: { locked, password } });
    await queries.invalidateQueries(accountStatesQuery);
    return reply;
  };
  const resetFactor = async (password: string) => {
    const reply = await call('POST /api/users/:id/reset-second-factor', { params, body: { password } });
    await queries.invalidateQueries(accountStatesQuery);
    return reply;
  };
  const makeLink = async (password: string) => {
    const { link } = await call('POST /api/users/:id/reset-link', { params, body: { password } });
    madeLink.current = link;
  };

  return (
    <section aria-labelledby="access-heading" className="mt-8 border-line border-t pt-5">
      <h3 id="access-heading" className="mb-1.5 font-semibold text-section">
        Access
      </h3>
      <LoadError query={states} />
      {state && (
        <>
          <p className="mb-3 max-w-[64ch] text-fg-2">
            {state.waiting_for !== null && `${WAITING_TEXTS[state.waiting_for]} `}
            {state.locked
              ? 'This account is locked: its owner can’t sign in.'
              : 'Locking signs this person out everywhere and keeps them from signing in. Nothing of theirs is lost.'}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button variant={state.locked ? 'secondary' : 'danger-quiet'} onClick={() => setAsking('lock')}>
              {state.locked ? 'Unlock account' : 'Lock account'}
            </Button>
            {!state.locked && state.waiting_for === null && (
              <Button onClick={() => setAsking('link')}>Reset password</Button>
            )}
            {state.second_factor && (
              <Button onClick={() => setAsking('factor')}>Turn off two-factor authentication</Button>
            )}
          </div>
          {asking === 'link' && (
            <ConfirmPasswordDialog
              title={`Reset the password of ${user.name}`}
              text="You get a link to give to this person, to set a new password. Make sure that the request comes from them. Until they use the link nothing changes; then they are signed out everywhere."
              act="Make link"
              onAct={makeLink}
              onClose={() => {
                setAsking(undefined);
                // Not before: the browser gives the focus back to the button first.
                setLink(madeLink.current);
                madeLink.current = null;
              }}
            />
          )}
          {link !== null && (
            <LinkDialog
              title={`The link for ${user.name}`}
              text="Give this link to the person. It works once, for 24 hours: they set another password."
              link={link}
              onClose={() => setLink(null)}
            />
          )}
          {asking === 'factor' && (
            <ConfirmPasswordDialog
              title={`Turn off two-factor authentication of ${user.name}`}
              text="For a user who has lost their phone and their recovery codes. Make sure that the request comes from them: afterwards their password alone is enough to sign in. They are signed out everywhere."
              act="Turn off two-factor authentication"
              tone="danger"
              onAct={resetFactor}
              onClose={() => setAsking(undefined)}
            />
          )}
          {asking === 'lock' && (
            <ConfirmPasswordDialog
              title={`${state.locked ? 'Unlock' : 'Lock'} the account of ${user.name}`}
              text={
                state.locked
                  ? 'They can sign in again with the password they had.'
                  : 'They are signed out everywhere at once and can’t sign in until the account is unlocked.'
              }
              act={state.locked ? 'Unlock account' : 'Lock account'}
              tone={state.locked ? 'primary' : 'danger'}
              onAct={setLocked(!state.locked)}
              onClose={() => setAsking(undefined)}
            />
          )}
        </>
      )}
    </section>
  );
}
