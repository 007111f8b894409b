import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../lib/api.ts';
import { type Draft, discardDraft as discardStored, readDraft, writeDraft } from '../lib/drafts.ts';
import { fieldId } from '../ui/fields/field.tsx';
import { displayErrorText, displayErrorTexts, type ErrorTextRewrite } from './messages/error-texts.ts';

export type FieldErrors = Partial<Record<string, string>>;

export interface DraftFormOptions<Name extends string> {
  /** Names the form in the storage of drafts, e.g. `student-create` or `student-edit:409318`. */
  draftKey: string;
  /** The values without a draft. Read once; give the form another `key` to start over. */
  initial: Record<Name, string>;
  /** Fields that are never stored in a draft: passwords. */
  secrets?: readonly NoInfer<Name>[] | undefined;
  /** Whether the form can show the values of a draft; by default it can. */
  isReadableDraft?: ((values: Readonly<Record<string, string>>) => boolean) | undefined;
  /** How the server's error texts are shown; by default the rules of `error-texts.ts`. */
  rewrite?: ErrorTextRewrite | undefined;
}

/** Ends a save whose refusal is shown in another way than by an error. */
export class ShownRefusal extends Error {}

const UNEXPECTED = 'Something went wrong. What you typed is kept. Try again.';

/** The values and errors of a form. What is typed outlives a failed save, a reload and an expired session. */
export function useDraftForm<Name extends string>({
  draftKey,
  initial,
  secrets = [],
  isReadableDraft,
  rewrite = displayErrorText,
}: DraftFormOptions<Name>) {
  const [start] = useState(() => withDraft(initial, readDraft(draftKey, isReadableDraft)));
  const [{ values, base }, show] = useState(start.shown);
  const [hasDraft, setHasDraft] = useState(start.restored);
  const [errors, showErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isProcessing, setIsProcessing] = useState(false);
  // The newest values and state, for calls between two renders.
  const latest = useRef(start.shown);
  const running = useRef(false);
  const { entered } = start;

  const update = useCallback(
    (changes: Changes<Name>, baseChanges: Changes<Name>) => {
      const { values, base } = latest.current;
      latest.current = { values: { ...values, ...changes }, base: { ...base, ...baseChanges } };
      show(latest.current);
      setHasDraft(true);
      // Stored immediately: the page may be closed a moment later.
      const draft: Record<string, string> = { ...latest.current.values };
      for (const name of secrets) delete draft[name];
      writeDraft(draftKey, { values: draft, base: latest.current.base, entered });
    },
    [draftKey, secrets, entered],
  );
  const setValues = useCallback((changes: Changes<Name>) => update(changes, {}), [update]);
  /** These values are stored now: the fields show them, and no longer count as changed here. */
  const takeStored = useCallback((stored: Changes<Name>) => update(stored, stored), [update]);
  /** These values are stored now, whatever the fields show. */
  const setBase = useCallback((stored: Changes<Name>) => update({}, stored), [update]);

  const setValue = useCallback(
    (name: Name, value: string) => {
      const change: Changes<Name> = {};
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
    (serverErrors: Record<string, string[]>, rewriteText: ErrorTextRewrite = rewrite) =>
      showErrors(displayErrorTexts(serverErrors, rewriteText)),
    [rewrite],
  );

  const clearErrors = useCallback(() => {
    showErrors({});
    setFailure(null);
  }, []);

  /** Reports fields with an invalid number or date: they have no value, and would be saved as if they were empty. */
  const isReadable = useCallback(() => {
    const unreadable = unreadableFields(Object.keys(latest.current.values));
    if (Object.keys(unreadable).length === 0) return true;
    setErrors(unreadable);
    return false;
  }, [setErrors]);

  /** Runs the save. Shows what it throws; discards the draft otherwise. */
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
          if (!(error instanceof ShownRefusal)) setFailure(errorMessage(error, UNEXPECTED));
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
    base,
    takeStored,
    setBase,
    entered,
    errors,
    setErrors,
    clearErrors,
    isReadable,
    submit,
    isProcessing,
    discardDraft,
    hasDraft,
    failure,
    setFailure,
  };
}

type Changes<Name extends string> = Partial<Record<Name, string>>;

/** The fields as they are and as they were stored when the edit began. */
function withDraft<Name extends string>(initial: Record<Name, string>, draft: Draft | null) {
  const values = { ...initial };
  const base = { ...initial };
  let restored = false;
  for (const name in initial) {
    const typed = draft?.values[name];
    if (typed === undefined) continue;
    values[name] = typed;
    base[name] = draft?.base[name] ?? initial[name];
    restored ||= typed !== initial[name];
  }
  return { shown: { values, base }, restored, entered: draft?.entered ?? {} };
}

/** The errors of invalid numbers and dates, worded like the server's, so that the same rules apply to them. */
function unreadableFields(names: readonly string[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const name of names) {
    const input = document.getElementById(fieldId(name));
    if (!(input instanceof HTMLInputElement) || !input.validity.badInput) continue;
    const problem = input.type === 'date' ? 'is not a date' : 'must be a number';
    errors[name] = [`The ${name.replaceAll('_', ' ')} ${problem}.`];
  }
  return errors;
}

/** Repeats the animation of invalid fields: a field that fails again would look unchanged. */
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

export type DraftForm<Name extends string> = ReturnType<typeof useDraftForm<Name>>;

/** The props that connect an input to its value in the form. */
export function fieldProps<Name extends string>(form: DraftForm<Name>, name: Name) {
  return {
    name,
    value: form.values[name],
    onChange: (value: string) => form.setValue(name, value),
    error: form.errors[name],
  };
}
