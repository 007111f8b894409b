import { useState } from 'react';
import type { DraftForm } from './use-draft-form.ts';

/**
 * The file to upload with a form. A draft can't hold a file, so only its name is a form value: after a reload the
 * name says what is missing, and clearing the name (by discarding the draft or accepting another user's values)
 * drops the file as well.
 */
export function useSelectedFile<Name extends string>(form: DraftForm<Name>, field: Name, nameless: string) {
  const [selected, setSelected] = useState<File | null>(null);
  const name: string = form.values[field];
  const file = name === '' ? null : selected;
  const select = (next: File | null) => {
    setSelected(next);
    form.setValue(field, next === null ? '' : next.name || nameless);
  };
  return { file, select, lostName: file === null && name !== '' ? name : null };
}

export type SelectedFile = ReturnType<typeof useSelectedFile>;

/** Names the file that a reload has lost, since a draft can't hold one. Renders nothing otherwise. */
export function MissingFileNotice({ name }: { name: string | null }) {
  if (name === null) return null;
  return <p className="wrap-anywhere">{name} is not kept with a draft. Select it again.</p>;
}
