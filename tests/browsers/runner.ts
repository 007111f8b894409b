import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Account, Api } from '../support/api.ts';
import { type Case, openSession } from './case.ts';
import type { Driver, Engine } from './engines/driver.ts';
import type { Guard } from './engines/guard.ts';
import { Site } from './page/site.ts';
import { Tab } from './page/tab.ts';

/** What all engines share. */
export interface Product {
  url: string;
  admin: Account;
  staff: Account;
  teacher: Account;
}

/** An engine, at an address of its own. Its browser is started again after a failure. */
export class Runner {
  readonly #engine: Engine;
  readonly #guard: Guard;
  readonly #product: Product;
  readonly #site: Site;
  readonly #folder: string;
  #driver: Driver | undefined;

  private constructor(engine: Engine, guard: Guard, product: Product, site: Site) {
    this.#engine = engine;
    this.#guard = guard;
    this.#product = product;
    this.#site = site;
    this.#folder = path.join(guard.folder, engine.name);
  }

  static async open(engine: Engine, guard: Guard, product: Product): Promise<Runner> {
    const runner = new Runner(engine, guard, product, await Site.open(product.url));
    await mkdir(path.join(runner.#folder, 'Downloads'), { recursive: true });
    return runner;
  }

  /** Starts the browser. @returns why it can't be started, if it can't be started again either */
  async start(): Promise<string | undefined> {
    for (const isLast of [false, true]) {
      try {
        this.#driver = await this.#engine.start(this.#guard, this.#folder);
        return undefined;
      } catch (error) {
        if (isLast) return describe(error);
      }
    }
    return undefined;
  }

  /** Runs a case. @returns what is wrong */
  async run({ name, run }: Case): Promise<string[]> {
    const { url, admin, staff, teacher } = this.#product;
    const problems: string[] = [];
    this.#site.problems.length = 0;
    try {
      this.#driver ??= await this.#engine.start(this.#guard, this.#folder);
      await this.#driver.resize(1440, 900);
      const tab = new Tab(this.#driver, this.#site);
      await openSession(tab, admin);
      await run({
        ...{ engine: this.#engine.name, tab, site: this.#site },
        admin: new Api(url, admin.token),
        staff: new Api(url, staff.token),
        adminPassword: admin.password,
        teacher,
        downloads: path.join(this.#folder, 'Downloads'),
        typeDate: (target, iso) =>
          this.#engine.typesDates ? tab.typeDate(target, iso) : tab.setDate(target, iso),
        must: (isRight, problem) => {
          if (!isRight) problems.push(problem);
        },
      });
      const isInFront = await tab.run(() => document.visibilityState === 'visible');
      if (!isInFront) problems.push('another window is in front of the page');
    } catch (error) {
      problems.push(describe(error));
      await this.#keepPicture(name);
      await this.#close();
    }
    return [...problems, ...this.#site.problems.map((problem) => `the page reported ${problem}`)];
  }

  async #keepPicture(name: string): Promise<void> {
    const picture = await this.#driver?.screenshot().catch(() => undefined);
    if (picture === undefined) return;
    await mkdir('test-results', { recursive: true });
    await writeFile(path.join('test-results', `${this.#engine.name}-${name}.png`), picture);
  }

  async #close(): Promise<void> {
    const driver = this.#driver;
    this.#driver = undefined;
    await driver?.close();
  }

  async end(): Promise<void> {
    await this.#close();
    await this.#site.stop();
  }
}

/** The message, and the line of the case. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const line = error.stack?.split('\n').find((one) => one.includes('/cases/'));
  return `${error.message}${line === undefined ? '' : `\n      ${line}`}`;
}
