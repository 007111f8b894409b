import type { ChildProcess } from 'node:child_process';
import type { Guard } from './guard.ts';

/** One input device with its steps, as WebDriver and WebDriver BiDi take it. */
export interface InputSource {
  type: 'key' | 'pointer';
  id: string;
  parameters?: { pointerType: 'mouse' };
  actions: readonly Record<string, unknown>[];
}

/** One window of a browser. */
export interface Driver {
  /** What the browser says its version is. */
  version: string;
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** The value of a JavaScript expression, awaited; it must be JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Real keys and mouse, one source at a time. */
  perform(source: InputSource): Promise<void>;
  /** The size of the page, in pixels. */
  resize(width: number, height: number): Promise<void>;
  setFile(selector: string, file: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Engine {
  name: 'firefox' | 'webkit';
  /** Whether digits pass from one part of a date field to the next, in the order of month, day and year. */
  typesDates: boolean;
  /** @param folder for profile and downloads, inside of the guard's */
  start(guard: Guard, folder: string): Promise<Driver>;
}

/** An expression that answers the JSON of another one, so that both protocols return a string. */
export const asJson = (expression: string) =>
  `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? 'null')`;

/** Waits until the output of a child process matches; throws with the output when it ends or takes too long. */
export function waitForOutput(child: ChildProcess, pattern: RegExp, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`${child.spawnfile} ${why}\n${output}`));
    const timer = setTimeout(() => fail('did not start in time'), withinMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [, found] = pattern.exec(output) ?? [];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    }
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${signal ?? code}`);
    });
  });
}
