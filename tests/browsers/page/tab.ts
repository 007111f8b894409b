import type { Driver } from '../engines/driver.ts';
import type { Target } from './probe.ts';
import type { Site } from './site.ts';

/** As high as in the tests in Chromium, so that only a hang is reported, not a busy machine. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 40;
/** Short, since a page that is being replaced may never answer. */
const PAGE_LOOKS_FOR_MS = 1_000;
/** Between digits: a date field takes them one part after another. */
const KEY_PAUSE_MS = 60;

const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

export const button = (name: string): Target => ({ role: 'button', name });
export const link = (name: string): Target => ({ role: 'link', name });
export const field = (name: string): Target => ({ role: 'field', name });
export const css = (name: string): Target => ({ role: 'css', name });
/** The first whose name contains the given one. */
export const part = (target: Target): Target => ({ ...target, isPart: true });

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The expression that calls a function by its source text. */
const call = (inPage: (...args: never[]) => unknown, args: readonly unknown[]) =>
  `(${inPage})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;

/** The compiler gives functions their names by a helper, which the page does not have. */
const named = (expression: string) => `((__name) => ${expression})((value) => value)`;

/** A browser's window, used as a person does: by what can be seen, with the mouse and the keys. */
export class Tab {
  readonly driver: Driver;
  readonly site: Site;

  constructor(driver: Driver, site: Site) {
    this.driver = driver;
    this.site = site;
  }

  /** Runs a function in the page. It uses nothing from outside of itself. */
  async run<Result, Args extends readonly unknown[]>(
    inPage: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return (await this.driver.evaluate(named(call(inPage, args)))) as Awaited<Result>;
  }

  /** Waits until a function answers something true in the page. The page itself looks, so that a busy machine is not asked each time. */
  async until<Result, Args extends readonly unknown[]>(
    what: string,
    inPage: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const expression = named(`(async () => {
      const end = Date.now() + ${PAGE_LOOKS_FOR_MS};
      for (;;) {
        const result = await ${call(inPage, args)};
        if (result || Date.now() > end) return result;
        await new Promise((resolve) => setTimeout(resolve, ${LOOK_EVERY_MS}));
      }
    })()`);
    return (await this.wait(what, () => this.driver.evaluate(expression))) as Awaited<Result>;
  }

  /** Waits until `look` answers something true. A page that is being replaced is asked again. */
  async wait<Result>(what: string, look: () => Promise<Result>, patience = PATIENCE_MS): Promise<Result> {
    const end = Date.now() + patience;
    let reason = '';
    for (;;) {
      try {
        const result = await look();
        if (result) return result;
        reason = '';
      } catch (error) {
        reason = error instanceof Error ? `: ${error.message}` : '';
      }
      if (Date.now() > end) {
        const text = await this.run(() => window.probe.text().slice(0, 600)).catch(() => '');
        throw new Error(`waited in vain until ${what}${reason}\n    in sight: ${text}`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Loads a page. */
  async goto(path: string): Promise<void> {
    await this.driver.goto(new URL(path, this.site.url).href);
    await this.ready();
  }

  async reload(): Promise<void> {
    await this.driver.reload();
    await this.ready();
  }

  /** Opens a page as a link of the application does: with a key in the history, under which the list keeps its place. */
  async follow(path: string): Promise<void> {
    await this.run((path) => {
      document.title = '';
      const index = Number(history.state?.__TSR_index ?? 0) + 1;
      history.pushState({ __TSR_key: `followed ${index} ${Date.now()}`, __TSR_index: index }, '', path);
    }, path);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.until('the page is shown', () => window.probe.isReady());
  }

  async path(): Promise<string> {
    return this.run(() => location.pathname + location.search);
  }

  async untilPath(pattern: RegExp): Promise<string> {
    return this.wait(`the address is ${pattern}`, async () => {
      const path = await this.path();
      return pattern.test(path) ? path : '';
    });
  }

  async shows(text: string): Promise<void> {
    await this.until(`“${text}” is shown`, (text) => window.probe.text().includes(text), text);
  }

  async lacks(text: string): Promise<void> {
    await this.until(`“${text}” is gone`, (text) => !window.probe.text().includes(text), text);
  }

  async has(target: Target): Promise<void> {
    await this.until(
      `there is ${target.role} “${target.name}”`,
      (target) => window.probe.find(target) !== undefined,
      target,
    );
  }

  async hasNot(target: Target): Promise<void> {
    await this.until(
      `there is no ${target.role} “${target.name}”`,
      (target) => window.probe.find(target) === undefined,
      target,
    );
  }

  /** Where the target is, once it stays there and the pointer would meet it. */
  async locate(target: Target): Promise<{ x: number; y: number }> {
    try {
      return await this.until(
        `${target.role} “${target.name}” can be clicked`,
        (target) => window.probe.settle(target) as Promise<{ x: number; y: number }>,
        target,
      );
    } catch (error) {
      const last = await this.run((target) => window.probe.place(target), target).catch(() => undefined);
      const reason = last !== undefined && 'problem' in last ? last.problem : 'it moves';
      throw new Error(`${reason}: ${error instanceof Error ? error.message : error}`);
    }
  }

  async click(target: Target, count = 1): Promise<void> {
    const { x, y } = await this.locate(target);
    const press = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.mouse([move(x, y), ...Array.from({ length: count }, () => press).flat()]);
  }

  mouse(actions: readonly Record<string, unknown>[]): Promise<void> {
    return this.driver.perform({
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions,
    });
  }

  /** Drags from one place to another. */
  async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
    const between = (share: number) =>
      move(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    await this.mouse([
      between(0),
      { type: 'pointerDown', button: 0 },
      between(0.3),
      between(0.7),
      between(1),
      { type: 'pointerUp', button: 0 },
    ]);
  }

  /** Presses keys together: `Control+c`. */
  async press(...combinations: readonly string[]): Promise<void> {
    for (const combination of combinations) {
      const keys = combination.split('+').map((key) => KEYS[key] ?? key);
      await this.driver.perform({
        type: 'key',
        id: 'keys',
        actions: [
          ...keys.map((value) => ({ type: 'keyDown', value })),
          ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
        ],
      });
    }
  }

  /** Presses a key many times, as fast as the page takes it. */
  async hold(key: string, times: number): Promise<void> {
    const value = KEYS[key] ?? key;
    const press = [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ];
    await this.driver.perform({
      type: 'key',
      id: 'keys',
      actions: Array.from({ length: times }, () => press).flat(),
    });
  }

  /** Types a text where the focus is. */
  async type(text: string): Promise<void> {
    await this.driver.perform({
      type: 'key',
      id: 'keys',
      actions: [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    });
  }

  /** Replaces what is in a field. */
  async fill(target: Target, text: string): Promise<void> {
    await this.wait(`${target.role} “${target.name}” has the focus`, async () => {
      // What appears above it meanwhile may move it away from the pointer.
      await this.click(target);
      return this.run((target) => window.probe.find(target) === document.activeElement, target);
    });
    await this.press('Control+a');
    await this.type(text);
  }

  /** Chooses in a list by its text. The list itself is drawn by the system, so the keys choose. */
  async choose(target: Target, option: string): Promise<void> {
    await this.locate(target);
    await this.run(
      (target, option) => {
        const select = window.probe.find(target) as HTMLSelectElement;
        const found = [...select.options].find(({ text }) => text === option);
        if (found === undefined)
          throw new Error(`There is no ${option}: ${[...select.options].map(({ text }) => text)}`);
        select.value = found.value;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      },
      target,
      option,
    );
  }

  /** Types a date as month, day and year. */
  async typeDate(target: Target, iso: string): Promise<void> {
    const [year, month, day] = iso.split('-');
    const { x, y } = await this.locate(target);
    // On the first part: in the middle there may be none.
    const left = await this.run(
      (target) => window.probe.find(target)?.getBoundingClientRect().left ?? 0,
      target,
    );
    await this.mouse([
      move(Math.min(x, left + 20), y),
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
    for (const digit of `${month}${day}${year}`) {
      await this.type(digit);
      await sleep(KEY_PAUSE_MS);
    }
    await this.until(
      'the date is typed',
      (target, iso) => (window.probe.find(target) as HTMLInputElement | undefined)?.value === iso,
      target,
      iso,
    );
  }

  /** Chooses a file in a field that may be hidden behind a button. */
  async chooseFile(selector: string, file: string): Promise<void> {
    await this.until(
      'there is a field for a file',
      (selector) => document.querySelector(selector) !== null,
      selector,
    );
    await this.driver.setFile(selector, file);
  }

  /** Drops a file of text on the middle of the page. No driver can drag from outside of the browser. */
  async dropFile(name: string, text: string): Promise<void> {
    await this.run(
      (name, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        const target = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? document.body;
        for (const type of ['dragenter', 'dragover', 'drop']) {
          target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
        }
      },
      name,
      text,
    );
  }

  /** Sets a date field, in WebKitGTK the only way: there digits do not pass from one part to the next. */
  async setDate(target: Target, iso: string): Promise<void> {
    await this.locate(target);
    await this.run(
      (target, iso) => {
        const input = window.probe.find(target) as HTMLInputElement;
        input.focus();
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, iso);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      },
      target,
      iso,
    );
  }

  /** The name of what has the focus. */
  async focused(): Promise<string> {
    return this.run(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim().slice(0, 60) ?? '';
    });
  }
}

const move = (x: number, y: number) => ({
  type: 'pointerMove',
  x: Math.round(x),
  y: Math.round(y),
  origin: 'viewport',
  duration: 0,
});
