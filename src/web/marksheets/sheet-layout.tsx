import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Sheet } from '../../contract/marksheets/sheets.ts';
import { formatDay, formatStudentCount } from '../lib/format.ts';
import { usePageSubject } from '../lib/navigation/navigation.ts';
import { usePageQuery } from '../lib/query-client.ts';
import { useCanFill, useCurrentUser, useIsTeacher } from '../lib/session.ts';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { BackLink } from '../ui/page/back-link.tsx';
import { LoadError } from '../ui/page/load-error.tsx';
import { Page, PageHeader } from '../ui/page/page.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { AttendanceSaveState } from './attendance/attendance-save-state.tsx';
import { useAttendanceEditing } from './attendance/use-attendance-editing.ts';
import { useSheetEvents } from './events/use-sheet-events.ts';
import { SaveState } from './grid/saving/save-state.tsx';
import { useMarkEditing } from './grid/saving/use-mark-editing.ts';
import { SheetContext } from './sheet-context.tsx';
import { classText } from './sheet-labels.ts';
import { sheetQuery } from './sheet-queries.ts';
import { SheetStateTag } from './sheet-state-tag.tsx';
import './marksheets.css';

const BACK = { to: '/marksheets', label: 'Mark sheets' } as const;

/** The page of a mark sheet: its head and tabs, around the chosen one. */
export function SheetLayout() {
  const { sheetId } = useParams({ strict: false });
  const id = Number(sheetId);
  const query = usePageQuery({ ...sheetQuery(id), loading: 'mark sheet' });
  if (query.data === undefined) {
    return (
      <Page width="wide">
        <PageHeader title="Mark sheet" back={BACK} />
        <LoadError query={query} />
      </Page>
    );
  }
  return <OpenSheet key={id} sheet={query.data.sheet} />;
}

function OpenSheet({ sheet }: { sheet: Sheet }) {
  const canFill = useCanFill();
  const isTeacher = useIsTeacher();
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const { others, isLive } = useSheetEvents(sheet.sheet_id);
  const editor = useMarkEditing(sheet);
  const attendance = useAttendanceEditing(sheet);
  const open = useMemo(
    () => ({ sheet, editor, attendance, others, isLive, actions }),
    [sheet, editor, attendance, others, isLive, actions],
  );
  const isOnMarks = useRouterState({
    select: ({ location }) => /^\/marksheets\/[^/]+\/?$/.test(location.pathname),
  });
  const isOnClass = useRouterState({
    select: ({ location }) => /^\/marksheets\/[^/]+\/class\/?$/.test(location.pathname),
  });
  usePageSubject(`${sheet.title}, ${classText(sheet)}`);
  return (
    <SheetContext value={open}>
      <Page width="wide" className={classNames('sheet-page', isOnMarks && 'sheet-page-full')}>
        <BackLink to={BACK.to}>{BACK.label}</BackLink>
        <div className="mb-2 flex flex-wrap items-start gap-x-6 gap-y-3">
          <div className="min-w-0 flex-[1_1_280px]">
            <h1>{sheet.title}</h1>
            <SheetFacts sheet={sheet} />
          </div>
          <div className="screen-only flex flex-wrap items-center gap-x-4 gap-y-2">
            {canFill && <SaveState onlyProblems={!isOnMarks} />}
            {canFill && <AttendanceSaveState onlyProblems={!isOnClass} />}
            <div ref={setActions} className="flex flex-wrap items-center gap-2 empty:hidden" />
            <ConfirmLink sheet={sheet} />
          </div>
        </div>
        {sheet.sent_back && (
          <Alert tone="warn" className="screen-only mb-3">
            {sheet.sent_back.by.name} sent this mark sheet back on {formatDay(sheet.sent_back.at)}:{' '}
            <span className="wrap-anywhere">{sheet.sent_back.reason}</span>
          </Alert>
        )}
        <PageTabs label="Mark sheet" tabs={tabs(sheet, isTeacher)} />
        <Outlet />
      </Page>
    </SheetContext>
  );
}

/** To where an administrator confirms a submitted sheet, from its other tabs. */
function ConfirmLink({ sheet: { sheet_id, state } }: { sheet: Sheet }) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  const path = `/marksheets/${sheet_id}/results`;
  const isThere = useRouterState({ select: ({ location }) => location.pathname === path });
  if (!isAdmin || state !== 'submitted' || isThere) return null;
  return (
    <ButtonLink to={path} variant="primary">
      Confirm
      <ArrowRight />
    </ButtonLink>
  );
}

function SheetFacts({ sheet }: { sheet: Sheet }) {
  const facts = [
    sheet.course_code,
    sheet.term_name,
    classText(sheet),
    `Semester ${sheet.semester}`,
    formatStudentCount(sheet.rows.length),
  ];
  return (
    <ul className="sheet-facts mt-1 flex flex-wrap items-center gap-y-1 text-fg-2">
      {facts.map((fact) => (
        <li key={fact} className="wrap-anywhere">
          {fact}
        </li>
      ))}
      <li>
        <SheetStateTag sheet={sheet} />
      </li>
    </ul>
  );
}

const tabs = ({ sheet_id, state }: Sheet, isTeacher: boolean) =>
  [
    { path: '', name: 'Marks' },
    { path: '/class', name: 'Class' },
    { path: '/grades', name: 'Grades' },
    { path: '/results', name: state === 'confirmed' ? 'Results' : isTeacher ? 'Submit' : 'Confirm' },
    ...(isTeacher ? [] : [{ path: '/changes', name: 'Changes' }]),
  ].map(({ path, name }) => ({ to: `/marksheets/${sheet_id}${path}`, name }));
