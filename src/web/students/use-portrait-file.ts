import { useState } from 'react';
import type { DraftForm } from '../forms/form-field.ts';

/**
 * The file that is to become the portrait. No draft can hold a file, so only its name stands among the values: it
 * says after a reload what is missing, and whatever empties it (a draft that is discarded, a stored record that is
 * taken over) gives up the file too.
 */
export function usePortraitFile(form: DraftForm<'img_file'>) {
  const [chosen, setChosen] = useState<File | null>(null);
  const name = form.values.img_file;
  const file = name === '' ? null : chosen;
  const choose = (next: File | null) => {
    setChosen(next);
    form.setValue('img_file', next === null ? '' : next.name || 'picture');
  };
  return { file, choose, lostName: file === null && name !== '' ? name : null };
}

export type PortraitFile = ReturnType<typeof usePortraitFile>;
