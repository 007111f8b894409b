import { useQuery } from '@tanstack/react-query';
import { LockKeyhole, LockKeyholeOpen } from 'lucide-react';
import { useState } from 'react';
import type { Hold } from '../../../../contract/students/holds.ts';
import { BlockTags, daysText, HOLD_STATE_NAMES, KIND_NAMES } from '../../../documents/holds/hold-labels.tsx';
import { studentHoldsQuery } from '../../../documents/holds/hold-queries.ts';
import { PlaceHoldDialog } from '../../../documents/holds/place-hold-dialog.tsx';
import { ReleaseDialog } from '../../../documents/holds/release-dialog.tsx';
import { formatDay } from '../../../lib/format.ts';
import { useCanWrite, useCurrentUser } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { TableSkeleton } from '../../../ui/skeleton.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { useStudentId } from '../../student-redirects.ts';

/** What keeps a student from papers or registration, and what did. */
export function HoldsTab() {
  const studentId = useStudentId();
  const query = useQuery(studentHoldsQuery(studentId));
  const canWrite = useCanWrite();
  const [isPlacing, setIsPlacing] = useState(false);
  const holds = query.data;
  const inForce = holds?.filter(isOpen) ?? [];
  const over = holds?.filter((hold) => !isOpen(hold)) ?? [];
  return (
    <section aria-labelledby="holds-heading" className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="holds-heading">Holds</h2>
        {canWrite && (
          <Button className="screen-only" onClick={() => setIsPlacing(true)}>
            <LockKeyhole />
            Place a hold
          </Button>
        )}
      </div>
      <LoadError query={query} />
      {query.isPending && <TableSkeleton />}
      {holds?.length === 0 && (
        <div className="rounded-panel border border-line">
          <EmptyState
            title="Nothing is on hold"
            text="A hold keeps papers or registration back until it is released, such as for open fees."
          />
        </div>
      )}
      {[...inForce, ...over].map((hold) => (
        <HoldCard key={hold.hold_id} hold={hold} />
      ))}
      {holds !== undefined && holds.length > 0 && (
        <p className="text-fg-3 text-label">Papers issued before a hold stay valid.</p>
      )}
      {isPlacing && <PlaceHoldDialog studentId={studentId} onClose={() => setIsPlacing(false)} />}
    </section>
  );
}

const isOpen = ({ state }: Hold) => state === 'active' || state === 'future';

function HoldCard({ hold }: { hold: Hold }) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [isReleasing, setIsReleasing] = useState(false);
  const { kind, state, reason, blocks, by, released, overrides } = hold;
  const Icon = isOpen(hold) ? LockKeyhole : LockKeyholeOpen;
  const heading = `hold-${hold.hold_id}`;
  return (
    <article
      aria-labelledby={heading}
      className={classNames(
        'grid gap-2 rounded-panel border px-4 py-3.5',
        isOpen(hold) ? 'border-line-2' : 'border-line-2 border-dashed text-fg-2',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id={heading} className="flex items-center gap-2">
          <Icon
            aria-hidden="true"
            className={classNames('size-4 shrink-0', state === 'active' && 'text-danger-text')}
          />
          {KIND_NAMES[kind]}
        </h3>
        <Tag tone={state === 'active' ? 'danger' : 'neutral'}>{HOLD_STATE_NAMES[state]}</Tag>
      </div>
      <p className="wrap-anywhere whitespace-pre-line">{reason}</p>
      <BlockTags blocks={blocks} />
      <p className="wrap-anywhere text-fg-2">
        {by.name}, from {daysText(hold)}
      </p>
      {overrides.length > 0 && (
        <p className="wrap-anywhere text-warn">Issued in spite of it: {overrides.join(', ')}</p>
      )}
      {released !== null && (
        <p className="wrap-anywhere text-fg-2">
          Released on {formatDay(released.at)} by {released.by.name}: “{released.reason}”
        </p>
      )}
      {isAdmin && isOpen(hold) && (
        <div className="screen-only mt-1">
          <Button
            size="sm"
            aria-label={`Release the hold: ${KIND_NAMES[kind]}`}
            onClick={() => setIsReleasing(true)}
          >
            Release
          </Button>
        </div>
      )}
      {isReleasing && <ReleaseDialog hold={hold} onClose={() => setIsReleasing(false)} />}
    </article>
  );
}
