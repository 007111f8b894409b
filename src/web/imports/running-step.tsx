import { useQueryClient } from '@tanstack/react-query';
import { Info, X } from 'lucide-react';
import type { Import } from '../../contract/imports.ts';
import { useTask } from '../forms/use-task.ts';
import { call } from '../lib/call.ts';
import { formatCount } from '../lib/format.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { useCanActOn } from './import-queries.ts';
import { percent } from './import-state-tag.tsx';

/** How far the storing has come. */
export function RunningStep({ item }: { item: Import }) {
  const canAct = useCanActOn(item);
  const progress = item.progress ?? { done: 0, of: item.rows };
  const share = percent(progress);
  return (
    <div className="grid max-w-180 gap-5">
      <div className="grid gap-2">
        <div className="flex items-baseline justify-between gap-4">
          <h2 id="running-heading" className="text-lead">
            Saving rows
          </h2>
          <b className="font-[620] text-figure">{`${share} %`}</b>
        </div>
        <progress
          className="progress h-3!"
          aria-labelledby="running-heading"
          value={progress.done}
          max={Math.max(progress.of, 1)}
        />
        <p className="text-fg-2 text-label">{`${formatCount(progress.done)} of ${formatCount(progress.of)} rows`}</p>
        {/* Read out at every quarter, not at every row. */}
        <p
          role="status"
          className="sr-only"
        >{`${Math.floor(share / 25) * 25} percent of the rows are saved.`}</p>
      </div>
      <p className="flex gap-2.5 rounded-control border border-line bg-sunken px-3.5 py-2.75 text-fg-2">
        <Info className="mt-0.5 size-4 shrink-0" />
        Others see the rows when the last one is saved, all at once. Cancel leaves everything as it was. You
        can leave this page; the import goes on.
      </p>
      <div className="flex flex-wrap gap-2">
        {canAct && <CancelButton item={item} />}
        <ButtonLink to="/imports" variant="quiet">
          Go to imports
        </ButtonLink>
      </div>
    </div>
  );
}

function CancelButton({ item }: { item: Import }) {
  const queries = useQueryClient();
  const { start, isRunning } = useTask({
    run: async () => {
      const params = { import_id: item.import_id };
      await call('POST /api/imports/:import_id/cancel', { params, hasOverlay: false });
    },
    failure: 'The import could not be cancelled. Try again.',
    flashesProblem: true,
    onSettled: () => queries.invalidateQueries({ queryKey: ['imports'] }),
  });
  return (
    <Button processing={isRunning} onClick={() => start()}>
      <X />
      Cancel the import
    </Button>
  );
}
