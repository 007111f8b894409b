import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import type { SheetTeacher } from '../../../contract/marksheets/sheets.ts';
import { roleLabel, usersQuery } from '../../accounts/account-queries.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { useTask } from '../../forms/use-task.ts';
import { callWithVersion } from '../../lib/call.ts';
import { useCanWrite } from '../../lib/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { SelectField } from '../../ui/fields/input-fields.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { useSheet } from '../sheet-context.tsx';
import { readSheet, setSheet } from '../sheet-queries.ts';

const MAX_TEACHERS = 10;

/** Who fills this mark sheet. The office names them, in any state of the sheet. */
export function SheetTeachers() {
  const { teachers, state } = useSheet();
  const canWrite = useCanWrite();
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<SheetTeacher>();
  const isWithout = state !== 'confirmed' && !teachers.some(({ active }) => active);
  if (!canWrite && teachers.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <h2 id="sheet-teachers" className="font-normal text-body text-fg-2">
        Teachers
      </h2>
      <ul aria-labelledby="sheet-teachers" className="flex min-w-0 flex-wrap gap-1.5 empty:hidden">
        {teachers.map((teacher) => (
          <li
            key={teacher.id}
            className="flex min-h-8.5 min-w-0 items-center gap-1 rounded-control border border-line-2 px-2.5 text-label"
          >
            <span className="wrap-anywhere min-w-0">{teacher.name}</span>
            {!teacher.active && <span className="text-warn">not active</span>}
            {canWrite && (
              <IconButton
                label={`Take ${teacher.name} off this mark sheet`}
                onClick={() => setRemoved(teacher)}
              >
                <X />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {canWrite && isWithout && (
        <span className="inline-flex items-center gap-1 text-label text-warn">
          <TriangleAlert className="size-3.5" />
          {teachers.length === 0 ? 'nobody' : 'nobody who is active'}
        </span>
      )}
      {canWrite && teachers.length < MAX_TEACHERS && (
        <Button variant="quiet" size="sm" onClick={() => setIsAdding(true)}>
          <Plus />
          Add a teacher
        </Button>
      )}
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
      {removed && <RemoveDialog teacher={removed} onClose={() => setRemoved(undefined)} />}
    </div>
  );
}

/** Names the teachers, from those who are named at this moment: a colleague may have named some meanwhile. */
function useNameTeachers() {
  const { sheet_id } = useSheet();
  const queries = useQueryClient();
  return async (change: (ids: readonly number[]) => readonly number[]) => {
    const { sheet, etag } = await readSheet(sheet_id);
    const { body, version } = await callWithVersion('PUT /api/sheets/:sheet_id/teachers', {
      params: { sheet_id },
      body: { ids: [...change(sheet.teachers.map(({ id }) => id))] },
      ifMatch: etag,
    });
    setSheet(queries, body.sheet, version);
    return body;
  };
}

const HOME = [['home']] as const;

function AddDialog({ onClose }: { onClose: () => void }) {
  const { teachers } = useSheet();
  const name = useNameTeachers();
  const query = useQuery(usersQuery);
  const others = query.data
    ?.filter(({ id, role }) => role !== 'viewer' && !teachers.some((teacher) => teacher.id === id))
    // Teachers are who is looked for.
    .toSorted(
      (a, b) =>
        Number(b.role === 'teacher') - Number(a.role === 'teacher') || a.name.localeCompare(b.name, 'en'),
    );
  return (
    <FormDialog
      title="Add a teacher"
      fields={{ ids: '' }}
      action="Add"
      failure="The teacher could not be added. Try again."
      run={({ ids }) => name((now) => [...now, Number(ids)])}
      invalidates={HOME}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <LoadError query={query} />
          <SelectField
            {...field('ids')}
            label="Account"
            placeholder="Select an account"
            options={(others ?? []).map(({ id, name: own, email, role }) => ({
              value: String(id),
              label: `${own}, ${roleLabel(role)}, ${email}`,
            }))}
            hint="Teachers see and fill this mark sheet, and no records. Staff can be named too."
            required
          />
        </>
      )}
    </FormDialog>
  );
}

function RemoveDialog({ teacher, onClose }: { teacher: SheetTeacher; onClose: () => void }) {
  const name = useNameTeachers();
  const remove = useTask({
    run: () => name((now) => now.filter((id) => id !== teacher.id)),
    failure: 'The teacher could not be taken off. Try again.',
    flashesProblem: true,
    invalidates: HOME,
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      text={`Are you sure you want to take ${teacher.name} off this mark sheet?`}
      processing={remove.isRunning}
      onYes={() => remove.start()}
      onNo={onClose}
    >
      <p className="mt-2 text-fg-2 text-label">
        A teacher can’t open it any more from now on. The marks stay.
      </p>
    </ConfirmDialog>
  );
}
