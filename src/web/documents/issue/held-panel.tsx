import { useQuery } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { RefusedStudent } from '../../../contract/documents/documents.ts';
import { ReasonField } from '../../forms/reason-field.tsx';
import { formatCount, formatDate } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { BLOCK_NAMES, KIND_NAMES } from '../holds/hold-labels.tsx';
import { studentHoldsQuery } from '../holds/hold-queries.ts';
import { StudentHoldsLink } from '../holds/student-holds-link.tsx';

/** A red frame with a title over what holds block. */
function HeldFrame({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="overflow-clip rounded-control border-2 border-danger">
      <h3 id={heading} className="flex items-center gap-2 bg-danger px-3.5 py-2 text-on-danger">
        <LockKeyhole aria-hidden="true" className="size-4 shrink-0" />
        {title}
      </h3>
      {children}
    </section>
  );
}

/** Students of many who get no document because of a hold. */
export function HeldStudents({ held }: { held: readonly RefusedStudent[] }) {
  if (held.length === 0) return null;
  const count = formatCount(held.length);
  return (
    <HeldFrame
      title={held.length === 1 ? '1 is held and gets no paper' : `${count} are held and get no paper`}
    >
      <ul
        aria-label="Students on hold"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="max-h-48 divide-y divide-line overflow-y-auto -outline-offset-2"
      >
        {held.map(({ student_id, first_name, last_name, reason }) => (
          <li key={student_id} className="flex items-start justify-between gap-3 px-3.5 py-2">
            <span className="wrap-anywhere min-w-0">
              <bdi className="font-[560]">{`${first_name} ${last_name}`.trim()}</bdi>{' '}
              <span className="text-fg-2">{student_id}</span>
              <span className="block text-fg-2 text-label first-letter:uppercase">{reason}</span>
            </span>
            <StudentHoldsLink studentId={student_id} className="link shrink-0">
              Open<span className="sr-only"> the holds of {student_id}</span>
            </StudentHoldsLink>
          </li>
        ))}
      </ul>
    </HeldFrame>
  );
}

interface HeldPaperProps {
  held: RefusedStudent;
  /** Why the paper is issued all the same; undefined while it is not to be. */
  override: string | undefined;
  error: string | undefined;
  onOverride: (reason: string | undefined) => void;
}

/** The holds that block the paper of the only student, and the way around them for administrators. */
export function HeldPaper({ held, override, error, onOverride }: HeldPaperProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const holds = useQuery(studentHoldsQuery(held.student_id)).data;
  const blocking = holds?.filter(({ hold_id }) => held.holds?.includes(hold_id)) ?? [];
  const title = (held.holds?.length ?? 0) > 1 ? 'Holds block this paper' : 'A hold blocks this paper';
  return (
    <HeldFrame title={title}>
      <ul className="divide-y divide-line">
        {blocking.length === 0 && <li className="px-3.5 py-2.5 first-letter:uppercase">{held.reason}</li>}
        {blocking.map(({ hold_id, kind, from, by, reason, blocks }) => (
          <li key={hold_id} className="flex items-start justify-between gap-3 px-3.5 py-2.5">
            <span className="wrap-anywhere min-w-0">
              <span className="block font-[560]">
                {KIND_NAMES[kind]}, since {formatDate(from)}
              </span>
              <span className="block text-fg-2 text-label">
                {by.name}: “{reason}” Blocks{' '}
                {blocks.map((block) => BLOCK_NAMES[block].toLowerCase()).join(', ')}.
              </span>
            </span>
            <StudentHoldsLink studentId={held.student_id} className="link shrink-0">
              Open<span className="sr-only"> the hold: {KIND_NAMES[kind]}</span>
            </StudentHoldsLink>
          </li>
        ))}
      </ul>
      <div className="grid gap-2 border-line border-t bg-sunken px-3.5 py-2.5">
        {isAdmin ? (
          <>
            <CheckBox
              className="font-[560]"
              isChecked={override !== undefined}
              onChange={(isChecked) => onOverride(isChecked ? '' : undefined)}
            >
              Issue this one paper all the same
            </CheckBox>
            {override !== undefined && (
              <ReasonField
                value={override}
                onChange={onOverride}
                error={error}
                hint="Stands in the register and on the hold; the hold goes on."
              />
            )}
          </>
        ) : (
          <p className="text-fg-2 text-label">
            An administrator can release the hold, or issue this one paper with a reason.
          </p>
        )}
      </div>
    </HeldFrame>
  );
}
