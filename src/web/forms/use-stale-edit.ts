import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { changedElsewhere, type StoredValues } from './changed-elsewhere.ts';
import type { DraftForm } from './form-field.ts';

/** What somebody else has saved while this form was open. */
export interface Stale<Name extends string> {
  values: Readonly<Record<Name, string>>;
  /** The fields of it that the form has taken over, since nothing had been typed there. */
  taken: readonly string[];
  /** The form was filled without sight of any stored record, so there was nothing to change but something to enter. */
  isFirstSight: boolean;
}

interface StaleEditOptions<Name extends string> {
  /** What the form holds without a draft. */
  initial: StoredValues<Name>;
  readAgain: () => Promise<StoredValues<Name>>;
  /** Fields with the same answer are taken over together or not at all. */
  partOf?: (name: string) => string;
}

/**
 * Saves an edit only on top of the version it began with. That version stands among the values of the form, so that a
 * draft that is brought back is not saved over what has come since. A draft without a version, handed over by a form
 * that creates, is compared at once.
 *
 * When somebody else was faster, `stale` holds what they saved. While it is shown the next save replaces it,
 * knowingly; the form and its draft keep the version they began with, so that after a reload it is shown again first.
 */
export function useStaleEdit<Name extends string>(
  form: DraftForm<Name | 'version'>,
  { initial, readAgain, partOf }: StaleEditOptions<Name>,
) {
  const isFirstSight = form.values.version === '' && initial.version !== '';
  const [stored, setStored] = useState<StoredValues<Name> | null>(isFirstSight ? initial : null);
  const [taken, setTaken] = useState<readonly string[]>([]);
  // What the form goes out from; not known of a draft that began with an older version.
  const base = useRef(form.values.version === initial.version ? initial : null);
  // What is typed while a save is under way counts as well.
  const values = useRef(form.values);
  useEffect(() => {
    values.current = form.values;
  });
  const version = stored?.version ?? form.values.version;

  const compare = (now: StoredValues<Name>) => {
    const mine = values.current;
    const names = base.current ? changedElsewhere({ base: base.current, mine, stored: now, partOf }) : [];
    if (names.length > 0) {
      const changes: Partial<Record<Name | 'version', string>> = {};
      for (const name of names) changes[name] = now[name];
      form.setValues(changes);
    }
    base.current = now;
    setTaken((before) => [...new Set([...before, ...names])]);
    setStored(now);
  };
  const save = async (put: (ifMatch: string | undefined) => Promise<void>) => {
    try {
      await put(version || undefined);
      setStored(null);
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) compare(await readAgain());
      throw error;
    }
  };
  /** A part of one's own save has succeeded and made this version; the rest is still to be saved. */
  const advance = (next = '') => {
    base.current = { ...values.current, version: next };
    form.setValue('version', next);
    setStored(null);
    setTaken([]);
  };
  /** Shows what is stored now: in the form where nothing has been typed, beside it otherwise. */
  const reload = async () => {
    const now = await readAgain();
    if (form.hasDraft) return compare(now);
    base.current = now;
    form.setValues(now);
    form.discardDraft();
    setStored(null);
  };
  const stale: Stale<Name | 'version'> | null = stored && { values: stored, taken, isFirstSight };
  return { save, advance, reload, stale, version };
}
