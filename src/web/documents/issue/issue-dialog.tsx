import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { DocumentBatch } from '../../../contract/documents/documents.ts';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { batchQuery, REGISTER_KEY } from '../document-queries.ts';
import type { DocumentStudents } from '../document-words.ts';
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
  const [isSending, setIsSending] = useState(false);
  const [batchId, setBatchId] = useState<number>();
  /** Closed by the browser, which returns the focus to where it was. */
  const close = () => dialog.current?.close();
  const showBatch = (batch: DocumentBatch) => {
    queries.setQueryData(batchQuery(batch.batch_id).queryKey, batch);
    void queries.invalidateQueries({ queryKey: REGISTER_KEY });
    setBatchId(batch.batch_id);
  };
  return (
    <TaskDialog dialog={dialog} title={title} isRunning={isSending} isLarge onClose={onClose}>
      {batchId === undefined ? (
        <IssueForm
          students={students}
          studentName={studentName}
          initialSemester={semester}
          isSending={isSending}
          onSending={setIsSending}
          onIssued={showBatch}
          onCancel={close}
        />
      ) : (
        <BatchPanel batchId={batchId} onClose={close} />
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
