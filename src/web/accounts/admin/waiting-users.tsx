import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PendingReason, User } from '../../../contract/accounts.ts';
import type { MessageReply } from '../../../contract/errors.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { flash } from '../../ui/flash.tsx';
import { accountStatesQuery, usersQuery } from '../account-queries.ts';
import { WAITING_TEXTS } from '../waiting-for.ts';
import { ConfirmPasswordDialog } from './confirm-password-dialog.tsx';

type Decision = 'approve' | 'reject';

interface WaitingUsersProps {
  users: readonly User[];
  waitingFor: ReadonlyMap<number, PendingReason | null>;
}

/** New accounts that wait for verification or approval, for administrators. */
export function WaitingUsers({ users, waitingFor }: WaitingUsersProps) {
  const queries = useQueryClient();
  const [pendingDecision, setPendingDecision] = useState<{ user: User; decision: Decision }>();
  const hasDecided = useRef(false);
  const waiting = users.flatMap((user) => {
    const state = waitingFor.get(user.id) ?? null;
    return state === null ? [] : [{ user, state }];
  });
  if (waiting.length === 0) return null;

  const decide = async (password: string) => {
    if (pendingDecision === undefined) return;
    const path = `/api/users/${pendingDecision.user.id}/${pendingDecision.decision}`;
    const { message } = await call<MessageReply>('POST', path, { body: { password } });
    hasDecided.current = true;
    // Not awaited: the dialog closes before its account disappears from the list.
    void queries.invalidateQueries(usersQuery);
    void queries.invalidateQueries(accountStatesQuery);
    flash(message);
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
              <p className="text-fg-2 text-label">{WAITING_TEXTS[state]}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              {state === 'approval' && (
                <Button
                  size="sm"
                  aria-label={`Approve ${user.name}`}
                  onClick={() => setPendingDecision({ user, decision: 'approve' })}
                >
                  Approve
                </Button>
              )}
              <Button
                size="sm"
                variant="danger-quiet"
                aria-label={`Reject ${user.name}`}
                onClick={() => setPendingDecision({ user, decision: 'reject' })}
              >
                Reject
              </Button>
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
            if (hasDecided.current) document.getElementById('users-heading')?.focus();
            hasDecided.current = false;
          }}
        />
      )}
    </section>
  );
}

function dialogTexts({ user, decision }: { user: User; decision: Decision }) {
  return decision === 'approve'
    ? ({
        title: `Approve the account of ${user.name}`,
        text: `They can sign in from then on. Nobody has checked that ${user.email} is theirs: be sure that you know who it is.`,
        act: 'Approve',
        tone: 'primary',
      } as const)
    : ({
        title: `Reject the account of ${user.name}`,
        text: `The account of ${user.email} is deleted. This can’t be undone; the address can be registered again.`,
        act: 'Reject and delete',
        tone: 'danger',
      } as const);
}
