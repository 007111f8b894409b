import { setImmediate } from 'node:timers/promises';

/** Cuts a long list up, and lets other calls have their turn between one piece and the next. */
export async function* inPieces<Item>(all: readonly Item[], size: number): AsyncGenerator<readonly Item[]> {
  for (let i = 0; i < all.length; i += size) {
    if (i > 0) await setImmediate();
    yield all.slice(i, i + size);
  }
}
