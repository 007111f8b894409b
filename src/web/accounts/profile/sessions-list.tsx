import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Session } from '../../../contract/accounts/sessions.ts';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { flash } from '../../ui/flash.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table, TableContainer } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { sessionsQuery } from '../account-queries.ts';
import { ConfirmPasswordDialog } from '../confirm-password-dialog.tsx';

/** The user's sessions; each but the current one can be ended, some minutes after signing in with the password. */
export function SessionsList() {
  const sessions = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  /** The session that is to be ended; it needs the password. */
  const [asking, setAsking] = useState<string>();

  const update = async () => {
    await queries.invalidateQueries(sessionsQuery);
    // The pressed button disappears with its row.
    heading.current?.focus();
  };
  const { start, isRunning, input } = useTask({
    run: (target: string) => endSessions(target),
    failure: 'The session could not be ended. Try again.',
    onDone: update,
    onError: async (error, problem = '', target) => {
      if (needsPassword(error)) return setAsking(target);
      flash(problem, 'warning');
      // The session may have expired.
      await update();
    },
  });
  const columns: readonly Column<Session>[] = [
    ...COLUMNS,
    {
      head: 'End',
      isHeadHidden: true,
      columnClass: 'md:w-28',
      className: 'max-md:col-start-2 max-md:row-span-4 max-md:row-start-1',
      cell: (session) =>
        !session.current && (
          <Button
            size="sm"
            variant="quiet"
            processing={isRunning && input === session.id}
            onClick={() => start(session.id)}
            aria-label={`Sign out ${deviceName(session)}, ${addressText(session)}, signed in ${formatDateTime(session.created_at)}`}
          >
            Sign out
          </Button>
        ),
    },
  ];

  return (
    <section aria-labelledby="sessions-heading" className="mt-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="sessions-heading" ref={heading} tabIndex={-1} className="outline-none">
          Where you are signed in
        </h2>
        {(sessions.data?.length ?? 0) > 1 && (
          <Button size="sm" processing={isRunning && input === ALL_OTHERS} onClick={() => start(ALL_OTHERS)}>
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
          onAct={(password) => endSessions(asking, { body: { password }, hasOverlay: false })}
          onClose={() => {
            setAsking(undefined);
            void update();
          }}
        />
      )}
      {sessions.error === null && (
        <TableContainer>
          <Table
            label={{ id: 'sessions-heading' }}
            columns={columns}
            rows={sessions.data ?? []}
            rowKey={({ id }) => id}
            rowClass={() => 'max-md:min-h-15 max-md:items-center max-md:gap-y-0 max-md:py-2.5'}
            hasCards
          />
          {sessions.data === undefined && (
            <p className="px-4 py-2.5">
              <Skeleton width={220} />
            </p>
          )}
        </TableContainer>
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

const SMALL = 'max-md:col-start-1 max-md:text-label max-md:text-fg-3';

const deviceName = ({ device }: Session) => device ?? 'Unknown device';
const addressText = ({ address }: Session) => address ?? 'Not known';

/** Below 768 px the cells are stacked, with the button next to them. */
const COLUMNS: readonly Column<Session>[] = [
  {
    head: 'Device',
    className: 'strong wrap-anywhere',
    cell: (session) => (
      <>
        {deviceName(session)} {session.current && <Tag tone="ok">This one</Tag>}
      </>
    ),
  },
  { head: 'Address', className: `wrap-anywhere ${SMALL}`, cell: addressText },
  {
    head: 'Signed in',
    className: SMALL,
    cell: ({ created_at }) => (
      <>
        <span className="md:hidden">Signed in: </span>
        {formatDateTime(created_at)}
      </>
    ),
  },
  {
    head: 'Last used',
    className: SMALL,
    cell: ({ current, last_used_at }) => (
      <>
        <span className="md:hidden">Last used: </span>
        {current ? 'Now' : formatDateTime(last_used_at)}
      </>
    ),
  },
];
