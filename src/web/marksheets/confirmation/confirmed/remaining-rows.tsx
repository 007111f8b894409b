import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FilePlus } from 'lucide-react';
import { useState } from 'react';
import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import { usePreviewedApply } from '../../../forms/use-previewed-apply.ts';
import { ApiError } from '../../../lib/api.ts';
import { callWithVersion } from '../../../lib/call.ts';
import { useCurrentUser } from '../../../lib/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { invalidateSheet } from '../../sheet-queries.ts';
import { BlockedRows, remedyText, resultsText, WritesPreview } from '../confirm-preview.tsx';
import { remainingQuery, resetRecords, showStep } from '../confirmation-queries.ts';

const hasLeft = ({ rows }: Sheet) => rows.some(({ recorded }) => recorded === false);

/** The rows that the confirmation left: which can be recorded by now, and why the others can't. */
export function RemainingRows({ sheet }: { sheet: Sheet }) {
  const query = useQuery({ ...remainingQuery(sheet.sheet_id), enabled: hasLeft(sheet) });
  const preview = query.data;
  if (!hasLeft(sheet)) return null;
  if (preview === undefined) return <LoadError query={query} />;
  const count = preview.blocked.length;
  return (
    <>
      <BlockedRows
        sheet={sheet}
        blocked={preview.blocked}
        note={
          sheet.rectified_by === null
            ? remedyText(sheet, count)
            : `They are recorded from mark sheet ${sheet.rectified_by}.`
        }
      />
      {preview.writes.length > 0 && (
        <WritesPreview sheet={sheet} preview={preview} title="What can be recorded now" />
      )}
    </>
  );
}

/** The button that records what has its place by now, for administrators. */
export function RecordRemaining({ sheet }: { sheet: Sheet }) {
  const { sheet_id } = sheet;
  const queries = useQueryClient();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const query = useQuery({ ...remainingQuery(sheet_id), enabled: hasLeft(sheet) });
  const [isAsking, setIsAsking] = useState(false);
  const preview = query.data;
  const { queryKey } = remainingQuery(sheet_id);
  const record = usePreviewedApply('POST /api/sheets/:sheet_id/remaining', {
    preview,
    onOutdated: async (current) => {
      queries.setQueryData(queryKey, current);
      await invalidateSheet(queries, sheet_id);
    },
    run: (key, { fingerprint }) =>
      showStep(queries, callWithVersion(key, { params: { sheet_id }, body: { fingerprint } })),
    failure: 'The results could not be recorded. Try again.',
    flashesProblem: true,
    onDone: () => resetRecords(queries),
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      await queries.invalidateQueries({ queryKey });
      await invalidateSheet(queries, sheet_id);
    },
    onSettled: () => setIsAsking(false),
  });
  if (!isAdmin || !hasLeft(sheet) || preview === undefined) return null;
  if (preview.writes.length === 0 || preview.refused !== null) return null;
  const what = resultsText(preview.writes.length);
  return (
    <>
      <Button variant="primary" processing={record.isRunning} onClick={() => setIsAsking(true)}>
        <FilePlus />
        {`Record ${what}`}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        text={`Record ${what} of ${sheet.title}?`}
        processing={record.isRunning}
        onNo={() => setIsAsking(false)}
        onYes={() => record.apply()}
      />
    </>
  );
}
