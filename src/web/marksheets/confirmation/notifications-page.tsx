import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { NotificationInput, Notifications } from '../../../contract/marksheets/confirmation.ts';
import { calendarDate } from '../../../domain/age.ts';
import { DEPARTMENT_CODES, SEMESTER_COUNT } from '../../../domain/student.ts';
import { Form } from '../../forms/form.tsx';
import { useTask } from '../../forms/use-task.ts';
import { call, findRefusal } from '../../lib/call.ts';
import { departmentName, formatDateTime, formatStudentCount } from '../../lib/format.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { useCurrentUser } from '../../lib/session.ts';
import { currentTerm } from '../../settings/current-term.ts';
import { termsQuery } from '../../settings/term-queries.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { SelectField, TextField } from '../../ui/fields/input-fields.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { STATE_NAMES } from '../sheet-labels.ts';
import { sheetsQuery } from '../sheet-queries.ts';
import { notificationsQuery, resetRecords } from './confirmation-queries.ts';
import { OpenClasses } from './open-classes.tsx';

/** Classes whose results are final, and for administrators the notification of another one. */
export function NotificationsPage() {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const query = usePageQuery({ ...notificationsQuery, loading: 'result notifications' });
  return (
    <Page>
      <PageHeader
        title="Result notifications"
        sub="The results of a class in a semester are provisional until it is notified. Then they count for standing, rank and documents."
        back={{ to: '/marksheets', label: 'Mark sheets' }}
      />
      {isAdmin && <NotifyForm notified={query.data} />}
      <LoadError query={query} />
      {query.data && <NotificationList notifications={query.data} />}
    </Page>
  );
}

type Field = keyof NotificationInput;

/** Chooses a class and notifies it. The address may name one. */
function NotifyForm({ notified }: { notified: Notifications | undefined }) {
  const queries = useQueryClient();
  const terms = useQuery(termsQuery);
  const address = useSearch({ strict: false, select: (search): Record<string, unknown> => ({ ...search }) });
  const given = (name: string) => (typeof address[name] === 'string' ? address[name] : '');
  const [values, setValues] = useState<Record<Field, string>>({
    term_id: given('term'),
    department: given('department'),
    degree: given('degree'),
    semester: given('semester'),
  });
  const termId =
    toNumber(values.term_id) ?? currentTerm(terms.data ?? [], calendarDate(new Date()))?.term_id ?? null;
  const sheets = useQuery({
    ...sheetsQuery(termId === null ? {} : { term_id: termId }),
    enabled: termId !== null,
  }).data;
  const [isAsking, setIsAsking] = useState(false);
  const notification = useTask({
    run: () =>
      call('POST /api/result-notifications', {
        body: { ...values, term_id: termId, semester: toNumber(values.semester) },
      }),
    failure: 'The class could not be notified. Try again.',
    fields: Object.keys(values),
    onDone: () => resetRecords(queries),
    onSettled: () => setIsAsking(false),
  });
  const { errors, error, problem, isRunning } = notification;
  const openSheets = findRefusal(error, 'POST /api/result-notifications', 409)?.sheets ?? [];
  const field = (name: Field) => ({
    name,
    value: name === 'term_id' ? String(termId ?? '') : values[name],
    error: errors[name],
    required: true,
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });

  return (
    <Form
      onSubmit={() => {
        // The server names what is missing; there is nothing to ask about yet.
        const { term_id: _, ...others } = values;
        if (termId === null || Object.values(others).some((value) => value.trim() === ''))
          notification.start();
        else setIsAsking(true);
      }}
      className="mb-8 grid max-w-[60rem] gap-4"
      aria-labelledby="notify-class"
    >
      <h2 id="notify-class">Notify a class</h2>
      {problem !== undefined && (
        <Alert tone="warn">
          <p>{problem}</p>
          {openSheets.length > 0 && (
            <ul className="mt-1.5 grid gap-1">
              {openSheets.map(({ sheet_id, title, state }) => (
                <li key={sheet_id}>
                  <Link to="/marksheets/$sheetId/results" params={{ sheetId: String(sheet_id) }}>
                    {title}
                  </Link>
                  {`, ${STATE_NAMES[state].toLowerCase()}`}
                </li>
              ))}
            </ul>
          )}
        </Alert>
      )}
      {sheets && notified && termId !== null && (
        <OpenClasses
          sheets={sheets}
          notified={notified}
          termId={termId}
          onNotify={({ department, degree, semester }) => {
            setValues({ term_id: String(termId), department, degree, semester: String(semester) });
            setIsAsking(true);
          }}
        />
      )}
      <LoadError query={terms} />
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-[2fr_2fr_1fr_1fr]">
        <SelectField
          {...field('term_id')}
          label="Term"
          placeholder="Select a term"
          options={(terms.data ?? []).map(({ term_id, name }) => ({ value: String(term_id), label: name }))}
        />
        <SelectField
          {...field('department')}
          label="Department"
          placeholder="Select a department"
          options={DEPARTMENT_CODES.map((code) => ({ value: code, label: departmentName(code) }))}
        />
        <TextField {...field('degree')} label="Batch" maxLength={20} />
        <SelectField
          {...field('semester')}
          label="Semester"
          placeholder="Select"
          options={Array.from({ length: SEMESTER_COUNT }, (_, i) => ({
            value: String(i + 1),
            label: String(i + 1),
          }))}
        />
      </div>
      <div>
        <Button type="submit" variant="primary" processing={isRunning}>
          Notify the class
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        text={`Make the results of ${values.department}-${values.degree} in semester ${values.semester} final?`}
        processing={isRunning}
        onNo={() => setIsAsking(false)}
        onYes={() => notification.start()}
      >
        <p className="mt-2 text-fg-2 text-label">A notification can’t be taken back.</p>
      </ConfirmDialog>
    </Form>
  );
}

/** A field that is left empty is sent as nothing. */
const toNumber = (text: string) => (text === '' ? null : Number(text));

function NotificationList({ notifications }: { notifications: Notifications }) {
  if (notifications.length === 0) {
    return <p className="text-fg-2">No class has been notified yet.</p>;
  }
  return (
    <ul aria-label="Result notifications" className="max-w-[60rem] rounded-panel border border-line">
      {notifications.map(
        ({ number, term_name, department, degree, semester, students, notified_at, notified_by }) => (
          <li
            key={number}
            className="flex flex-wrap gap-x-5 gap-y-1 border-line px-4 py-3 not-first:border-t"
          >
            <span className="wrap-anywhere min-w-0 flex-[1_1_16rem]">
              <b className="font-[560]">{`${department}-${degree}, semester ${semester}`}</b>
              <span className="block text-fg-3 text-label">{`Notification ${number}, ${term_name}`}</span>
            </span>
            <span className="flex-[1_1_12rem] text-fg-2">
              {formatStudentCount(students)}
              <span className="block text-fg-3 text-label">
                {`${formatDateTime(notified_at)}, by ${notified_by.name}`}
              </span>
            </span>
          </li>
        ),
      )}
    </ul>
  );
}
