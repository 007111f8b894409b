import type { BulkPreview } from '../../../../contract/students/bulk.ts';
import { plural } from '../../../lib/format.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { fullName } from '../../student-format.ts';
import { effectText, enrolmentText, unchangedTexts } from './bulk-text.ts';
import type { BulkChange } from './use-bulk.ts';

interface BulkPreviewPanelProps {
  change: BulkChange;
  /** Undefined while loading. */
  preview: BulkPreview | undefined;
  /** Why it could not be loaded. */
  problem: string | undefined;
  onRetry: () => void;
}

/** The effect of a change: how many students change, how many do not and why, and the first ones before and after. */
export function BulkPreviewPanel({ change, preview, problem, onRetry }: BulkPreviewPanelProps) {
  if (problem !== undefined) {
    return (
      <Alert>
        <p>{problem}</p>
        <Button size="sm" className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      </Alert>
    );
  }
  return (
    <>
      <div role="status" className="pb-3">
        {preview === undefined ? (
          <>
            <span className="sr-only">Counting the students</span>
            <Skeleton width={260} />
          </>
        ) : (
          <>
            <p className="font-[560] text-section">{effectText(change, preview.changing)}</p>
            {unchangedTexts(change, preview).map((text) => (
              <p key={text} className="mt-1 wrap-anywhere text-fg-2">
                {text}
              </p>
            ))}
          </>
        )}
      </div>
      {preview && preview.sample.length > 0 && <Sample change={change} preview={preview} />}
      {change.action === 'delete' && preview && preview.changing > 0 && (
        <p className="pt-3 text-fg-3 text-label">
          You or an administrator can undo this later, under Bulk changes.
        </p>
      )}
    </>
  );
}

function Sample({ change, preview: { sample, changing } }: { change: BulkChange; preview: BulkPreview }) {
  const rest = changing - sample.length;
  return (
    <ul aria-label={rest > 0 ? `The first ${sample.length}` : 'Students'} className="border-line border-t">
      {sample.map(({ id, before, after, ...student }) => (
        <li
          key={id}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-line border-b py-2"
        >
          <span className="min-w-0 wrap-anywhere">
            <span className="font-[560]">{fullName(student)}</span>{' '}
            <span className="text-fg-3 text-label">{id}</span>
          </span>
          <span className="text-fg-2 text-label">
            {enrolmentText(change, before)}
            {after && (
              <>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> becomes </span>
                <span className="font-[560] text-fg">{enrolmentText(change, after)}</span>
              </>
            )}
          </span>
        </li>
      ))}
      {rest > 0 && <li className="py-2 text-fg-3 text-label">and {plural(rest, 'other')}</li>}
    </ul>
  );
}
