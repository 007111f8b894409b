import { useEffect, useRef, useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { EditConflictNotice } from '../conflicts/edit-conflict-notice.tsx';
import type { EditConflict } from '../conflicts/use-edit-conflict.ts';
import type { SelectedFile } from '../selected-file.tsx';
import type { DraftForm } from '../use-draft-form.ts';
import { ErrorSummary } from './error-summary.tsx';

interface FormMessagesProps<Name extends string> {
  form: DraftForm<Name>;
  labels: Readonly<Record<Name, string>>;
  initial: Readonly<Record<Name, string>>;
  /** The concurrent edit of another user. */
  stale?: EditConflict<Name> | null | undefined;
  /** The file to upload with the form. */
  file?: SelectedFile | undefined;
}

/** All messages above a form: invalid fields, a failed save, a concurrent edit, a restored draft. */
export function FormMessages<Name extends string>({
  form,
  labels,
  initial,
  stale = null,
  file,
}: FormMessagesProps<Name>) {
  return (
    <>
      <DraftNotice form={form} stored={stale?.values ?? initial} lostFile={file?.lostName ?? null} />
      <ErrorSummary errors={form.errors} labels={labels} />
      {form.failure !== null && <FormErrorAlert key={form.failure} text={form.failure} />}
      <EditConflictNotice form={form} labels={labels} stale={stale} />
    </>
  );
}

interface DraftNoticeProps<Name extends string> {
  form: DraftForm<Name>;
  /** The values without the draft. */
  stored: Readonly<Record<Name, string>>;
  /** The name of a file that was chosen: a draft can't hold it. */
  lostFile: string | null;
}

/** Says that the form shows a restored draft, not the stored values, and what the draft lacks. */
function DraftNotice<Name extends string>({ form, stored, lostFile }: DraftNoticeProps<Name>) {
  const [isShown, setIsShown] = useState(form.hasDraft);
  if (!isShown) return null;
  const startOver = () => {
    form.takeStored(stored);
    form.clearErrors();
    form.discardDraft();
    setIsShown(false);
  };
  return (
    <Alert tone="warn" className="mb-5">
      <p className="wrap-anywhere">
        What you typed before and did not save has been restored
        {lostFile !== null && `, but not the file ${lostFile}: select it again`}.
      </p>
      <Button size="sm" className="mt-2.5 text-fg" onClick={startOver}>
        Discard the draft
      </Button>
    </Alert>
  );
}

/** Why a save failed as a whole. Focused, since in a long form the pressed button is far below. */
function FormErrorAlert({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Alert ref={box} className="mb-5">
      {text}
    </Alert>
  );
}
