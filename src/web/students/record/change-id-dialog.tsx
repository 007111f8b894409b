import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import type { IdChangePreview } from '../../../contract/students/former-ids.ts';
import { displayErrorTexts } from '../../forms/error-texts.ts';
import { ApiError, errorMessage } from '../../lib/api.ts';
import { call, callWithVersion } from '../../lib/call.ts';
import { moveStudentDrafts } from '../../lib/drafts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { TextField } from '../../ui/fields/input-fields.tsx';
import { flash } from '../../ui/flash.tsx';
import { DescriptionList } from '../../ui/page/facts.tsx';
import { invalidateStudent } from '../student-queries.ts';

interface Preview {
  body: IdChangePreview;
  version: string | undefined;
}

interface ChangeIdDialogProps {
  studentId: string;
  onClose: () => void;
}

/** Asks for a new registration number, shows what is kept under it, and changes it. */
export function ChangeIdDialog({ studentId, onClose }: ChangeIdDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [newId, setNewId] = useState('');
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isRunning, setIsRunning] = useState(false);
  const body = { id: newId };

  const look = async () => {
    const options = { params: { id: studentId }, body, hasOverlay: false };
    setPreview(await callWithVersion('POST /api/students/:id/change-id/preview', options));
  };
  const change = async (ifMatch: string | undefined) => {
    const { message, student } = await call('PUT /api/students/:id/id', {
      params: { id: studentId },
      body,
      ifMatch,
    });
    moveStudentDrafts(studentId, student.id);
    dialog.current?.close();
    flash(message);
    await navigate({ to: '/students/$studentId', params: { studentId: student.id }, replace: true });
    for (const id of [studentId, student.id]) invalidateStudent(queries, id);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setError(undefined);
    setProblem(undefined);
    try {
      await (preview === undefined ? look() : change(preview.version));
    } catch (refusal) {
      setPreview(undefined);
      const text = refusal instanceof ApiError ? displayErrorTexts(refusal.errors).id : undefined;
      setError(text);
      if (text === undefined)
        setProblem(errorMessage(refusal, 'The registration number could not be changed. Try again.'));
      dialog.current?.querySelector('input')?.focus();
    } finally {
      setIsRunning(false);
    }
  };

  return (
    <TaskDialog dialog={dialog} title="Change registration number" isRunning={isRunning} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className="contents">
        <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto px-5 pb-1">
          {problem !== undefined && <Alert>{problem}</Alert>}
          <p className="text-fg-2">
            The present number is <b className="text-fg">{studentId}</b>. It will still find this student, and
            no other student can get it.
          </p>
          <TextField
            label="New registration number"
            name="new-id"
            value={newId}
            onChange={(typed) => {
              setNewId(typed);
              setPreview(undefined);
              setError(undefined);
            }}
            error={error}
            required
          />
          <div role="status">{preview && <WhatFollows preview={preview.body} />}</div>
        </div>
        <div className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-4 max-xs:*:grow">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" processing={isRunning}>
            {preview === undefined ? 'Preview the change' : `Change to ${newId.trim()}`}
          </Button>
        </div>
      </form>
    </TaskDialog>
  );
}

function WhatFollows({ preview }: { preview: IdChangePreview }) {
  const { semesters, has_family, has_picture, entries, former_ids } = preview;
  const items = [
    ['Family details', has_family ? 'Follow' : 'Not entered'],
    ['Recorded semesters', semesters === 0 ? 'None' : `${semesters}, all kept`],
    ['Portrait', has_picture ? 'Follows' : 'None'],
    ['History', `${entries} ${entries === 1 ? 'entry stays' : 'entries stay'} readable from the record`],
    ...(former_ids.length === 0 ? [] : [['Earlier numbers', former_ids.join(', ')]]),
  ];
  return (
    <>
      <h3 className="mb-2 font-[560]">What is kept under the new number</h3>
      <DescriptionList items={items.map(([title = '', value]) => ({ title, value }))} />
    </>
  );
}
