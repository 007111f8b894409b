import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Session } from '../../../contract/accounts/sessions.ts';
import { ApiError, errorMessage } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { flash } from '../../ui/flash.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CELL_ROLE, COLUMN_HEADER_ROLE, ROW_GROUP_ROLE, ROW_ROLE, TABLE_ROLE } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { sessionsQuery } from '../account-queries.ts';
import { ConfirmPasswordDialog } from '../confirm-password-dialog.tsx';

/** The user's sessions; each but the current one can be ended, some minutes after signing in with the password. */
export function SessionsList() {
  const sessions = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const [ending, setEnding] = useState<string>();
  /** What ends with the password only. */
  const [asking, setAsking] = useState<string>();

  const update = async () => {
    await queries.invalidateQueries(sessionsQuery);
    // The pressed button disappears with its row.
    heading.current?.focus();
  };
  const end = async (target: string) => {
    setEnding(target);
    try {
      const { message } = await endSessions(target);
      flash(message);
      await update();
    } catch (error) {
      if (needsPassword(error)) setAsking(target);
      else {
        flash(errorMessage(error, 'The session could not be ended. Try again.'), 'warning');
        // The session may have expired.
        await update();
      }
    }
    setEnding(undefined);
  };
  const endWithPassword = async (password: string) => {
    if (asking === undefined) return;
    const { message } = await endSessions(asking, { body: { password }, hasOverlay: false });
    flash(message);
  };

  return (
    <section aria-labelledby="sessions-heading" className="mt-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="sessions-heading" ref={heading} tabIndex={-1} className="outline-none">
          Where you are signed in
        </h2>
        {(sessions.data?.length ?? 0) > 1 && (
          <Button size="sm" processing={ending === ALL_OTHERS} onClick={() => void end(ALL_OTHERS)}>
            Sign out everywhere else
          </Button>
        )}
      </div>
      <LoadError query={sessions} />
      {asking !== undefined && (
        <ConfirmPasswordDialog
          title={asking === ALL_OTHERS ? 'Sign out everywhere else' : 'Sign out there'}
          text="You signed in a while ago. Enter your password, so that nobody else signs you out."
          act="Sign out"
          onAct={endWithPassword}
          onClose={() => {
            setAsking(undefined);
            void update();
          }}
        />
      )}
      {sessions.error === null && (
        <div className="tbl-box">
          <table {...TABLE_ROLE} aria-labelledby="sessions-heading" className="tbl max-md:block">
            <thead {...ROW_GROUP_ROLE} className="max-md:sr-only">
              <tr {...ROW_ROLE}>
                {['Device', 'Address', 'Signed in', 'Last used'].map((title) => (
                  <th key={title} {...COLUMN_HEADER_ROLE} scope="col">
                    {title}
                  </th>
                ))}
                <th {...COLUMN_HEADER_ROLE} scope="col" className="w-28">
                  <span className="sr-only">End</span>
                </th>
              </tr>
            </thead>
            <tbody {...ROW_GROUP_ROLE} className="max-md:block">
              {sessions.data?.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  isEnding={ending === session.id}
                  onEnd={() => void end(session.id)}
                />
              ))}
              {sessions.data === undefined && (
                <tr {...ROW_ROLE} className={row}>
                  <td {...CELL_ROLE} colSpan={5} className={cell}>
                    <Skeleton width={220} />
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const ALL_OTHERS = 'all others';

/** Ends the session with this ID, or {@link ALL_OTHERS}. */
const endSessions = (target: string, options: { body?: { password: string }; hasOverlay?: boolean } = {}) =>
  target === ALL_OTHERS
    ? call('DELETE /api/sessions', options)
    : call('DELETE /api/sessions/:id', { params: { id: target }, ...options });

const needsPassword = (error: unknown) => error instanceof ApiError && error.errors.password !== undefined;

const row =
  'max-md:grid max-md:min-h-15 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:border-line max-md:border-b max-md:px-4 max-md:py-2.5 max-md:last:border-0';
const cell = 'max-md:h-auto max-md:border-0 max-md:p-0 max-md:first:p-0 max-md:last:p-0';
const small = 'max-md:col-start-1 max-md:text-label max-md:text-fg-3';

interface SessionRowProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

/** Below 768 px the cells are stacked, with the button next to them. */
function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const device = session.device ?? 'Unknown device';
  const address = session.address ?? 'Not known';
  return (
    <tr {...ROW_ROLE} className={row}>
      <td {...CELL_ROLE} className={`strong wrap-anywhere ${cell}`}>
        {device} {session.current && <Tag tone="ok">This one</Tag>}
      </td>
      <td {...CELL_ROLE} className={`wrap-anywhere ${cell} ${small}`}>
        {address}
      </td>
      <td {...CELL_ROLE} className={`${cell} ${small}`}>
        <span className="md:hidden">Signed in: </span>
        {formatDateTime(session.created_at)}
      </td>
      <td {...CELL_ROLE} className={`${cell} ${small}`}>
        <span className="md:hidden">Last used: </span>
        {session.current ? 'Now' : formatDateTime(session.last_used_at)}
      </td>
      <td {...CELL_ROLE} className={`${cell} max-md:col-start-2 max-md:row-span-4 max-md:row-start-1`}>
        {!session.current && (
          <Button
            size="sm"
            variant="quiet"
            processing={isEnding}
            onClick={onEnd}
            aria-label={`Sign out ${device}, ${address}, signed in ${formatDateTime(session.created_at)}`}
          >
            Sign out
          </Button>
        )}
      </td>
    </tr>
  );
}
