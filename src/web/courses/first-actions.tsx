import { useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ImportKind } from '../../contract/imports.ts';
import { useTask } from '../forms/use-task.ts';
import { call } from '../lib/call.ts';
import { useCurrentUser } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog.tsx';

interface FirstActionsProps {
  /** The kind of the import. */
  kind: ImportKind;
  label: string;
  /** The link to the form. */
  children: ReactNode;
}

/** Ways to the first records of an empty database: the form, an import, or sample data. */
export function FirstActions({ kind, label, children }: FirstActionsProps) {
  const isAdmin = useCurrentUser()?.role === 'admin';
  return (
    <>
      <div className="flex flex-wrap justify-center gap-2">
        {children}
        <ButtonLink to="/imports/new" search={{ kind }}>
          <FileUp />
          {label}
        </ButtonLink>
        {isAdmin && <FillButton />}
      </div>
      <p className="mx-auto mt-3.5 max-w-[44ch] text-fg-3 text-label">
        To try things out, {isAdmin ? 'the last button fills' : 'an administrator can fill'} the empty
        database with invented people.
      </p>
    </>
  );
}

function FillButton() {
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const { start, isRunning } = useTask({
    run: () => call('POST /api/sample-data'),
    failure: 'The database could not be filled. Try again.',
    flashesProblem: true,
    onSettled: () => {
      setIsAsking(false);
      return queries.resetQueries();
    },
  });
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Fill with invented people</Button>
      <ConfirmDialog
        isOpen={isAsking}
        text="Are you sure you want to fill this database with invented students and courses?"
        processing={isRunning}
        onYes={start}
        onNo={() => setIsAsking(false)}
      />
    </>
  );
}
