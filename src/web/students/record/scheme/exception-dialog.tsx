import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditReply } from '../../../../contract/schemes/audit.ts';
import { isLacking } from '../../../../domain/schemes/audit.ts';
import { coursesQuery, formatCourse } from '../../../courses/course-queries.ts';
import { foldCode } from '../../../courses/course-search.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { ReasonField } from '../../../forms/reason-field.tsx';
import { useIdempotencyKey } from '../../../forms/use-idempotency-key.ts';
import { ApiError } from '../../../lib/api.ts';
import { call } from '../../../lib/call.ts';
import { plural } from '../../../lib/format.ts';
import { ComboboxField } from '../../../ui/fields/combobox-field.tsx';
import { invalidateAudit } from './audit-queries.ts';

type Row = AuditReply['rows'][number];

interface ExceptionDialogProps {
  studentId: string;
  audit: AuditReply;
  row: Row;
  kind: 'substitute' | 'waive';
  onClose: () => void;
}

/** Lets another course count for a row, or waives the row. Says what is lacking afterwards. */
export function ExceptionDialog({ studentId, audit, row, kind, onClose }: ExceptionDialogProps) {
  const queries = useQueryClient();
  const { data: courses = [] } = useQuery(coursesQuery);
  const idempotencyKey = useIdempotencyKey();
  const passed = new Set(audit.extra.flatMap(({ course_id }) => course_id ?? []));
  // Passed courses that fill no row come first: they are what is usually meant.
  const offered = courses.toSorted(
    (a, b) => Number(passed.has(b.course_id)) - Number(passed.has(a.course_id)),
  );
  const find = (text: string) =>
    courses.find((course) => formatCourse(course) === text.trim()) ??
    courses.find(({ course_code }) => foldCode(course_code) === foldCode(text)) ??
    courses.find(({ course_id }) => String(course_id) === text.trim());
  const lacking = audit.rows.filter(({ state }) => isLacking(state)).length;
  return (
    <FormDialog
      title={`${kind === 'waive' ? 'Waive' : 'Substitute'} ${row.key}, ${row.title}`}
      fields={{ course_id: '', reason: '' }}
      action={kind === 'waive' ? 'Waive the row' : 'Substitute'}
      failure="It could not be stored. Try again."
      run={({ course_id, reason }) => {
        const course = kind === 'waive' ? null : find(course_id);
        if (course === undefined) throw unknownCourse();
        const body = { row: row.key, course_id: course?.course_id ?? null, reason };
        return call('POST /api/students/:id/exceptions', {
          params: { id: studentId },
          body,
          idempotencyKey: idempotencyKey(body),
        });
      }}
      onDone={() => invalidateAudit(queries, studentId)}
      onClose={onClose}
    >
      {({ field, change, values }) => {
        const course = find(values.course_id);
        const extra = audit.extra.find((one) => one.course_id === course?.course_id);
        const isDone = kind === 'waive' || extra !== undefined;
        const after = lacking - (isDone && isLacking(row.state) ? 1 : 0);
        return (
          <>
            <p className="-mt-2 text-fg-2">
              Semester {row.semester}, {row.credits === 0 ? 'no credits' : plural(row.credits, 'credit')}.{' '}
              {kind === 'waive'
                ? 'The row is done, without credits.'
                : 'A passed course counts for this row, and for no other.'}
            </p>
            {kind === 'substitute' && (
              <ComboboxField
                {...field('course_id')}
                label="Course that counts"
                placeholder="Code, ID or name"
                required
                opensOnTyping
                options={offered
                  .filter((one) => matches(formatCourse(one), values.course_id))
                  .slice(0, MOST_OFFERED)
                  .map((one) => ({
                    value: String(one.course_id),
                    label: formatCourse(one),
                    ...(passed.has(one.course_id) && { detail: 'passed, fills no row' }),
                  }))}
                onChoose={(id) => {
                  const chosen = courses.find(({ course_id }) => String(course_id) === id);
                  if (chosen) change({ course_id: formatCourse(chosen) });
                }}
                hint={
                  extra === undefined
                    ? undefined
                    : `Passed with ${extra.letter} in semester ${extra.semester}. It fills no row now.`
                }
              />
            )}
            <ReasonField {...field('reason')} hint="Stands in the audit and in the history." />
            {isDone && (
              <p role="status" className="rounded-panel border border-line bg-sunken px-3.5 py-2.5">
                <b className="font-semibold">
                  After it: {after} of {plural(audit.rows.length, 'row')} lacking.
                </b>
              </p>
            )}
          </>
        );
      }}
    </FormDialog>
  );
}

/** Courses that are offered at a time. */
const MOST_OFFERED = 8;

const matches = (text: string, typed: string) =>
  typed.trim() === '' ||
  text.toLowerCase().includes(typed.trim().toLowerCase()) ||
  foldCode(text).includes(foldCode(typed));

const NO_COURSE = 'The course must be one of the catalogue: type its code.';
const unknownCourse = () => new ApiError(422, NO_COURSE, { errors: { course_id: [NO_COURSE] } });

interface TakeBackDialogProps {
  studentId: string;
  exception: AuditReply['exceptions'][number];
  onClose: () => void;
}

/** Takes back a substitution or a waiver. */
export function TakeBackDialog({ studentId, exception, onClose }: TakeBackDialogProps) {
  const queries = useQueryClient();
  const { exception_id, row, course_id } = exception;
  const what = course_id === null ? 'waiver' : 'substitution';
  return (
    <FormDialog
      title={`Take back the ${what} of ${row}`}
      fields={{ reason: '' }}
      action={`Take back the ${what}`}
      variant="danger"
      failure="It could not be taken back. Try again."
      run={({ reason }) =>
        call('DELETE /api/students/:id/exceptions/:exception_id', {
          params: { id: studentId, exception_id },
          query: { reason },
        })
      }
      onDone={() => invalidateAudit(queries, studentId)}
      onClose={onClose}
    >
      {({ field }) => <ReasonField {...field('reason')} />}
    </FormDialog>
  );
}
