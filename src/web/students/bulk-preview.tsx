import type { BulkPreview } from '../../contract/bulk.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/small-parts.tsx';
import type { BulkChange } from './bulk-request.ts';
import { placeText, stayTexts, willText } from './bulk-words.ts';
import { fullName } from './student-row.ts';

interface BulkPreviewPartProps {
  change: BulkChange;
  /** Undefined until it has come. */
  preview: BulkPreview | undefined;
  /** Why there is none. */
  problem: string | undefined;
  onAgain: () => void;
}

/** What a change would do: how many change, who stays and why, and the first of them before and after. */
export function BulkPreviewPart({ change, preview, problem, onAgain }: BulkPreviewPartProps) {
  if (problem !== undefined) {
    return (
      <Alert>
        <p>{problem}</p>
        <Button size="sm" className="mt-2" onClick={onAgain}>
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
            <p className="font-[560] text-section">{willText(change, preview.changing)}</p>
            {stayTexts(change, preview).map((text) => (
              <p key={text} className="mt-1 wrap-anywhere text-fg-2">
                {text}
              </p>
            ))}
          </>
        )}
      </div>
      {preview && preview.sample.length > 0 && <Sample change={change} preview={preview} />}
      {change.action === 'delete' && preview && preview.changing > 0 && (
        <p className="pt-3 text-fg-3 text-label">An administrator can bring them back.</p>
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
            {placeText(change, before)}
            {after && (
              <>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> becomes </span>
                <span className="font-[560] text-fg">{placeText(change, after)}</span>
              </>
            )}
          </span>
        </li>
      ))}
      {rest > 0 && (
        <li className="py-2 text-fg-3 text-label">
          and {rest.toLocaleString('en')} {rest === 1 ? 'other' : 'others'}
        </li>
      )}
    </ul>
  );
}
