import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { fieldId } from '../ui/field.tsx';
import { discardDraft as discardStored, readDraft, writeDraft } from './drafts.ts';
import { displayText, displayTexts, type Rewrite } from './error-texts.ts';

export type FieldErrors = Partial<Record<string, string>>;

interface DraftFormOptions<Name extends string> {
  /** Names the form in the storage of drafts, e.g. `student-create` or `student-edit:409318`. */
  draftKey: string;
  /** What the fields hold without a draft. Read once; give the form another `key` to start over. */
  initial: Record<Name, string>;
  /** Fields that never go into a draft: passwords. */
  secrets?: readonly NoInfer<Name>[] | undefined;
  /** How the server's texts are shown; the rules of `error-texts.ts` unless told otherwise. */
  rewrite?: Rewrite | undefined;
}

const UNEXPECTED = 'Something went wrong here. Nothing was lost; try again.';

/** The values of a form whose unsaved state outlives a failed save, a reload and an expired session. */
export function useDraftForm<Name extends string>({
  draftKey,
  initial,
  secrets = [],
  rewrite = displayText,
}: DraftFormOptions<Name>) {
  const [start] = useState(() => withDraft(initial, readDraft(draftKey)));
  const [values, showValues] = useState(start.values);
  const [hasDraft, setHasDraft] = useState(start.restored);
  const [errors, showErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isProcessing, setIsProcessing] = useState(false);
  // The newest values and state, for what runs between two renders.
  const latest = useRef(start.values);
  const running = useRef(false);

  const setValues = useCallback(
    (changes: Partial<Record<Name, string>>) => {
      latest.current = { ...latest.current, ...changes };
      showValues(latest.current);
      setHasDraft(true);
      // At once: a page that is closed a moment later must find it stored.
      const kept: Record<string, string> = { ...latest.current };
      for (const name of secrets) delete kept[name];
      writeDraft(draftKey, kept);
    },
    [draftKey, secrets],
  );

  const setValue = useCallback(
    (name: Name, value: string) => {
      const change: Partial<Record<Name, string>> = {};
      change[name] = value;
      setValues(change);
    },
    [setValues],
  );

  const discardDraft = useCallback(() => {
    discardStored(draftKey);
    setHasDraft(false);
  }, [draftKey]);

  const setErrors = useCallback(
    (fromServer: Record<string, string[]>, by: Rewrite = rewrite) => showErrors(displayTexts(fromServer, by)),
    [rewrite],
  );

  const clearErrors = useCallback(() => {
    showErrors({});
    setFailure(null);
  }, []);

  /** What stands in a field and is no number or date has no value, and would be saved as if nothing stood there. */
  const isReadable = useCallback(() => {
    const unreadable = unreadableFields(Object.keys(latest.current));
    const isContent = Object.keys(unreadable).length === 0;
    if (!isContent) setErrors(unreadable);
    return isContent;
  }, [setErrors]);

  /** Runs the save. What it throws is shown; when it does not throw, the draft has done its duty. */
  const submit = useCallback(
    async (save: () => Promise<void>) => {
      if (running.current || !isReadable()) return;
      running.current = true;
      setIsProcessing(true);
      setFailure(null);
      try {
        await save();
        showErrors({});
        discardDraft();
      } catch (error) {
        if (error instanceof ApiError && error.status === 422) setErrors(error.errors);
        else {
          showErrors({});
          setFailure(error instanceof ApiError ? error.message : UNEXPECTED);
        }
      } finally {
        running.current = false;
        setIsProcessing(false);
      }
    },
    [discardDraft, isReadable, setErrors],
  );

  useEffect(() => {
    if (Object.keys(errors).length > 0) restartFlicker();
  }, [errors]);

  return {
    values,
    setValue,
    setValues,
    errors,
    setErrors,
    clearErrors,
    submit,
    isProcessing,
    discardDraft,
    hasDraft,
    failure,
    setFailure,
  };
}

function withDraft<Name extends string>(initial: Record<Name, string>, draft: Record<string, string> | null) {
  const values = { ...initial };
  let restored = false;
  for (const name in initial) {
    const typed = draft?.[name];
    if (typed === undefined) continue;
    values[name] = typed;
    restored ||= typed !== initial[name];
  }
  return { values, restored };
}

/** In the server's words, so that they are shown by the same rules. */
function unreadableFields(names: readonly string[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const name of names) {
    const input = document.getElementById(fieldId(name));
    if (!(input instanceof HTMLInputElement) || !input.validity.badInput) continue;
    const fault = input.type === 'date' ? 'is not a date' : 'must be a number';
    errors[name] = [`The ${name.replaceAll('_', ' ')} ${fault}.`];
  }
  return errors;
}

/** A field that fails again would keep its finished animation and look unchanged. */
function restartFlicker(): void {
  for (const field of document.querySelectorAll('[aria-invalid="true"]')) {
    for (const animation of field.getAnimations()) {
      if (animation instanceof CSSAnimation && animation.animationName === 'flicker') {
        animation.currentTime = 0;
        animation.play();
      }
    }
  }
}
