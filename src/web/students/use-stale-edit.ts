import { useState } from 'react';
import { ApiError } from '../api.ts';
import type { DraftForm } from './form-field.ts';

/** The record as it is stored now, as form values, with the version that they have. */
export type StoredValues<Name extends string> = Record<Name | 'version', string>;

/**
 * Saves an edit only on top of the version it began with. That version stands among the values of the form, so that a
 * draft that is brought back is not saved over what has come since.
 *
 * When somebody else was faster, `stored` holds what they saved. The form then goes on from there: the next save
 * replaces it, knowingly.
 */
export function useStaleEdit<Name extends string>(
  form: DraftForm<Name | 'version'>,
  readAgain: () => Promise<StoredValues<Name>>,
) {
  const [stored, setStored] = useState<StoredValues<Name> | null>(null);
  const save = async (put: (ifMatch: string | undefined) => Promise<void>) => {
    try {
      await put(form.values.version || undefined);
      setStored(null);
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        const now = await readAgain();
        form.setValue('version', now.version);
        setStored(now);
      }
      throw error;
    }
  };
  /** Shows what is stored now: in the form where nothing has been typed, beside it otherwise. */
  const reload = async () => {
    const now = await readAgain();
    if (form.hasDraft) {
      form.setValue('version', now.version);
      setStored(now);
    } else {
      form.setValues(now);
      form.discardDraft();
    }
  };
  return { save, reload, stored };
}
