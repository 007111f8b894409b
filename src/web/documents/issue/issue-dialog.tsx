import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { DocumentsInput } from '../../../contract/documents/documents.ts';
import { useIdempotencyKey } from '../../forms/use-idempotency-key.ts';
import { useTask } from '../../forms/use-task.ts';
import { call } from '../../lib/call.ts';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import type { DocumentStudents } from '../document-labels.ts';
import { batchQuery, REGISTER_KEY } from '../document-queries.ts';
import { HOLDS_KEY } from '../holds/hold-queries.ts';
import { BatchPanel } from './batch-panel.tsx';
import { IssueForm } from './issue-form.tsx';

interface IssueDialogProps {
  title: string;
  /** The name of the only student. */
  studentName?: string;
  students: DocumentStudents;
  /** The semester that a result card is most likely for. */
  semester?: number | undefined;
  onClose: () => void;
}

/** Issues documents: first what and for whom, then the progress and the files. */
export function IssueDialog({ title, studentName, students, semester, onClose }: IssueDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const queries = useQueryClient();
  const keys = { official: useIdempotencyKey(), unofficial: useIdempotencyKey() };
  const [batchId, setBatchId] = useState<number>();
  /** Closed by the browser, which returns the focus to where it was. */
  const close = () => dialog.current?.close();
  const send = async (body: DocumentsInput) => {
    const idempotencyKey = keys[body.official ? 'official' : 'unofficial'](body);
    return (await call('POST /api/documents', { body, idempotencyKey })).batch;
  };
  const issuing = useTask({
    run: send,
    failure: 'Nothing was issued. Try again.',
    fields: ['override'],
    rewrite: (_, text) => text.replace('The override', 'The reason'),
    onDone: (batch) => {
      queries.setQueryData(batchQuery(batch.batch_id).queryKey, batch);
      void queries.invalidateQueries({ queryKey: REGISTER_KEY });
      void queries.invalidateQueries({ queryKey: HOLDS_KEY });
      setBatchId(batch.batch_id);
    },
  });
  return (
    <TaskDialog dialog={dialog} title={title} isRunning={issuing.isRunning} isLarge onClose={onClose}>
      {batchId === undefined ? (
        <IssueForm
          students={students}
          studentName={studentName}
          initialSemester={semester}
          send={send}
          issuing={issuing}
          onCancel={close}
        />
      ) : (
        <BatchPanel batchId={batchId} isForOne={studentName !== undefined} onClose={close} />
      )}
    </TaskDialog>
  );
}

/** The files of documents that were issued together, and how far the issuing has come. */
export function BatchDialog({ batchId, onClose }: { batchId: number; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <TaskDialog dialog={dialog} title="Issued together" isRunning={false} isLarge onClose={onClose}>
      <BatchPanel batchId={batchId} onClose={() => dialog.current?.close()} />
    </TaskDialog>
  );
}
