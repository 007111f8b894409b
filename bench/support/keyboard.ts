import type { Locator, Page } from '@playwright/test';

/** Presses of Tab after which a control counts as out of reach. */
const MOST_TABS = 80;
/** The K of the keystroke-level model for somebody who types often, but is no typist (Card, Moran and Newell, 1980). */
export const SECONDS_PER_KEY = 0.28;

export interface Effort {
  keys: number;
  /** Seconds in which the product, not the person, was at work. */
  waited: number;
}

export const toMinutes = ({ keys, waited }: Effort): number => (keys * SECONDS_PER_KEY + waited) / 60;

/** A person without a mouse: counts every key press, and measures how long the product makes them wait. */
export class Keyboard {
  readonly #page: Page;
  #keys = 0;
  #waitedMs = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** What has been done since the last call. */
  takeEffort(): Effort {
    const effort = { keys: this.#keys, waited: this.#waitedMs / 1_000 };
    this.#keys = 0;
    this.#waitedMs = 0;
    return effort;
  }

  /** A chord such as `Control+k` is one key press. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
    this.#keys += keys.length;
  }

  /** A capital letter is one key press. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
    this.#keys += text.length;
  }

  /** Presses a key, Tab by default, until the control has the focus. */
  async reach(target: Locator, key = 'Tab'): Promise<void> {
    await this.see(target);
    const focused = target.and(this.#page.locator(':focus'));
    for (let presses = 0; presses < MOST_TABS; presses += 1) {
      if ((await focused.count()) > 0) return;
      await this.press(key);
    }
    throw new Error(`${target} is not reached by ${MOST_TABS} presses of ${key}.`);
  }

  /** Leaves a field that has its value already. */
  async correct(target: Locator, value: string, typed = value): Promise<void> {
    if ((await target.inputValue()) !== value) await this.fill(target, typed);
  }

  async fill(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    await this.type(text);
  }

  /** Waits until it is shown. */
  async see(target: Locator): Promise<void> {
    await this.#wait(() => target.waitFor());
  }

  /** Waits until a new screen shows it and it, or a field in it, has taken the focus, as a Tab before that would be lost. */
  async seeScreen(target: Locator): Promise<void> {
    await this.#wait(async () => {
      await target.waitFor();
      await this.#page.locator('main:focus, main :is(input, select, textarea):focus').waitFor();
    });
  }

  async #wait(until: () => Promise<void>): Promise<void> {
    const before = performance.now();
    await until();
    this.#waitedMs += performance.now() - before;
  }
}
