import type { Sheet } from '../../../../contract/marksheets/sheets.ts';
import type { Cell, Component } from '../../../../domain/marksheets/totals.ts';
import { createNotifier } from '../../../lib/notifier.ts';
import { cellText, type ReadCell } from './cell-text.ts';
import { CELLS_PER_TASK, KeepQueue } from './keep-queue.ts';
import {
  addressKey,
  type CellAddress,
  type CellValue,
  cellToSend,
  eachUnsent,
  findUnsent,
  isSameCells,
  isSameUnsent,
  type Unsent,
  type UnsentCells,
  viewValue,
  withCells,
  withoutCells,
} from './unsent-cells.ts';

/** Waits for further cells of the same call. */
const SEND_AFTER_MS = 350;
const RETRY_AFTER_MS = { first: 2000, longest: 20_000 } as const;
const CELLS_PER_CALL = 1000;
const MAX_UNDO = 200;
/** A cell that has waited so long in another window is sent here: that window may be gone. */
const TAKE_OVER_AFTER_MS = 5000;

export interface TypedCell extends CellAddress {
  text: string;
}

interface UndoneCell extends CellAddress {
  before: string;
  after: string;
}

/** `retrying`: the server could not be reached. `refused`: it takes no marks, for the reason in `refusal`. */
export type SaveState = 'saved' | 'saving' | 'retrying' | 'refused';

export interface EditorState<Value = Cell> {
  unsent: UnsentCells<Value>;
  /** Cells that other windows of this browser keep, and have not stored. */
  elsewhere: UnsentCells<Value>;
  save: SaveState;
  /** When cells were stored last. */
  savedAt: Date | undefined;
  /** When the next attempt is made, in epoch milliseconds. */
  retryAt: number | undefined;
  refusal: string | undefined;
  /** Whether the unsent cells survive the page. */
  isKept: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

/** The part of a row that the editor needs. */
interface EditedRow<Value> {
  student_id: string;
  /** By component. */
  cells: Readonly<Record<string, Value>>;
}

/** What is typed into. */
interface Part {
  component_id: number;
}

/** The part of a sheet that the editor needs. */
export type EditedSheet<Value = Cell, Of extends Part = Component> = Pick<Sheet, 'state' | 'version'> & {
  categories: readonly { components: readonly Of[] }[];
  rows: readonly EditedRow<Value>[];
};

/** A cell to store, if it still holds `was`. */
export interface SentCell<Value = Cell> {
  student_id: string;
  component_id: number;
  value: Value;
  was: Value;
}

/** The part of a reply that the editor needs. */
export interface StoredCells<Value = Cell> {
  /** Cells that were left, since they hold another value than `was`. */
  conflicts: readonly { student_id: string; component_id: number }[];
  rows: readonly EditedRow<Value>[];
}

interface EditorOptions<Value, Of> {
  /** The value of an empty cell. */
  empty: Value;
  /** The value of a typed text. */
  read: (text: string, component: Of) => ReadCell<Value>;
  /** The unsent cells of an earlier page and of other windows. */
  readKept: () => UnsentCells<Value>;
  /** Stores cells; also puts the rows of the reply into the sheet. */
  send: (cells: SentCell<Value>[]) => Promise<StoredCells<Value>>;
  /** Whether an error means that no further attempt helps, and its text. */
  getRefusal: (error: unknown) => string | undefined;
  /** Keeps cells for a later page. */
  keep: (changes: Iterable<readonly [CellAddress, Unsent<Value> | undefined]>) => boolean;
}

/**
 * The edits of the grid of a sheet: cells that are not stored yet, steps that can be undone, and the calls that store them.
 * Outside of React, since it continues after the grid has been left.
 */
export class MarkEditor<Value extends CellValue = Cell, Of extends Part = Component> {
  #sheet: EditedSheet<Value, Of>;
  #rows: ReadonlyMap<string, EditedRow<Value>>;
  #components: ReadonlyMap<number, Of>;
  readonly #options: EditorOptions<Value, Of>;
  readonly #toKeep: KeepQueue<Value>;
  readonly #notifier = createNotifier();
  readonly #undo: UndoneCell[][] = [];
  readonly #redo: UndoneCell[][] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Runs while listeners have not heard of many changed cells. */
  #notifyTimer: ReturnType<typeof setTimeout> | undefined;
  /** Runs while cells wait in other windows. */
  #takeOverTimer: ReturnType<typeof setTimeout> | undefined;
  /** Cells that were taken over from other windows, which may still change them. */
  readonly #takenOver = new Set<string>();
  #isSending = false;
  #retryAfter: number = RETRY_AFTER_MS.first;
  #state: EditorState<Value>;

