import { FileBadge, FileUp, History, Plus, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { FirstActions } from '../../courses/first-actions.tsx';
import { storeStudentsSearch, useCanWrite } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { hasLoadError, LoadError } from '../../ui/page/load-error.tsx';
import { Page, PageHeader } from '../../ui/page/page.tsx';
import { serializeView, toStudentFilter, toStudentView } from './model/list-query.ts';
import { useListSelection } from './model/selection.ts';
import { useListQuery } from './model/use-list-query.ts';
import { useStudentsSearchParams } from './model/use-search-params.ts';
import { SavedViews } from './saved-views/saved-views.tsx';
import { StudentsList } from './students-list.tsx';

/** The Dashboard: the list of all students. */
export function StudentsPage() {
  const canWrite = useCanWrite();
  const listAddress = useStudentsSearchParams();
  const { address } = listAddress;
  const { first, ...list } = useListQuery(toStudentView(address));
  const selectionState = useListSelection(toStudentFilter(address));
  useEffect(() => storeStudentsSearch({ ...address }), [address]);
  const isEmpty =
    list.shown !== undefined &&
    serializeView(toStudentFilter(address)) === '{}' &&
    !list.isBehind &&
    list.pages.isEnded &&
    list.pages.known === 0;
  return (
    <Page width="wide">
      <PageHeader title="Students" actions={isEmpty || !canWrite ? undefined : <Actions />} />
      <LoadError query={first} />
      {isEmpty ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            figure={<EmptyStudentsFigure />}
            title="No student entries have been created yet"
            text={canWrite ? 'Add the first student one step at a time, or import a spreadsheet.' : undefined}
            action={
              canWrite ? (
                <FirstActions kind="students" label="Import students">
                  <CreateLink />
                </FirstActions>
              ) : undefined
            }
          />
        </div>
      ) : (
        (list.shown || !hasLoadError({ query: first })) && (
          <>
            <p className="print-only">
              The list is printed by “Print” next to its search: it loads all students that match, not only
              those on screen.
            </p>
            <div className="screen-only">
              <SavedViews address={address} />
              <StudentsList listAddress={listAddress} selectionState={selectionState} {...list} />
            </div>
          </>
        )
      )}
    </Page>
  );
}

/** What is seldom needed. Small screens have no room for Documents beside it. */
const MORE = [
  {
    title: 'Bring in',
    items: [
      { label: 'Import students', Icon: FileUp, to: '/imports/new', search: { kind: 'students' } },
      { label: 'Import results', Icon: FileUp, to: '/imports/new', search: { kind: 'results' } },
      { label: 'Imports and undo', Icon: History, to: '/imports' },
    ],
  },
  {
    items: [
      { label: 'Documents', Icon: FileBadge, to: '/documents', className: 'md:hidden' },
      { label: 'Bulk changes', Icon: Undo2, to: '/bulk-changes' },
    ],
  },
];

function Actions() {
  return (
    <>
      <ButtonLink to="/documents" variant="quiet" className="max-md:hidden">
        <FileBadge />
        Documents
      </ButtonLink>
      <MoreMenu groups={MORE} />
      <CreateLink />
    </>
  );
}

function CreateLink() {
  return (
    <ButtonLink to="/students/create" variant="primary">
      <Plus />
      Create New Entry
    </ButtonLink>
  );
}

/** An outline of the table that the list will be. */
function EmptyStudentsFigure() {
  return (
    <svg width="132" height="76" viewBox="0 0 132 76" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x=".5" y=".5" width="131" height="75" rx="7.5" />
      <path d="M0 18.5h132M0 37.5h132M0 56.5h132" />
      <path
        d="M12 9.5h16M40 9.5h28M92 9.5h28M12 28h16M40 28h36M92 28h20M12 47h16M40 47h24M92 47h24M12 66h16M40 66h32M92 66h18"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}
