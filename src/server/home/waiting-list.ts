import { HOME_ITEMS } from '../../contract/home.ts';

/** The length and the first items of a list. */
export const firstOf = <Item>(all: readonly Item[]) => ({
  count: all.length,
  items: all.slice(0, HOME_ITEMS),
});
