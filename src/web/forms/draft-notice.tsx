import { useState } from 'react';
import { focusMain } from '../shell/focus-main.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import type { DraftForm } from './form-field.ts';

interface DraftNoticeProps<Name extends string> {
  form: DraftForm<Name>;
  /** What the form holds without the draft. */
  initial: Readonly<Record<Name, string>>;
}

/** Says that the form does not show what is stored, but what was typed before and not saved. */
export function DraftNotice<Name extends string>({ form, initial }: DraftNoticeProps<Name>) {
  const [isShown, setIsShown] = useState(form.hasDraft);
  if (!isShown) return null;
  const startOver = () => {
    form.setValues(initial);
    form.clearErrors();
    form.discardDraft();
    setIsShown(false);
    // The pressed button is gone.
    focusMain();
  };
  return (
    <Alert tone="warn" className="mb-5">
      <p>What you typed here before and did not save was brought back.</p>
      <Button size="sm" className="mt-2.5 text-fg" onClick={startOver}>
        Discard it
      </Button>
    </Alert>
  );
}
