import { useEffect, useRef, useState } from 'react';
import type { LatestChange } from '../../../contract/errors.ts';
import { ApiError } from '../../lib/api.ts';
import { type DraftForm, ShownRefusal } from '../use-draft-form.ts';
import { mergeRemoteChanges, type StoredValues } from './merge-remote-changes.ts';

/** The changes that another user has saved while this form was open. */
export interface EditConflict<Name extends string> {
  values: Readonly<Record<Name, string>>;
  /** The fields of it that the form has adopted, since nothing had been typed there. */
  merged: readonly string[];
  /** The fields that both have changed, each to something else. */
  conflicts: readonly string[];
  /** The author of these changes, and the time. */
  latestChange: Partial<LatestChange>;
  /** The form was filled to create a record, before another user's record of the same was known. */
  isFirstSight: boolean;
}

export interface EditConflictOptions<Name extends string> {
  /** The stored record and its version: what the form holds without a draft. */
  initial: StoredValues<Name>;
  /** Reads the record as it is stored now. */
  readAgain: () => Promise<StoredValues<Name>>;
  /** The group of a field. The fields of a group are adopted together or not at all. */
  getPart?: ((name: string) => string) | undefined;
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
  { initial, readAgain, getPart }: EditConflictOptions<Name>,
) {
  const isFirstSight = form.values.version === '' && initial.version !== '';
  const [stored, setStored] = useState<StoredValues<Name> | null>(isFirstSight ? initial : null);
  const [latestChange, setLatestChange] = useState<Partial<LatestChange>>(form.entered);
  const [merged, setMerged] = useState<readonly string[]>([]);
  // Includes what is typed while a save is running.
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  const version = stored?.version ?? form.values.version;

  const compare = (current: StoredValues<Name>, change: LatestChange) => {
    const { base, values: mine } = latest.current;
    const names = mergeRemoteChanges({ base, mine, stored: current, getPart }).merged;
    if (names.length > 0) {
      const changes: Partial<Record<Name | 'version', string>> = {};
      for (const name of names) changes[name] = current[name];
      form.takeStored(changes);
    }
    setMerged((before) => [...new Set([...before, ...names])]);
    setStored(current);
    setLatestChange(change);
  };
  const save = async (put: (ifMatch: string | undefined) => Promise<void>) => {
    try {
      await put(version || undefined);
      setStored(null);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      compare(await readAgain(), error.latestChange);
      throw new ShownRefusal();
    }
  };
  /** After a save that stored a part of the values: the rest is saved on top of its version. */
  const advance = (saved: Partial<StoredValues<Name>> & { version: string }) => {
    form.setBase(saved);
    form.setValue('version', saved.version);
    setStored(null);
    setMerged([]);
  };
  /** Reads the record again after a refusal: into the form if nothing has been typed, as a conflict otherwise. */
  const reload = async (refusal: ApiError) => {
    const current = await readAgain();
    if (form.hasDraft) return compare(current, refusal.latestChange);
    form.takeStored(current);
    form.discardDraft();
    setStored(null);
  };
  const stale: EditConflict<Name | 'version'> | null = stored && {
    values: stored,
    merged,
    conflicts: mergeRemoteChanges({ base: form.base, mine: form.values, stored, getPart }).conflicts,
    latestChange,
    isFirstSight,
  };
  return { save, advance, reload, stale, version };
}
