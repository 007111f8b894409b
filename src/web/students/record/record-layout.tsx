import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { StudentDocuments } from '../../documents/register/student-documents.tsx';
import { usePageKey } from '../../lib/keyboard-shortcuts.ts';
import { usePageQuery } from '../../lib/query-client.ts';
import { useCanWrite } from '../../lib/session.ts';
import { BackLink } from '../../ui/page/back-link.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { PageTabs } from '../../ui/page/page-tabs.tsx';
import { NeighbourLinks } from '../neighbour-links.tsx';
import { studentBaseQuery, studentRecordQuery } from '../student-queries.ts';
import { isUnknownStudent, useStudentId, useStudentNotFoundRedirect } from '../student-redirects.ts';
import { RecordHead, RecordHeadSkeleton } from './record-head.tsx';
import { findRecordTab, RECORD_TABS } from './record-tabs.ts';

/** The page of a student: the head and the tabs, around the chosen one. */
export function RecordLayout() {
  const studentId = useStudentId();
  const path = useRouterState({ select: ({ location }) => findRecordTab(location.pathname)?.path });
  const record = usePageQuery({ ...studentRecordQuery(studentId), loading: 'student' });
  // A record without family details has the base details only.
  const base = usePageQuery({
    ...studentBaseQuery(studentId),
    enabled: record.data === null,
    loading: 'student',
  });
  // The history of a deleted student can be read.
  const isGone = isUnknownStudent(record.error) && path === '/history';
  useStudentNotFoundRedirect(isGone ? null : record.error);
  const student = record.data?.student ?? base.data?.body.student;
  if (isGone) {
    return (
      <Page>
        <PageHeader
          title="History"
          sub={`Changes to the record of CMS ID ${studentId}, the latest first.`}
          back={{ to: '/students', label: 'Students' }}
        />
        <Outlet />
      </Page>
    );
  }
  const failed = (record.data === null ? [record, base] : [record]).find((query) => hasLoadError({ query }));
  return (
    <Page>
      <div className="flex items-start justify-between gap-x-6">
        <BackLink to="/students">Students</BackLink>
        <NeighbourLinks page={path ?? ''} />
      </div>
      {failed && <LoadError query={failed} />}
      {student ? (
        <RecordHead student={student} recorded={record.data?.academics.length} isSmall={path !== ''} />
      ) : (
        (record.isFetching || base.isFetching) && <RecordHeadSkeleton isSmall={path !== ''} />
      )}
      {student && <Tabs studentId={studentId} />}
      {!failed && <Outlet />}
    </Page>
  );
}

function Tabs({ studentId }: { studentId: string }) {
  const canWrite = useCanWrite();
  const tabs = RECORD_TABS.filter(({ isForWriters }) => canWrite || !isForWriters).map(({ path, name }) => ({
    to: `/students/${encodeURIComponent(studentId)}${path}`,
    name,
  }));
  if (tabs.length === 1) return null;
  return (
    <>
      <PageTabs label="Student" tabs={tabs} className="mb-5" />
      {tabs.map(({ to }, i) => (
        <TabKey key={to} number={i + 1} to={to} />
      ))}
    </>
  );
}

/** Opens a tab by its number. */
function TabKey({ number, to }: { number: number; to: string }) {
  const navigate = useNavigate();
  usePageKey(String(number), () => void navigate({ to, resetScroll: false }));
  return null;
}

/** Around the tabs that only users who can write may open; others get a notice instead. */
export function WritersTab() {
  return useCanWrite() ? (
    <Outlet />
  ) : (
    <EmptyState title="Your role lets you read records, not change them." />
  );
}

export function DocumentsTab() {
  return <StudentDocuments studentId={useStudentId()} />;
}
