import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IdChangePreview } from '../../../contract/students/former-ids.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { call, callWithVersion } from '../../lib/call.ts';
import { moveStudentDrafts } from '../../lib/drafts.ts';
import { plural } from '../../lib/format.ts';
import { TextField } from '../../ui/fields/input-fields.tsx';
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
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [preview, setPreview] = useState<Preview>();
  const params = { id: studentId };

  const look = async (body: { id: string }) => {
    const options = { params, body, hasOverlay: false };
    setPreview(await callWithVersion('POST /api/students/:id/change-id/preview', options));
    return undefined;
  };
  const change = async (body: { id: string }, ifMatch: string | undefined) => {
    const changed = await call('PUT /api/students/:id/id', { params, body, ifMatch });
    moveStudentDrafts(studentId, changed.student.id);
    return changed;
  };
  const showStudent = async (newId: string) => {
    await navigate({ to: '/students/$studentId', params: { studentId: newId }, replace: true });
    for (const id of [studentId, newId]) invalidateStudent(queries, id);
  };

  return (
    <FormDialog
      title="Change registration number"
      fields={{ id: '' }}
      action={({ id }) => (preview === undefined ? 'Preview the change' : `Change to ${id.trim()}`)}
      failure="The registration number could not be changed. Try again."
      run={async (body) => (preview === undefined ? look(body) : change(body, preview.version))}
      closesAfter={(changed) => changed !== undefined}
      onDone={(changed) => changed && showStudent(changed.student.id)}
      onError={() => setPreview(undefined)}
      onClose={onClose}
    >
      {({ field }) => {
        const { onChange, ...id } = field('id');
        const retype = (typed: string) => {
          onChange(typed);
          setPreview(undefined);
        };
        return (
          <>
            <p className="text-fg-2">
              The present number is <b className="text-fg">{studentId}</b>. It will still find this student,
              and no other student can get it.
            </p>
            <TextField {...id} label="New registration number" onChange={retype} required />
            <div role="status">{preview && <WhatFollows preview={preview.body} />}</div>
          </>
        );
      }}
    </FormDialog>
  );
}

function WhatFollows({ preview }: { preview: IdChangePreview }) {
  const { semesters, has_family, has_picture, entries, former_ids } = preview;
  const items = [
    ['Family details', has_family ? 'Moved' : 'Not entered'],
    ['Recorded semesters', semesters === 0 ? 'None' : `${semesters}, all kept`],
    ['Portrait', has_picture ? 'Moved' : 'None'],
    ['History', `${plural(entries, 'entry stays', 'entries stay')} readable from the record`],
    ...(former_ids.length === 0 ? [] : [['Earlier numbers', former_ids.join(', ')]]),
  ];
  return (
    <>
      <h3 className="mb-2 font-[560]">Moved with the new number</h3>
      <DescriptionList items={items.map(([title = '', value]) => ({ title, value }))} />
    </>
  );
}
