import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useRef, useState } from 'react';
import type { AccountState, User } from '../../../contract/accounts/accounts.ts';
import { call } from '../../lib/call.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { accountStatesQuery, usersQuery } from '../account-queries.ts';
import { ConfirmPasswordDialog } from '../confirm-password-dialog.tsx';
import { INVITATION_LINK_TEXT } from './invite-user.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { WAITING_TEXTS } from './waiting-texts.ts';

const CALLS = {
  approve: 'POST /api/users/:id/approve',
  reject: 'POST /api/users/:id/reject',
  withdraw: 'POST /api/users/:id/reject',
  renew: 'POST /api/users/:id/invitation',
} as const;
type Decision = keyof typeof CALLS;

interface WaitingUsersProps {
  users: readonly User[];
  /** The states of the accounts that wait. */
  states: ReadonlyMap<number, AccountState>;
}

/** New accounts that wait for verification or approval, and invited users; for administrators. */
export function WaitingUsers({ users, states }: WaitingUsersProps) {
  const queries = useQueryClient();
  const [pendingDecision, setPendingDecision] = useState<{ user: User; decision: Decision }>();
  const [link, setLink] = useState<string | null>(null);
  const made = useRef<{ message: string; link?: string | null }>(undefined);
  const waiting = users.flatMap((user) => {
    const state = states.get(user.id);
    return state === undefined ? [] : [{ user, state }];
  });
  if (waiting.length === 0) return null;

  const decide = async (password: string) => {
    if (pendingDecision === undefined) return undefined;
    const { user, decision } = pendingDecision;
    made.current = await call(CALLS[decision], { params: { id: user.id }, body: { password } });
    // Not awaited: the dialog closes before its account disappears from the list.
    void queries.invalidateQueries(usersQuery);
    void queries.invalidateQueries(accountStatesQuery);
    return made.current;
  };

  return (
    <section aria-labelledby="waiting-heading" className="mb-5">
      <h3 id="waiting-heading" className="mb-2 font-semibold text-section">
        Waiting ({waiting.length})
      </h3>
      <ul className="tbl-box divide-y divide-line">
        {waiting.map(({ user, state }) => (
          <li key={user.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0">
              <p className="wrap-anywhere font-semibold">{user.name}</p>
              <p className="wrap-anywhere text-fg-3 text-label">{user.email}</p>
              <p className="text-fg-2 text-label">{waitingText(state)}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              {state.waiting_for === 'approval' && (
                <Button
                  size="sm"
                  aria-label={`Approve ${user.name}`}
                  onClick={() => setPendingDecision({ user, decision: 'approve' })}
                >
                  Approve
                </Button>
              )}
              {state.waiting_for === 'invitation' ? (
                <>
                  <Button
                    size="sm"
                    aria-label={`New link for ${user.name}`}
                    onClick={() => setPendingDecision({ user, decision: 'renew' })}
                  >
                    New link
                  </Button>
                  <Button
                    size="sm"
                    variant="danger-quiet"
                    aria-label={`Withdraw the invitation of ${user.name}`}
                    onClick={() => setPendingDecision({ user, decision: 'withdraw' })}
                  >
                    Withdraw
                  </Button>
                </>
              ) : (
                <Button
                  size="sm"
                  variant="danger-quiet"
                  aria-label={`Reject ${user.name}`}
                  onClick={() => setPendingDecision({ user, decision: 'reject' })}
                >
                  Reject
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {pendingDecision !== undefined && (
        <ConfirmPasswordDialog
          {...dialogTexts(pendingDecision)}
          onAct={decide}
          onClose={() => {
            setPendingDecision(undefined);
            // The button that opened the dialog disappears with the account, so the focus needs a new place.
            if (made.current !== undefined) document.getElementById('users-heading')?.focus();
            setLink(made.current?.link ?? null);
            made.current = undefined;
          }}
        />
      )}
      {link !== null && (
        <LinkDialog
          title="The new link of the invitation"
          text={INVITATION_LINK_TEXT}
          link={link}
          onClose={() => setLink(null)}
        />
      )}
    </section>
  );
}

function waitingText({ waiting_for, invitation_expires_at }: AccountState): string {
  if (waiting_for === null) return '';
  if (waiting_for !== 'invitation') return WAITING_TEXTS[waiting_for];
  return invitation_expires_at === null
    ? 'Invited. The link is no longer valid: make a new one, or withdraw the invitation.'
    : `Invited. The link works until ${formatDateTime(invitation_expires_at)}.`;
}

type DialogTexts = Pick<ComponentProps<typeof ConfirmPasswordDialog>, 'title' | 'text' | 'act' | 'tone'>;

function dialogTexts({ user, decision }: { user: User; decision: Decision }): DialogTexts {
  switch (decision) {
    case 'approve':
      return {
        title: `Approve the account of ${user.name}`,
        text: `They can then sign in. The address ${user.email} has not been verified: approve only somebody you know.`,
        act: 'Approve',
      };
    case 'reject':
      return {
        title: `Reject the account of ${user.name}`,
        text: `The account of ${user.email} is deleted. This can’t be undone; the address can be registered again.`,
        act: 'Reject and delete',
        tone: 'danger',
      };
    case 'withdraw':
      return {
        title: `Withdraw the invitation of ${user.name}`,
        text: `The link stops working and the account of ${user.email} is deleted. The address can be invited again.`,
        act: 'Withdraw invitation',
        tone: 'danger',
      };
    case 'renew':
      return {
        title: `Make a new link for ${user.name}`,
        text: 'The earlier link stops working. The new one works once, for 7 days.',
        act: 'Make link',
      };
  }
}
