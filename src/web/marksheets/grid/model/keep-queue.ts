import type { CellAddress, Unsent } from './unsent-cells.ts';

/** Cells that are kept in one task; the rest of a large paste follows in further ones. */
export const CELLS_PER_TASK = 500;

type Change<Value> = readonly [CellAddress, Unsent<Value> | undefined];

/** Keeps changes of cells in their order, many of them in several tasks. */
export class KeepQueue<Value> {
  readonly #keep: (changes: readonly Change<Value>[]) => boolean;
  /** Called when a later task has kept cells, or could not. */
  readonly #onKept: (isKept: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #changes: readonly Change<Value>[] = [];

  constructor(keep: (changes: readonly Change<Value>[]) => boolean, onKept: (isKept: boolean) => void) {
    this.#keep = keep;
    this.#onKept = onKept;
  }

  /** @returns whether it worked, as far as it came */
  push(changes: readonly Change<Value>[]): boolean {
    this.#changes = [...this.#changes, ...changes];
    return this.#keepSome();
  }

  /** Keeps at once what is still to be kept. */
  flush(): void {
    while (this.#changes.length > 0) this.#onKept(this.#keepSome());
  }

  #keepSome(): boolean {
    clearTimeout(this.#timer);
    const isKept = this.#keep(this.#changes.slice(0, CELLS_PER_TASK));
    this.#changes = this.#changes.slice(CELLS_PER_TASK);
    if (this.#changes.length > 0) this.#timer = setTimeout(() => this.#onKept(this.#keepSome()), 0);
    return isKept;
  }
}
