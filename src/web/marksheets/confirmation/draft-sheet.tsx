import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Send } from 'lucide-react';
import { useEffect } from 'react';
import type { SheetCheck } from '../../../contract/marksheets/grading.ts';
import type { Sheet } from '../../../contract/marksheets/sheets.ts';
import { Form } from '../../forms/form.tsx';
import { useTask } from '../../forms/use-task.ts';
import { ApiError } from '../../lib/api.ts';
import { callWithVersion } from '../../lib/call.ts';
import { useCanFill, useIsTeacher } from '../../lib/session.ts';
import { fullName } from '../../students/student-format.ts';
import { RecordLink } from '../../students/student-link.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/fields/input-fields.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UnsentAttendanceCheck } from '../attendance/unsent-attendance.tsx';
import { useUnsentAttendance } from '../attendance/use-attendance-editing.ts';
import { UnsentCheck } from '../grid/saving/unsent-check.tsx';
import { useUnsentMarks } from '../grid/saving/use-mark-editing.ts';
import { SheetActions } from '../sheet-context.tsx';
import { invalidateSheet } from '../sheet-queries.ts';
import { useDraftTexts } from '../use-draft-texts.ts';
import { BlockedRows, DependingRows, leftText, remedyText } from './confirm-preview.tsx';
import { checksQuery, confirmPreviewQuery, showStep } from './confirmation-queries.ts';

const FORM_ID = 'submit-sheet';

/** The checks of a draft, with the reasons for passing over warnings, and its submission. */
export function DraftSheet({ sheet }: { sheet: Sheet }) {
  const { sheet_id, version } = sheet;
  const queries = useQueryClient();
  const canFill = useCanFill();
  const isTeacher = useIsTeacher();
  const query = useQuery(checksQuery(sheet_id, version));
  const preview = useQuery({ ...confirmPreviewQuery(sheet_id), enabled: !isTeacher });
  const [reasons = {}, setReasons] = useDraftTexts(`sheet-reasons/${sheet_id}`);
  const unsent = useUnsentMarks();
  const unsentAttendance = useUnsentAttendance();
  const isKept = unsent.length + unsentAttendance.length > 0;
  const checks = query.data;

  const {
    errors,
    problem,
    error: refusal,
    ...submission
  } = useTask({
    run: (given: Readonly<Record<string, string>>) => {
      const params = { sheet_id };
      const step = callWithVersion('POST /api/sheets/:sheet_id/submit', { params, body: { reasons: given } });
      return showStep(queries, step);
    },
    failure: 'The mark sheet could not be submitted. Try again.',
    fields: checks?.warnings.map(({ rule }) => `reasons.${rule}`) ?? [],
    onDone: () => setReasons(undefined),
    onError: async (error) => {
      // Marks or the class have changed since the checks were read.
      if (error instanceof ApiError && error.status === 409) await invalidateSheet(queries, sheet_id);
      await query.refetch();
    },
  });
  useEffect(() => {
    if (refusal !== null)
      document.getElementById(FORM_ID)?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refusal]);

  if (checks === undefined) {
    return (
      <>
        <LoadError query={query} />
        {query.isFetching && <Skeleton width={320} />}
      </>
    );
  }
  const isClean = checks.refusals.length === 0 && !isKept;
  return (
    <Form
      id={FORM_ID}
      onSubmit={() => {
        if (isKept) return;
        submission.start(
          Object.fromEntries(checks.warnings.map(({ rule }) => [rule, reasons[rule] ?? ''] as const)),
        );
      }}
      className="grid max-w-[60rem] gap-7"
    >
      {canFill && (
        <SheetActions>
          <Button
            type="submit"
            form={FORM_ID}
            variant="primary"
            processing={submission.isRunning}
            disabled={!isClean}
          >
            <Send />
            Submit
          </Button>
        </SheetActions>
      )}
      {problem !== undefined && <Alert>{problem}</Alert>}
      <section aria-labelledby="sheet-refusals">
        <h2 id="sheet-refusals" className="mb-2">
          Checks
        </h2>
        {isClean ? (
          <p className="flex items-center gap-2 text-fg-2">
            <CircleCheck className="size-4 text-ok" />
            {checks.warnings.length === 0
              ? 'Ready to submit. No warnings.'
              : 'Ready when each warning has a reason.'}
          </p>
        ) : (
          <>
            <p className="text-fg-2">Fix these before you submit.</p>
            <ul className="sheet-checks">
              {unsent.length > 0 && <UnsentCheck sheet={sheet} unsent={unsent} />}
              <UnsentAttendanceCheck unsent={unsentAttendance} />
              {checks.refusals.map((check) => (
                <li key={check.rule} data-kind="refusal">
                  <CheckText check={check} sheet={sheet} />
                </li>
              ))}
            </ul>
            <p className="mt-3">
              <Link to="/marksheets/$sheetId" params={{ sheetId: String(sheet_id) }} className="link">
                Go to the marks
              </Link>
            </p>
          </>
        )}
      </section>
      {checks.warnings.length > 0 && (
        <section aria-labelledby="sheet-warnings">
          <h2 id="sheet-warnings" className="mb-2">
            {checks.warnings.length === 1 ? 'One warning' : `${checks.warnings.length} warnings`}
          </h2>
          <p className="text-fg-2">Each needs a reason. The person who confirms the sheet reads it.</p>
          <ul className="sheet-checks">
            {checks.warnings.map((check) => (
              <li key={check.rule} data-kind="warning">
                <CheckText check={check} sheet={sheet} />
                {canFill && (
                  <TextAreaField
                    label="Reason"
                    name={`reasons.${check.rule}`}
                    value={reasons[check.rule] ?? ''}
                    onChange={(text) => setReasons({ ...reasons, [check.rule]: text })}
                    error={errors[`reasons.${check.rule}`]}
                    required
                    rows={2}
                    className="mt-2"
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {preview.data && (
        <>
          <BlockedRows
            sheet={sheet}
            blocked={preview.data.blocked}
            note={`${leftText(preview.data.blocked.length)} ${remedyText(sheet, preview.data.blocked.length)}`}
          />
          <DependingRows sheet={sheet} depending={preview.data.depending} />
        </>
      )}
    </Form>
  );
}

function CheckText({ check: { text, student_ids }, sheet }: { check: SheetCheck; sheet: Sheet }) {
  return (
    <>
      <p className="wrap-anywhere font-[560]">{text}</p>
      <StudentNames sheet={sheet} ids={student_ids} />
    </>
  );
}

/** Names shown before the list is shortened to "and n more". */
const MAX_NAMED = 12;

/** Students of a sheet by name, each with a link to the record. */
function StudentNames({ sheet, ids }: { sheet: Pick<Sheet, 'rows'>; ids: readonly string[] }) {
  if (ids.length === 0) return null;
  const rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-label">
      {ids.slice(0, MAX_NAMED).map((id) => {
        const row = rows.get(id);
        return (
          <li key={id} className="wrap-anywhere">
            <RecordLink id={id} className="link link-quiet">
              {row === undefined ? id : fullName(row)}
            </RecordLink>
            {row !== undefined && <span className="text-fg-3">{` ${id}`}</span>}
          </li>
        );
      })}
      {ids.length > MAX_NAMED && <li className="text-fg-3">{`and ${ids.length - MAX_NAMED} more`}</li>}
    </ul>
  );
}
