import { TriangleAlert } from 'lucide-react';
import type { RefusedStudent } from '../../../contract/documents/documents.ts';
import { formatCount } from '../../lib/format.ts';
import { HeldStudents } from './held-panel.tsx';

/** The students who get no document, each with the reason. */
export function RefusedStudents({ refused }: { refused: readonly RefusedStudent[] }) {
  const held = refused.filter(({ holds }) => holds);
  return (
    <>
      <HeldStudents held={held} />
      <OtherStudents refused={refused.filter(({ holds }) => !holds)} />
    </>
  );
}

function OtherStudents({ refused }: { refused: readonly RefusedStudent[] }) {
  if (refused.length === 0) return null;
  const title = `${formatCount(refused.length)} can't be issued`;
  return (
    <section aria-label={title} className="overflow-clip rounded-control border border-warn-line">
      <p className="flex items-center gap-2 bg-warn-soft px-3.5 py-2 font-[560] text-warn">
        <TriangleAlert className="size-4 shrink-0" />
        {title}
      </p>
      <ul
        aria-label="Students without a document"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that it can be scrolled by keyboard.
        tabIndex={0}
        className="max-h-48 overflow-y-auto -outline-offset-2"
      >
        {refused.map(({ student_id, first_name, last_name, reason }) => (
          <li
            key={student_id}
            className="grid grid-cols-[minmax(4.5rem,auto)_minmax(0,1fr)] gap-x-3 border-line border-t px-3.5 py-2"
          >
            <span className="wrap-anywhere max-w-32 text-fg-3">{student_id}</span>
            <span className="wrap-anywhere min-w-0">
              <bdi className="block font-[560] empty:hidden">{`${first_name} ${last_name}`.trim()}</bdi>
              <span className="block text-fg-2 text-label">{reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
