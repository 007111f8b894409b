import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Equivalent } from '../../../contract/schemes/equivalents.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { call, findPreview } from '../../lib/call.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { invalidateAudits, removalQuery } from '../scheme-queries.ts';
import { PairEffect } from './pair-effect.tsx';

const KEY = 'POST /api/equivalents/:equivalent_id/removal';

interface RemovePairDialogProps {
  pair: Equivalent;
  title: string;
  onClose: () => void;
}

/** Parts two courses that count as one, after it has been seen whose figures that changes. */
export function RemovePairDialog({ pair: { equivalent_id }, title, onClose }: RemovePairDialogProps) {
  const queries = useQueryClient();
  const query = useQuery(removalQuery(equivalent_id));
  const preview = query.data;
  return (
    <FormDialog
      title={`Remove the pair of ${title}`}
      isLarge
      fields={preview === undefined ? undefined : {}}
      loading={query.isPending ? <Skeleton width={260} /> : <LoadError query={query} />}
      action="Remove the pair"
      variant="danger"
      failure="The pair could not be removed. Try again."
      run={() => call(KEY, { params: { equivalent_id }, body: { fingerprint: preview?.fingerprint ?? '' } })}
      onDone={() => invalidateAudits(queries)}
      onError={(error) => {
        const current = findPreview(error, KEY);
        if (current) queries.setQueryData(removalQuery(equivalent_id).queryKey, current);
      }}
      onClose={onClose}
    >
      {() => preview && <PairEffect preview={preview} />}
    </FormDialog>
  );
}