  constructor(sheet: EditedSheet<Value, Of>, options: EditorOptions<Value, Of>) {
    this.#options = options;
    this.#toKeep = new KeepQueue(options.keep, (isKept) => {
      if (isKept !== this.#state.isKept) this.#set({ isKept });
    });
    this.#sheet = sheet;
    this.#rows = new Map();
    this.#components = new Map();
    const kept = options.readKept();
    for (const [address] of eachUnsent(kept)) this.#takenOver.add(addressKey(address));
    this.#state = {
      unsent: kept,
      elsewhere: new Map(),
      save: 'saved',
      savedAt: undefined,
      retryAt: undefined,
      refusal: undefined,
      isKept: true,
      canUndo: false,
      canRedo: false,
    };
    this.update(sheet);
  }

  readonly subscribe = this.#notifier.subscribe;
  readonly getState = (): EditorState<Value> => this.#state;

  /** The sheet as it is now. Cells that turn out to be stored are no longer unsent. */
  update(sheet: EditedSheet<Value, Of>): void {
    const isChanged = this.#sheet.version !== sheet.version;
    this.#sheet = sheet;
    this.#rows = new Map(sheet.rows.map((row) => [row.student_id, row]));
    this.#components = new Map(
      sheet.categories.flatMap(({ components }) => components.map((one) => [one.component_id, one])),
    );
    const stored = [...eachUnsent(this.#state.unsent)].filter(
      ([address]) => this.#view(address)?.kind === 'stored',
    );
    if (stored.length > 0) this.#change(stored.map(([address]) => [address, undefined] as const));
    // The sheet has changed, so a refused save is tried again.
    if (isChanged && this.#state.save === 'refused') this.#set({ save: 'saved', refusal: undefined });
    this.#schedule(SEND_AFTER_MS);
    this.#watchElsewhere();
  }

  /** Takes what was typed; one step of undo. */
  type(cells: readonly TypedCell[]): void {
    const step = cells.flatMap((cell) => {
      const before = this.#view(cell)?.text;
      return before === undefined || before === cell.text.trim()
        ? []
        : [{ ...cell, before, after: cell.text.trim() }];
    });
    if (step.length === 0) return;
    this.#undo.push(step);
    if (this.#undo.length > MAX_UNDO) this.#undo.shift();
    this.#redo.length = 0;
    this.#write(step.map(({ after, ...cell }) => ({ ...cell, text: after })));
  }

  /** Takes the last step back. Answers its cells, and how many were left because somebody else has changed them since. */
  undo(): { cells: readonly CellAddress[]; left: number } {
    return this.#step(this.#undo, this.#redo, 'after', 'before');
  }

  redo(): { cells: readonly CellAddress[]; left: number } {
    return this.#step(this.#redo, this.#undo, 'before', 'after');
  }

  /** Ends a conflict with what was typed here. It is stored over what is stored now. */
  keepMine(address: CellAddress): void {
    const view = this.#view(address);
    const unsent = this.#unsent(address);
    if (view?.kind !== 'conflict' || unsent === undefined) return;
    this.#change([[address, { text: unsent.text, was: view.stored }]]);
    this.#schedule(0);
  }

  /** Ends a conflict with what is stored, or gives up what was typed. */
  discard(addresses: readonly CellAddress[]): void {
    this.#change(addresses.map((address) => [address, undefined] as const));
  }

  /**
   * Follows what other windows of this browser keep: their wrong marks and conflicts are shown here too, and go when they are
   * mended there. What waits is sent by the window in which it was typed, or here after it has waited for some seconds.
   */
  follow(): void {
    this.keepAll();
    const kept = this.#options.readKept();
    const changes: [CellAddress, Unsent<Value> | undefined][] = [];
    if (this.#state.isKept) {
      for (const [address, unsent] of eachUnsent(this.#state.unsent)) {
        if (!this.#isShared(address, unsent)) continue;
        const next = findUnsent(kept, address);
        const shared = next !== undefined && this.#isShared(address, next) ? next : undefined;
        if (!isSameUnsent(shared, unsent)) changes.push([address, shared]);
      }
      for (const [address, unsent] of eachUnsent(kept)) {
        if (this.#unsent(address) === undefined && this.#isOpen(address, unsent))
          changes.push([address, unsent]);
      }
    }
    const unsent = changes.length === 0 ? this.#state.unsent : withCells(this.#state.unsent, changes);
    const elsewhere = withoutCells(kept, unsent);
    if (changes.length > 0 || !isSameCells(elsewhere, this.#state.elsewhere))
      this.#set({ unsent, elsewhere });
    this.#watchElsewhere();
  }

  /** Keeps at once what is still to be kept, such as when the page is left. */
  keepAll(): void {
    this.#toKeep.flush();
  }

  /** Sends at once what waits, such as when the network is back. */
  sendNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#send();
  }

  #unsent(address: CellAddress): Unsent<Value> | undefined {
    return findUnsent(this.#state.unsent, address);
  }

  /** Undefined for a cell that the sheet does not have. */
  #view(address: CellAddress, unsent = this.#unsent(address)) {
    const row = this.#rows.get(address.studentId);
    const component = this.#components.get(address.componentId);
    if (row === undefined || component === undefined) return undefined;
    return viewValue(this.#stored(address), unsent, this.#reader(component));
  }

  /** Whether a cell waits for a person. */
  #isOpen(address: CellAddress, unsent: Unsent<Value>): boolean {
    const kind = this.#view(address, unsent)?.kind;
    return kind === 'wrong' || kind === 'conflict';
  }

  /** Whether another window may change a cell, too. */
  #isShared(address: CellAddress, unsent: Unsent<Value>): boolean {
    return this.#takenOver.has(addressKey(address)) || this.#isOpen(address, unsent);
  }

  #watchElsewhere(): void {
    const waiting = this.#waitingElsewhere();
    if (waiting.length === 0 || this.#takeOverTimer !== undefined) return;
    this.#takeOverTimer = setTimeout(() => {
      this.#takeOverTimer = undefined;
      this.#takeOver(waiting);
    }, TAKE_OVER_AFTER_MS);
  }

  #waitingElsewhere(): (readonly [CellAddress, Unsent<Value>])[] {
    if (this.#sheet.state !== 'draft' || !this.#state.isKept) return [];
    return [...eachUnsent(this.#state.elsewhere)].filter(
      ([address, unsent]) => this.#view(address, unsent)?.kind === 'waiting',
    );
  }

  /** Takes over those of the cells that still wait as they did. */
  #takeOver(seen: readonly (readonly [CellAddress, Unsent<Value>])[]): void {
    this.follow();
    const now = withCells<Value>(new Map(), this.#waitingElsewhere());
    const left = seen.filter(([address, unsent]) => isSameUnsent(findUnsent(now, address), unsent));
    for (const [address] of left) this.#takenOver.add(addressKey(address));
    const unsent = withCells(this.#state.unsent, left);
    if (left.length > 0) this.#set({ unsent, elsewhere: withoutCells(this.#state.elsewhere, unsent) });
    this.#schedule(0);
  }

  #reader = (component: Of) => (text: string) => this.#options.read(text, component);

  /** What the sheet has; of a row or a component that it lacks, what an empty cell has. */
  #stored({ studentId, componentId }: CellAddress): Value {
    return this.#rows.get(studentId)?.cells[componentId] ?? this.#options.empty;
  }

  #write(cells: readonly TypedCell[]): void {
    const changes = cells.map(({ studentId, componentId, text }) => {
      const address = { studentId, componentId };
      this.#takenOver.delete(addressKey(address));
      const before = this.#unsent(address);
      const stored = this.#stored(address);
      const next: Unsent<Value> = { was: stored, ...before, text };
      const isStored = before?.sent === undefined && text === cellText(stored);
      return [address, isStored ? undefined : next] as const;
    });
    this.#change(changes);
    this.#schedule(SEND_AFTER_MS);
  }

  #step(
    from: UndoneCell[][],
    to: UndoneCell[][],
    now: 'before' | 'after',
    then: 'before' | 'after',
  ): { cells: readonly CellAddress[]; left: number } {
    const step = from.pop();
    if (step === undefined) return { cells: [], left: 0 };
    const own = step.filter((cell) => {
      const view = this.#view(cell);
      return view !== undefined && view.kind !== 'conflict' && view.text === cell[now];
    });
    if (own.length > 0) to.push(own);
    this.#write(own.map((cell) => ({ ...cell, text: cell[then] })));
    return { cells: own, left: step.length - own.length };
  }

  #change(changes: readonly (readonly [CellAddress, Unsent<Value> | undefined])[]): void {
    if (changes.length > 0) {
      const isKept = this.#toKeep.push(changes);
      const { unsent, elsewhere } = this.#state;
      const gone = changes.map(([address]) => [address, undefined] as const);
      if (changes.length > CELLS_PER_TASK) this.#notifyLater();
      this.#set({
        unsent: withCells(unsent, changes),
        elsewhere: elsewhere.size === 0 ? elsewhere : withCells(elsewhere, gone),
        isKept,
      });
    } else this.#set({});
  }

  #set(changes: Partial<EditorState<Value>>): void {
    this.#state = {
      ...this.#state,
      ...changes,
      canUndo: this.#undo.length > 0,
      canRedo: this.#redo.length > 0,
    };
    if (this.#notifyTimer === undefined) this.#notifier.notify();
  }

  /** Many changed cells are drawn in a task of their own. */
  #notifyLater(): void {
    this.#notifyTimer ??= setTimeout(() => {
      this.#notifyTimer = undefined;
      this.#notifier.notify();
    }, 0);
  }

  #toSend(): [CellAddress, { value: Value; was: Value }][] {
    const cells: [CellAddress, { value: Value; was: Value }][] = [];
    for (const [address, unsent] of eachUnsent(this.#state.unsent)) {
      const component = this.#components.get(address.componentId);
      if (component === undefined || !this.#rows.has(address.studentId)) continue;
      const cell = cellToSend(this.#stored(address), unsent, this.#reader(component));
      if (cell !== undefined) cells.push([address, cell]);
      if (cells.length === CELLS_PER_CALL) break;
    }
    return cells;
  }

  #schedule(delay: number): void {
    if (this.#isSending || this.#timer !== undefined || this.#state.save === 'refused') return;
    if (this.#sheet.state !== 'draft' || this.#toSend().length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, delay);
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#sheet.state !== 'draft') return;
    const cells = this.#toSend();
    if (cells.length === 0) return;
    this.#isSending = true;
    // Kept before the call: after a crash, what it stored is no conflict.
    this.#change(
      cells.map(
        ([address, { value, was }]) =>
          [address, { text: '', ...this.#unsent(address), was, sent: value }] as const,
      ),
    );
    this.keepAll();
    this.#set({ save: 'saving', retryAt: undefined });
    try {
      const reply = await this.#options.send(
        cells.map(([{ studentId, componentId }, cell]) => ({
          student_id: studentId,
          component_id: componentId,
          ...cell,
        })),
      );
      this.#settle(cells, reply);
      this.#retryAfter = RETRY_AFTER_MS.first;
      this.#isSending = false;
      this.#set({ save: 'saved', savedAt: new Date() });
      this.#schedule(SEND_AFTER_MS);
    } catch (error) {
      this.#isSending = false;
      this.#fail(error);
    }
  }

  /** Cells that are stored now are done, unless something else has been typed into them meanwhile. */
  #settle(cells: readonly [CellAddress, { value: Value }][], { conflicts, rows }: StoredCells<Value>): void {
    this.#rows = new Map([...this.#rows, ...rows.map((row) => [row.student_id, row] as const)]);
    const refused = new Set(
      conflicts.map((one) => addressKey({ studentId: one.student_id, componentId: one.component_id })),
    );
    this.#change(
      cells.flatMap(([address, { value }]): (readonly [CellAddress, Unsent<Value> | undefined])[] => {
        const unsent = this.#unsent(address);
        if (unsent === undefined) return [];
        const { text, was } = unsent;
        if (refused.has(addressKey(address))) return [[address, { text, was }]];
        const settled: Unsent<Value> = { text, was: value };
        const component = this.#components.get(address.componentId);
        const isDone =
          component !== undefined && viewValue(value, settled, this.#reader(component)).kind === 'stored';
        if (isDone) this.#takenOver.delete(addressKey(address));
        return [[address, isDone ? undefined : settled]];
      }),
    );
  }

  #fail(error: unknown): void {
    const refusal = this.#options.getRefusal(error);
    if (refusal !== undefined) {
      this.#set({ save: 'refused', refusal });
      return;
    }
    this.#set({ save: 'retrying', retryAt: Date.now() + this.#retryAfter });
    this.#schedule(this.#retryAfter);
    this.#retryAfter = Math.min(2 * this.#retryAfter, RETRY_AFTER_MS.longest);
  }
}
