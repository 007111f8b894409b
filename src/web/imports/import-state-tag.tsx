import { Check, CircleDashed, LoaderCircle, Undo2, X } from 'lucide-react';
import type { ImportSummary } from '../../contract/imports.ts';
import { formatCount, formatDateTime } from '../lib/format.ts';
import { useCurrentUser } from '../lib/session.ts';
import { Tag } from '../ui/tag.tsx';
import { STATE_NAMES, writtenCount } from './import-labels.ts';

/** The state of an import with what there is to say about it. */
export function ImportStateTag({ item }: { item: ImportSummary }) {
  const user = useCurrentUser();
  const { state, progress, undo } = item;
  switch (state) {
    case 'applying':
      return (
        <>
          <Tag icon={<LoaderCircle className="animate-spin motion-reduce:animate-none" aria-hidden="true" />}>
            Running{progress !== null && progress.of > 0 && `, ${percent(progress)} %`}
          </Tag>
          {progress !== null && (
            <Detail>{`${formatCount(progress.done)} of ${formatCount(progress.of)} rows`}</Detail>
          )}
        </>
      );
    case 'applied':
      return (
        <Tag tone="ok" icon={<Check aria-hidden="true" />}>
          Applied
        </Tag>
      );
    case 'undone':
      return (
        <>
          {undo !== null && undo.kept > 0 ? (
            <>
              <Tag tone="warn" icon={<Undo2 aria-hidden="true" />}>
                Partly undone
              </Tag>
              <Detail>{`${formatCount(undo.kept)} of ${formatCount(writtenCount(item))} kept`}</Detail>
            </>
          ) : (
            <Tag icon={<Undo2 aria-hidden="true" />}>Undone</Tag>
          )}
          {undo !== null && (
            <Detail>
              {formatDateTime(undo.at)}
              {undo.by !== null && `, by ${undo.by.id === user?.id ? 'you' : undo.by.name}`}
            </Detail>
          )}
        </>
      );
    case 'cancelled':
      return <Tag icon={<X aria-hidden="true" />}>Cancelled</Tag>;
    default:
      return <Tag icon={<CircleDashed aria-hidden="true" />}>{STATE_NAMES[state]}</Tag>;
  }
}

/** Whole percent, never 100 before the end. */
export const percent = ({ done, of }: { done: number; of: number }): number =>
  of === 0 ? 0 : Math.floor((100 * done) / of);

function Detail({ children }: { children: React.ReactNode }) {
  return <span className="mt-0.5 block text-caption text-fg-3">{children}</span>;
}
