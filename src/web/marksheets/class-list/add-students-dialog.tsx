import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { StudentsPreview } from '../../../contract/marksheets/registrations.ts';
import { Form } from '../../forms/form.tsx';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { formatStudentCount } from '../../lib/format.ts';
import { useSettledText } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import { readIds } from '../setup/sheet-form-values.ts';
import { useSheet } from '../sheet-context.tsx';
import { invalidateSheet } from '../sheet-queries.ts';

export function AddStudentsDialog({ onClose }: { onClose: () => void }) {
  const { sheet_id } = useSheet();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const ids = readIds(typed);
  const query = useStudentsPreview(ids);
  const preview = query.data?.filter(({ student_id }) => ids.includes(student_id)) ?? [];
  const refused = preview.filter((one) => one.refused !== null).map(({ student_id }) => student_id);
  const accepted = ids.filter((id) => !refused.includes(id));
  const add = useTask({
    run: () => call('POST /api/sheets/:sheet_id/students', { params: { sheet_id }, body: { ids: accepted } }),
    failure: 'The students could not be added. Try again.',
    onDone: async () => {
      await invalidateSheet(queries, sheet_id);
      dialog.current?.close();
    },
  });
  return (
    <TaskDialog dialog={dialog} title="Add students" isRunning={add.isRunning} onClose={onClose}>
      <Form className="px-5 pb-5" onSubmit={() => add.start()}>
        <TextAreaField
          name="ids"
          label="CMS IDs"
          value={typed}
          onChange={(text) => {
            setTyped(text);
            add.reset();
          }}
          rows={5}
          error={add.problem ?? firstText(query.error)}
          hint={`${formatStudentCount(ids.length)}. Spaces, commas or line ends separate them.`}
          required
        />
        <PreviewList preview={preview} />
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            processing={add.isRunning}
            disabled={ids.length > 0 && accepted.length === 0}
          >
            {accepted.length === 0 ? 'Add' : `Add ${formatStudentCount(accepted.length)}`}
          </Button>
        </div>
      </Form>
    </TaskDialog>
  );
}

/** How these students would be added, after a pause in typing. */
function useStudentsPreview(ids: readonly string[]) {
  const { sheet_id } = useSheet();
  const text = ids.join('\n');
  const settled = useSettledText(text, TYPING_PAUSE_MS);
  return useQuery({
    queryKey: ['sheets', 'students-preview', sheet_id, settled],
    queryFn: ({ signal }) =>
      call('POST /api/sheets/:sheet_id/students/preview', {
        params: { sheet_id },
        body: { ids: settled.split('\n') },
        signal,
        hasOverlay: false,
      }),
    placeholderData: keepPreviousData,
    enabled: settled !== '' && settled === text,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The students with a note: repeaters, those of another semester than the class, and those who can't be added. */
function PreviewList({ preview }: { preview: StudentsPreview }) {
  const { semester: ofClass } = useSheet();
  const notable = preview.filter(
    ({ attempt, semester, refused }) => attempt > 1 || semester !== ofClass || refused !== null,
  );
  if (notable.length === 0) return null;
  return (
    <ul aria-label="To be looked at" className="mt-3 grid max-h-56 gap-1.5 overflow-y-auto text-label">
      {notable.map(({ student_id, attempt, before, semester, refused }) => (
        <li key={student_id} className="wrap-anywhere">
          <b className="font-[560]">{student_id}</b>{' '}
          {refused === null ? (
            <span className="text-fg-2">
              {[
                ...(attempt > 1 ? [`attempt ${attempt}${before === null ? '' : `, was ${before}`}`] : []),
                ...(semester === ofClass ? [] : [`counts in semester ${semester}, the class in ${ofClass}`]),
              ].join('; ')}
            </span>
          ) : (
            <span className="text-danger-text">{`Not added. ${refused}`}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

const TYPING_PAUSE_MS = 250;

const firstText = (error: unknown) =>
  error instanceof ApiError ? Object.values(error.errors)[0]?.[0] : undefined;
