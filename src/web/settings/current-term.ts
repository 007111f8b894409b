import type { Term } from '../../contract/terms.ts';

/**
 * The term that marks are most likely entered for: the one that today is in, else the latest one that has begun, else the
 * earliest. Marks are often entered in the weeks after a term.
 *
 * @param terms the latest start first
 * @param today ISO
 */
export function currentTerm(terms: readonly Term[], today: string): Term | undefined {
  return (
    terms.find(({ starts_on, ends_on }) => starts_on <= today && today <= ends_on) ??
    terms.find(({ starts_on }) => starts_on <= today) ??
    terms.at(-1)
  );
}
