import { Download, FileBadge, Hash, History, Printer, UserCog } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { OWN_COPIES, saveOwnCopy } from '../documents/own-copy.ts';
import { commandShortcut, usePageKey } from '../lib/keyboard-shortcuts.ts';
import { useCanWrite, useCurrentUser } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { MoreMenu } from '../ui/menu.tsx';
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
  /** The record is shown, which can be printed. */
  isOnRecord?: boolean;
  /** Further buttons. */
  children?: ReactNode;
}

type OpenDialog = 'status' | 'id' | 'issue';

/** The actions on the record of a student, complete or not, for users who can write. */
export function StudentActions({ studentId, issue, isOnRecord = false, children }: StudentActionsProps) {
  const canWrite = useCanWrite();
  const isAdmin = useCurrentUser()?.role === 'admin';
  const [dialog, setDialog] = useState<OpenDialog>();
  usePageKey('s', canWrite ? () => setDialog('status') : undefined);
  usePageKey('i', canWrite && issue ? () => setDialog('issue') : undefined);
  if (!canWrite) return null;
  const close = () => setDialog(undefined);
  const more = [
    {
      items: [
        { label: 'Change status', Icon: UserCog, keys: ['s'], onSelect: () => setDialog('status') },
        !issue && {
          label: 'History',
          Icon: History,
          to: `/students/${encodeURIComponent(studentId)}/history`,
        },
      ],
    },
    {
      items: [
        isOnRecord && {
          label: 'Print the record',
          Icon: Printer,
          keys: [commandShortcut('P')],
          onSelect: () => window.print(),
        },
        ...OWN_COPIES.map(
          ({ format, name }) =>
            isAdmin && {
              label: `Everything held about this student, ${name}`,
              Icon: Download,
              onSelect: () => void saveOwnCopy(studentId, format),
            },
        ),
      ],
    },
    {
      items: [
        isAdmin && { label: 'Change registration number…', Icon: Hash, onSelect: () => setDialog('id') },
      ],
    },
  ];
  return (
    <div className="screen-only flex flex-wrap gap-2 max-xs:w-full">
      <MoreMenu groups={more} className="max-xs:flex-1" />
      {issue && (
        <Button aria-keyshortcuts="I" className="max-xs:flex-auto" onClick={() => setDialog('issue')}>
          <FileBadge />
          Issue documents
        </Button>
      )}
      {children}
      {issue && dialog === 'issue' && (
        <Suspense>
          <IssueDialog title="Issue documents" {...issue} students={{ ids: [studentId] }} onClose={close} />
        </Suspense>
      )}
      {dialog === 'id' && <ChangeIdDialog studentId={studentId} onClose={close} />}
      {dialog === 'status' && <StatusDialog studentId={studentId} onClose={close} />}
    </div>
  );
}
