import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Lock, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ConfirmPreview } from '../../../contract/marksheets/confirmation.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { usePreviewedApply } from '../../forms/use-previewed-apply.ts';
import { ApiError } from '../../lib/api.ts';
import { callWithVersion } from '../../lib/call.ts';
import { plural } from '../../lib/format.ts';
import { useCurrentUser, useIsTeacher } from '../../lib/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SheetActions } from '../sheet-context.tsx';
import { invalidateSheet } from '../sheet-queries.ts';
import {
  BlockedRows,
  DependingRows,
  leftText,
  remedyText,
  resultsText,
  WritesPreview,
} from './confirm-preview.tsx';
import { confirmPreviewQuery, resetRecords, showStep } from './confirmation-queries.ts';
import { StepReasonField } from './step-reason-field.tsx';
import { SubmissionFacts } from './submission-facts.tsx';

/** A sheet that waits for its confirmation by an administrator. */
export function SubmittedSheet({ sheet }: { sheet: Sheet }) {
  const { sheet_id, submitted_by } = sheet;
  const user = useCurrentUser();
  const isAdmin = user?.role === 'admin';
  const isOwn = submitted_by !== null && submitted_by.id === user?.id;
  const [isTakingBack, setIsTakingBack] = useState(false);
  const isTeacher = useIsTeacher();
  const query = useQuery({ ...confirmPreviewQuery(sheet_id), enabled: !isTeacher });
  const preview = query.data;
  const [isAsking, setIsAsking] = useState(false);
  const confirm = useConfirm(sheet, preview, () => setIsAsking(false));
  const left = preview?.blocked.length ?? 0;
  return (
    <div className="grid max-w-[60rem] gap-7">
      <SheetActions>
        {(isAdmin || isOwn) && (
          <Button onClick={() => setIsTakingBack(true)}>
            <Undo2 />
            {isOwn ? 'Take back' : 'Send back'}
          </Button>
        )}
        {isAdmin && preview?.refused == null && (
          <Button
            variant="primary"
            processing={confirm.isRunning}
            disabled={preview === undefined || (preview.writes.length === 0 && left > 0)}
            onClick={() => setIsAsking(true)}
          >
            <Lock />
            {preview === undefined ? 'Confirm' : `Confirm ${resultsText(preview.writes.length)}`}
          </Button>
        )}
      </SheetActions>
      {confirm.problem !== undefined && <Alert tone="warn">{confirm.problem}</Alert>}
      <SubmissionFacts sheet={sheet} />
      {!isAdmin && <p className="text-fg-2">An administrator confirms it. Until then nothing is written.</p>}
      {isAdmin && preview?.refused != null && <p className="text-fg-2">{preview.refused}</p>}
      <LoadError query={query} />
      {preview === undefined ? (
        query.isFetching && <Skeleton width={320} />
      ) : (
        <>
          <BlockedRows
            sheet={sheet}
            blocked={preview.blocked}
            note={`${leftText(left)} ${remedyText(sheet, left)}`}
          />
          <DependingRows sheet={sheet} depending={preview.depending} />
          <WritesPreview sheet={sheet} preview={preview} />
        </>
      )}
      {isTakingBack && <TakeBackDialog sheet={sheet} isOwn={isOwn} onClose={() => setIsTakingBack(false)} />}
      {preview && (
        <ConfirmDialog
          isOpen={isAsking}
          text={`Confirm ${resultsText(preview.writes.length)} of ${sheet.title}${
            left === 0 ? '' : `; ${plural(left, 'stays', 'stay')} on the sheet`
          }?`}
          processing={confirm.isRunning}
          onNo={() => setIsAsking(false)}
          onYes={() => confirm.apply()}
        >
          <p className="mt-2 text-fg-2 text-label">
            The marks and boundaries are locked after this. Only a rectification changes them, with a reason.
            {left > 0 && ' What stays on the sheet can be recorded later.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Confirms what the preview has shown. */
function useConfirm({ sheet_id }: Sheet, preview: ConfirmPreview | undefined, close: () => void) {
  const queries = useQueryClient();
  const { queryKey } = confirmPreviewQuery(sheet_id);
  return usePreviewedApply('POST /api/sheets/:sheet_id/confirm', {
    preview,
    onOutdated: (current) => void queries.setQueryData(queryKey, current),
    outdatedNote: 'Below is what confirming writes now.',
    run: (key, { fingerprint, blocked }) => {
      const body = { fingerprint, leave: blocked.map(({ student_id }) => student_id) };
      return showStep(queries, callWithVersion(key, { params: { sheet_id }, body }));
    },
    failure: 'The mark sheet could not be confirmed. Try again.',
    onDone: () => resetRecords(queries),
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      await queries.invalidateQueries({ queryKey });
      if (error.status === 409) await invalidateSheet(queries, sheet_id);
    },
    onSettled: close,
  });
}

interface TakeBackDialogProps {
  sheet: Sheet;
  /** Whether the user is the one who submitted it. */
  isOwn: boolean;
  onClose: () => void;
}

/** Makes a submitted sheet a draft again. */
function TakeBackDialog({ sheet: { sheet_id }, isOwn, onClose }: TakeBackDialogProps) {
  const queries = useQueryClient();
  const action = isOwn ? 'Take back' : 'Send back';
  return (
    <FormDialog
      title={`${action} this mark sheet`}
      fields={{ reason: '' }}
      action={action}
      failure="The mark sheet could not be taken back. Try again."
      run={(body) => {
        const params = { sheet_id };
        return showStep(queries, callWithVersion('POST /api/sheets/:sheet_id/take-back', { params, body }));
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="text-fg-2">
            It becomes a draft again: marks and boundaries can be changed, and it is submitted anew.
          </p>
          <StepReasonField {...field('reason')} />
        </>
      )}
    </FormDialog>
  );
}
