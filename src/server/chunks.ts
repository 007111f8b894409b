import { setImmediate } from 'node:timers/promises';

/** Splits a list into parts of at most `size` items, such as the rows of a statement. */
export function* chunks<Item>(all: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

/** The same, and lets other calls run between two parts. */
export async function* pausedChunks<Item>(
  all: readonly Item[],
  size: number,
): AsyncGenerator<readonly Item[]> {
  let isFirst = true;
  for (const chunk of chunks(all, size)) {
    if (!isFirst) await setImmediate();
    isFirst = false;
    yield chunk;
  }
}

/** Items that are handled in a few milliseconds. */
const ITEMS_AT_ONCE = 250;

/** All items; lets other calls run after every few hundred. */
export async function* withPauses<Item>(all: readonly Item[]): AsyncGenerator<Item> {
  for await (const some of pausedChunks(all, ITEMS_AT_ONCE)) yield* some;
}
