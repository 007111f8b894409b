import { useState } from 'react';
import type { DraftForm } from './form-field.ts';

/**
 * The file that is to be sent with a form. No draft can hold a file, so only its name stands among the values: it
 * says after a reload what is missing, and whatever empties it (a draft that is discarded, a stored record that is
 * taken over) gives up the file too.
 */
export function useChosenFile<Name extends string>(form: DraftForm<Name>, field: Name, nameless: string) {
  const [chosen, setChosen] = useState<File | null>(null);
  const name: string = form.values[field];
  const file = name === '' ? null : chosen;
  const choose = (next: File | null) => {
    setChosen(next);
    form.setValue(field, next === null ? '' : next.name || nameless);
  };
  return { file, choose, lostName: file === null && name !== '' ? name : null };
}

export type ChosenFile = ReturnType<typeof useChosenFile>;
