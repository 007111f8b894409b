import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { rememberStudentsSearch, useMayWrite } from '../session.ts';
import { hasLoadProblem, LoadProblem } from '../shell/load-problem.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { useListSelection } from './list-selection.ts';
import { filterOf, keyOf, viewOf } from './list-view.ts';
import { SavedViews } from './saved-views.tsx';
import { StudentsFigure } from './students-figure.tsx';
import { StudentsList } from './students-list.tsx';
import { useShownView } from './use-shown-view.ts';
import { useStudentsAddress } from './use-students-address.ts';

/** The Dashboard: every student, to be searched, narrowed down, sorted, chosen and opened. */
export function StudentsPage() {
  const mayWrite = useMayWrite();
  const listAddress = useStudentsAddress();
  const { address } = listAddress;
  const { first, ...list } = useShownView(viewOf(address));
  const inHand = useListSelection(filterOf(address));
  useEffect(() => rememberStudentsSearch({ ...address }), [address]);
  const isEmpty =
    list.shown !== undefined &&
    keyOf(filterOf(address)) === '{}' &&
    !list.isBehind &&
    list.pages.isEnded &&
    list.pages.known === 0;
  return (
    <Page width="wide">
      <PageHead title="Students" actions={isEmpty || !mayWrite ? undefined : <CreateLink />} />
      <LoadProblem query={first} />
      {isEmpty ? (
        <div className="rounded-panel border border-line">
          <EmptyState
            figure={<StudentsFigure />}
            title="No student entries have been created yet"
            text={mayWrite ? 'Add the first student one step at a time.' : undefined}
            action={mayWrite ? <CreateLink /> : undefined}
          />
        </div>
      ) : (
        (list.shown || !hasLoadProblem({ query: first })) && (
          <>
            <SavedViews address={address} />
            <StudentsList listAddress={listAddress} inHand={inHand} {...list} />
          </>
        )
      )}
    </Page>
  );
}

function CreateLink() {
  return (
    <ButtonLink to="/students/create" variant="primary">
      <Plus strokeWidth={1.75} aria-hidden="true" />
      Create New Entry
    </ButtonLink>
  );
}
