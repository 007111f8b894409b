import { HOLD_BLOCKS, HOLD_KINDS, HOLD_STATES } from '../../../domain/holds.ts';
import { searchParamsParser, trimmedText } from '../../lib/navigation/parse-search-params.ts';
import { useSearchParams } from '../../lib/navigation/use-search-params.ts';
import { oneOf } from '../../lib/one-of.ts';

/** The search parameters of the list of holds. Absent means all, of the state active ones. */
export interface HoldsSearchParams {
  q?: string;
  kind?: (typeof HOLD_KINDS)[number];
  blocks?: (typeof HOLD_BLOCKS)[number];
  state?: (typeof HOLD_STATES)[number];
  ending?: 'true';
}

const parseHoldsSearchParams = searchParamsParser<HoldsSearchParams>({
  q: trimmedText(100),
  kind: (value) => oneOf(HOLD_KINDS, value),
  blocks: (value) => oneOf(HOLD_BLOCKS, value),
  state: (value) => oneOf(HOLD_STATES, value),
  ending: (value) => oneOf(['true'] as const, value),
});

export const useHoldsSearchParams = () => useSearchParams(parseHoldsSearchParams);
