import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../lib/api.ts';
import { mergeRemoteChanges, type StoredValues } from './merge-remote-changes.ts';
import type { DraftForm } from './use-draft-form.ts';

/** What another user has saved while this form was open. */
export interface EditConflict<Name extends string> {
  values: Readonly<Record<Name, string>>;
  /** The fields of it that the form has adopted, since nothing had been typed there. */
  taken: readonly string[];
  /** The form was filled to create a record, before another user's record of the same was known. */
  isFirstSight: boolean;
}

export interface EditConflictOptions<Name extends string> {
  /** The stored record and its version: what the form holds without a draft. */
  initial: StoredValues<Name>;
  /** Reads the record as it is stored now. */
  readAgain: () => Promise<StoredValues<Name>>;
  /** The group of a field. The fields of a group are adopted together or not at all. */
  partOf?: ((name: string) => string) | undefined;
}

/**
 * Saves an edit only on top of the version it began with. That version is one of the form's values, so that a restored
 * draft does not overwrite changes that were saved after it was typed. A draft without a version comes from a form that
 * creates, and is compared with the stored record immediately.
 *
 * When another user has saved first, `stale` holds their values. While it is shown, the next save overwrites them
 * deliberately. The form and its draft keep the version they began with, so that a reload shows the conflict again.
 */
export function useEditConflict<Name extends string>(
  form: DraftForm<Name | 'version'>,
  { initial, readAgain, partOf }: EditConflictOptions<Name>,
) {
  const isFirstSight = form.values.version === '' && initial.version !== '';
  const [stored, setStored] = useState<StoredValues<Name> | null>(isFirstSight ? initial : null);
  const [taken, setTaken] = useState<readonly string[]>([]);
  // The values that the edit is based on; unknown for a draft that began with an older version.
  const base = useRef(form.values.version === initial.version ? initial : null);
  // Includes what is typed while a save is running.
  const values = useRef(form.values);
  useEffect(() => {
    values.current = form.values;
  });
  const version = stored?.version ?? form.values.version;

  const compare = (current: StoredValues<Name>) => {
    const mine = values.current;
    const names = base.current
      ? mergeRemoteChanges({ base: base.current, mine, stored: current, partOf })
      : [];
    if (names.length > 0) {
      const changes: Partial<Record<Name | 'version', string>> = {};
      for (const name of names) changes[name] = current[name];
      form.setValues(changes);
    }
    base.current = current;
    setTaken((before) => [...new Set([...before, ...names])]);
    setStored(current);
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
  /** After a save that stored a part of the values under this version: the rest is saved on top of it. */
  const advance = (next = '') => {
    base.current = { ...values.current, version: next };
    form.setValue('version', next);
    setStored(null);
    setTaken([]);
  };
  /** Reads the record again: into the form if nothing has been typed, as a conflict otherwise. */
  const reload = async () => {
    const current = await readAgain();
    if (form.hasDraft) return compare(current);
    base.current = current;
    form.setValues(current);
    form.discardDraft();
    setStored(null);
  };
  const stale: EditConflict<Name | 'version'> | null = stored && { values: stored, taken, isFirstSight };
  return { save, advance, reload, stale, version };
}
