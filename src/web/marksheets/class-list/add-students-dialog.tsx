import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { StudentsPreview } from '../../../contract/marksheets/registrations.ts';
import { calendarDate } from '../../../domain/age.ts';
import { toCovered } from '../../../domain/marksheets/registration.ts';
import { REASON_LENGTH } from '../../../domain/reason.ts';
import { Form } from '../../forms/form.tsx';
import type { FieldErrors } from '../../forms/use-draft-form.ts';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { call } from '../../lib/call.ts';
import { formatDate, formatStudentCount } from '../../lib/format.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { useSettledText } from '../../lib/use-debounced.ts';
import { termsQuery } from '../../settings/term-queries.ts';
import { CheckTexts } from '../../students/check-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskDialog } from '../../ui/dialog/task-dialog.tsx';
import { TextAreaField, TextField } from '../../ui/fields/input-fields.tsx';
import { readIds } from '../setup/sheet-form-values.ts';
import { useSheet } from '../sheet-context.tsx';
import { invalidateSheet } from '../sheet-queries.ts';

export function AddStudentsDialog({ onClose }: { onClose: () => void }) {
  const { sheet_id, term_id } = useSheet();
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const [lateReason, setLateReason] = useState('');
  const ids = readIds(typed);
  const query = useStudentsPreview(ids);
  const preview = query.data?.filter(({ student_id }) => ids.includes(student_id)) ?? [];
  const isAdmin = useCurrentUser()?.role === 'admin';
  const isRefused = (one: Previewed) => one.refused !== null && !(isAdmin && needsOnlyReason(one));
  const refused = preview.filter(isRefused).map(({ student_id }) => student_id);
  const accepted = ids.filter((id) => !refused.includes(id));
  const term = useQuery(termsQuery).data?.find((one) => one.term_id === term_id);
  const lastDay = term?.add_until ?? null;
  const isLate = lastDay !== null && lastDay < calendarDate(new Date());
  const add = useTask({
    run: () =>
      call('POST /api/sheets/:sheet_id/students', {
        params: { sheet_id },
        body: { ids: accepted, reasons: pickFilled(reasons, accepted), reason: isLate ? lateReason : null },
      }),
    fields: [...(isLate ? ['reason'] : []), ...accepted.map(reasonField)],
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
        {lastDay !== null && (
          <p className="mt-2 text-fg-3 text-label">
            {isLate
              ? `Students were added until ${formatDate(lastDay)}. An administrator adds them with a reason.`
              : `Until ${formatDate(lastDay)}.`}
          </p>
        )}
        {isLate && (
          <TextField
            name="reason"
            label="Reason"
            value={lateReason}
            onChange={setLateReason}
            error={add.errors.reason}
            maxLength={REASON_LENGTH.max}
            required
          />
        )}
        <PreviewList
          preview={preview}
          isRefused={isRefused}
          reasons={reasons}
          errors={add.errors}
          onReason={(id, text) => setReasons((all) => ({ ...all, [id]: text }))}
        />
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

/** The reasons that are given for these students. */
const pickFilled = (reasons: Readonly<Record<string, string>>, ids: readonly string[]) =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const text = reasons[id]?.trim() ?? '';
      return text === '' ? [] : [[id, text]];
    }),
  );

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

type Previewed = StudentsPreview[number];

interface PreviewListProps {
  preview: StudentsPreview;
  isRefused: (one: Previewed) => boolean;
  reasons: Readonly<Record<string, string>>;
  errors: FieldErrors;
  onReason: (id: string, text: string) => void;
}

/** The students with a note: checks, repeaters, those of another semester than the class, and those who can't be added. */
function PreviewList({ preview, isRefused, reasons, errors, onReason }: PreviewListProps) {
  const { semester: ofClass } = useSheet();
  const notable = preview.filter(
    ({ attempt, semester, checks }) => attempt > 1 || semester !== ofClass || checks.length > 0,
  );
  if (notable.length === 0) return null;
  return (
    <ul
      aria-label="To be looked at"
      className="mt-3 max-h-80 divide-y divide-line overflow-y-auto rounded-panel border border-line"
    >
      {notable.map((one) => (
        <li key={one.student_id} className="grid gap-1 px-3.5 py-2.5 text-label">
          <p className="flex flex-wrap justify-between gap-x-3">
            <b className="wrap-anywhere font-[560]">{one.student_id}</b>
            <span className="text-fg-2">{attemptText(one, ofClass)}</span>
          </p>
          <CheckTexts checks={one.checks} />
          {!isRefused(one) && needsReason(one) && (
            <TextField
              name={reasonField(one.student_id)}
              label={`Reason for ${one.student_id}`}
              value={reasons[one.student_id] ?? ''}
              onChange={(text) => onReason(one.student_id, text)}
              error={errors[reasonField(one.student_id)]}
              maxLength={REASON_LENGTH.max}
              required
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Nothing but a hold refuses the student, which an administrator passes with a reason. */
const needsOnlyReason = ({ checks }: Previewed) =>
  checks.every(({ rule, state }) => state !== 'refused' || rule === 'hold');

const needsReason = ({ checks, refused }: Previewed) => refused !== null || toCovered(checks).length > 0;

const reasonField = (id: string) => `reasons.${id}`;

const attemptText = ({ attempt, before, semester }: Previewed, ofClass: number) =>
  [
    `Attempt ${attempt}${before === null ? '' : `, was ${before}`}`,
    ...(semester === ofClass ? [] : [`counts in semester ${semester}, the class in ${ofClass}`]),
  ].join('; ');

const TYPING_PAUSE_MS = 250;

const firstText = (error: unknown) =>
  error instanceof ApiError ? Object.values(error.errors)[0]?.[0] : undefined;
