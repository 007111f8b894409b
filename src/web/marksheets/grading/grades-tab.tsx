import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { policiesQuery } from '../../settings/grading/policy-queries.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useCanEdit, useSheet } from '../sheet-context.tsx';
import { Workbench } from './workbench.tsx';

/** Earlier confirmed sheets of the course, the newest first. */
const offeringsQuery = (sheetId: number) =>
  queryOptions({
    queryKey: ['sheets', 'offerings', sheetId],
    queryFn: ({ signal }) =>
      call('GET /api/sheets/:sheet_id/offerings', { params: { sheet_id: sheetId }, signal }),
  });

/** Where the totals of a sheet become letters. */
export function GradesTab() {
  const sheet = useSheet();
  const canEdit = useCanEdit();
  const policies = useQuery(policiesQuery);
  const offerings = useQuery(offeringsQuery(sheet.sheet_id));
  const policy = policies.data?.find(({ policy_id }) => policy_id === sheet.policy_id);
  if (policy === undefined) {
    return (
      <>
        <LoadError query={policies} />
        {policies.isFetching && <Skeleton width={320} />}
      </>
    );
  }
  return (
    <Workbench
      sheet={sheet}
      policy={policy}
      offerings={offerings}
      // A rectification keeps the boundaries of the sheet that it rectifies.
      isReadOnly={!canEdit || sheet.rectifies !== null}
    />
  );
}
