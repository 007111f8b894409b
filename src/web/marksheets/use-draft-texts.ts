import { useState } from 'react';
import { discardDraft, readDraft, writeDraft } from '../lib/drafts.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * Typed texts that outlive another tab and a reload; undefined before anything is typed.
 *
 * @param name of the draft
 */
export function useDraftTexts(name: string) {
  const [texts, setTexts] = useState<Texts | undefined>(() => readDraft(name)?.values);
  const change = (typed: Texts | undefined) => {
    setTexts(typed);
    if (typed === undefined) discardDraft(name);
    else writeDraft(name, { values: typed, base: {} });
  };
  return [texts, change] as const;
}
