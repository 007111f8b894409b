import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleStop, Download, FileArchive, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { DocumentBatch } from '../../../contract/documents/documents.ts';
import { batchFileName } from '../../../domain/documents/file-name.ts';
import { keepErrorText } from '../../forms/messages/error-texts.ts';
import { useTask } from '../../forms/use-task.ts';
import { call, callAddress } from '../../lib/call.ts';
import { formatCount } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { documentsText } from '../document-labels.ts';
import { batchQuery, REGISTER_KEY } from '../document-queries.ts';
import { RefusedStudents } from './refused-students.tsx';

type Format = 'pdf' | 'zip';

interface BatchPanelProps {
  batchId: number;
  /** It was just issued for one student, whose paper is saved by itself. */
  isForOne?: boolean;
  onClose: () => void;
}

/** A batch of documents: how far it has come, who got none, and the files. */
export function BatchPanel({ batchId, isForOne = false, onClose }: BatchPanelProps) {
  const params = { batch_id: batchId };
  const queries = useQueryClient();
  const query = useQuery(batchQuery(batchId));
  const batch = query.data;
  const isRunning = batch?.state === 'running';
  const [isSaved, setIsSaved] = useState(false);

  useEffect(() => {
    if (!isRunning) void queries.invalidateQueries({ queryKey: REGISTER_KEY });
  }, [isRunning, queries]);

  const stop = useTask({
    run: async () => {
      await call('POST /api/documents/batches/:batch_id/cancel', { params, hasOverlay: false });
      await query.refetch();
    },
    failure: 'The issuing could not be stopped. Try again.',
    rewrite: keepErrorText,
  });
  const saving = useTask({
    run: async ({ format, batch }: { format: Format; batch: DocumentBatch }) => {
      setIsSaved(false);
      const address = callAddress(`GET /api/documents/batches/:batch_id.${format}`, { params });
      setIsSaved(await saveFile(address, `${batchFileName(batch)}.${format}`));
    },
    failure: 'The file could not be saved. Try again.',
    rewrite: keepErrorText,
  });
  const save = (format: Format, batch: DocumentBatch) => {
    stop.reset();
    saving.start({ format, batch });
  };
  const startSaving = saving.start;
  const isToSave = useRef(isForOne);
  useEffect(() => {
    if (!isToSave.current || batch?.state !== 'done' || batch.documents !== 1) return;
    isToSave.current = false;
    startSaving({ format: 'pdf', batch });
  }, [batch, startSaving]);
  const isSaving = (format: Format) => saving.isRunning && saving.input?.format === format;
  const problem = stop.problem ?? saving.problem;

  if (batch === undefined) {
    return (
      <div className="min-h-40 px-5 pb-5">
        <LoadError query={query} />
      </div>
    );
  }
  const hasFiles = !isRunning && batch.documents > 0;
  return (
    <>
      <div className="grid min-h-0 flex-auto content-start gap-4 overflow-y-auto px-5 pb-4">
        {problem !== undefined && <Alert>{problem}</Alert>}
        {isRunning ? <Progress batch={batch} /> : <Outcome batch={batch} />}
        <RefusedStudents refused={batch.refused} />
        {hasFiles && batch.documents > 1 && (
          <p className="text-fg-2">
            One PDF in the order of the IDs, with an index, or a ZIP of single files.
          </p>
        )}
        <p role="status" className="text-fg-2 empty:hidden">
          {isSaved && 'The file has been saved.'}
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-sunken px-5 py-3 max-xs:*:grow">
        {isRunning && (
          <p className="me-auto text-fg-3 text-label">Stop keeps the documents that are issued.</p>
        )}
        {/* One button for both, so that it keeps the focus when the last document is issued. */}
        <Button processing={stop.isRunning} onClick={isRunning ? () => stop.start() : onClose}>
          {isRunning && <CircleStop />}
          {isRunning ? 'Stop' : 'Close'}
        </Button>
        {batch.progress.of > 1 && (
          <Button disabled={!hasFiles} processing={isSaving('zip')} onClick={() => save('zip', batch)}>
            <FileArchive />
            Save ZIP
          </Button>
        )}
        <Button
          variant="primary"
          disabled={!hasFiles}
          processing={isSaving('pdf')}
          onClick={() => save('pdf', batch)}
        >
          <Download />
          Save PDF
        </Button>
      </div>
    </>
  );
}

function Progress({ batch }: { batch: DocumentBatch }) {
  const { done, of } = batch.progress;
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <h3 id="batch-progress">Issuing</h3>
        <p>
          <b className="font-[620] text-[1.25rem]">{formatCount(done)}</b>{' '}
          <span className="text-fg-3">of {formatCount(of)}</span>
        </p>
      </div>
      <progress
        className="progress h-3!"
        aria-labelledby="batch-progress"
        value={done}
        max={Math.max(of, 1)}
      />
      {/* Read out at every quarter, not at every document. */}
      <p
        role="status"
        className="sr-only"
      >{`${Math.floor((4 * done) / Math.max(of, 1)) * 25} percent are issued.`}</p>
      <p className="text-fg-2 text-label">
        {serialsText(batch) !== '' && `Serials so far: ${serialsText(batch)}. `}You can close this window; the
        work goes on, and Documents lists them.
      </p>
    </div>
  );
}

const serialsText = ({ first_serial, last_serial }: DocumentBatch) =>
  first_serial === null
    ? ''
    : first_serial === last_serial
      ? first_serial
      : `${first_serial} to ${last_serial}`;

const OUTCOMES = {
  done: '',
  cancelled: 'Stopped. ',
  interrupted: 'The server was restarted meanwhile, so the others were not issued. ',
} as const;

function Outcome({ batch }: { batch: DocumentBatch }) {
  const { kind, official, documents, state } = batch;
  if (state === 'running') return null;
  const isWhole = state === 'done';
  const Icon = isWhole ? CircleCheck : TriangleAlert;
  return (
    <div role="status" className="flex gap-2.5">
      <Icon className={`mt-0.5 size-4.5 shrink-0 ${isWhole ? 'text-ok' : 'text-warn'}`} />
      <div>
        <p className="font-[560]">
          {OUTCOMES[state]}
          {documentsText(kind, documents, official)} {official ? 'issued' : 'can be saved'}.
        </p>
        {official && <p className="text-fg-2">{serialsText(batch)}</p>}
      </div>
    </div>
  );
}
