import { FileBadge, Hash, History, UserCog } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useCanWrite, useCurrentUser } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ChangeIdDialog } from './record/change-id-dialog.tsx';
import { StatusDialog } from './record/status-dialog.tsx';

/* Loaded on demand: few visits to a record need it. */
const IssueDialog = lazy(async () => ({
  default: (await import('../documents/issue/issue-dialog.tsx')).IssueDialog,
}));

interface StudentActionsProps {
  studentId: string;
  /** For a whole entry: the student's name, and the semester that a result card is most likely for. */
  issue?: { studentName: string; semester: number | undefined } | undefined;
  /** Further buttons. */
  children?: ReactNode;
}

/** The actions on the record of a student, complete or not, for users who can write. */
export function StudentActions({ studentId, issue, children }: StudentActionsProps) {
  const canWrite = useCanWrite();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [isChangingId, setIsChangingId] = useState(false);
  const [isChangingStatus, setIsChangingStatus] = useState(false);
  const [isIssuing, setIsIssuing] = useState(false);
  if (!canWrite) return null;
  return (
    <div className="flex flex-wrap gap-2 max-xs:w-full">
      {isAdmin && (
        <Button variant="quiet" className="max-xs:w-full" onClick={() => setIsChangingId(true)}>
          <Hash />
          Change registration number…
        </Button>
      )}
      <ButtonLink
        to={`/students/${encodeURIComponent(studentId)}/history`}
        variant="quiet"
        className="max-xs:flex-1"
      >
        <History />
        History
      </ButtonLink>
      <Button
        variant="quiet"
        className="whitespace-nowrap max-xs:flex-1"
        onClick={() => setIsChangingStatus(true)}
      >
        <UserCog />
        Change status
      </Button>
      {issue && (
        <Button className="max-xs:flex-1" onClick={() => setIsIssuing(true)}>
          <FileBadge />
          Issue documents
        </Button>
      )}
      {children}
      {issue && isIssuing && (
        <Suspense>
          <IssueDialog
            title="Issue documents"
            {...issue}
            students={{ ids: [studentId] }}
            onClose={() => setIsIssuing(false)}
          />
        </Suspense>
      )}
      {isChangingId && <ChangeIdDialog studentId={studentId} onClose={() => setIsChangingId(false)} />}
      {isChangingStatus && <StatusDialog studentId={studentId} onClose={() => setIsChangingStatus(false)} />}
    </div>
  );
}
