import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type Account, Api, registerUser } from '../support/api.ts';
import { makeSharedFaculty, startWithSharedFaculty } from '../support/processes/sample-faculty.ts';
import type { Server } from '../support/processes/server.ts';
import type { Case } from './case.ts';
import { dialogs } from './cases/dialogs.ts';
import { exporting, importing, issuing, restoring } from './cases/documents.ts';
import { confirmation, grading, grid, live } from './cases/marks.ts';
import { screens } from './cases/screens.ts';
import { admission, conflict, list, signIn } from './cases/students.ts';
import type { Driver, Engine } from './engines/driver.ts';
import { findEngines } from './engines/find-engines.ts';
import { Site } from './page/site.ts';
import { Tab } from './page/tab.ts';

const CASES: readonly Case[] = [
  signIn,
  list,
  admission,
  conflict,
  grid,
  live,
  grading,
  confirmation,
  issuing,
  exporting,
  importing,
  restoring,
  dialogs,
  screens,
];

const seconds = (begin: number) => `${((performance.now() - begin) / 1_000).toFixed(1).padStart(5)} s`;

/** Puts the session of an account where the application keeps it. */
async function openSession(tab: Tab, { token, user }: Account): Promise<void> {
  await tab.driver.goto(new URL('/theme.js', tab.site.url).href);
  const session = {
    'AUTH-TOKEN': token,
    'CURRENT-USER-ID': String(user.id),
    'CURRENT-USER-EMAIL': user.email,
    'CURRENT-USER-NAME': user.name,
    'CURRENT-USER-ROLE': user.role,
    'VISITED-PATH': '/',
  };
  await tab.run((session) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
  }, session);
  await tab.goto('/');
}

/** The message, and the line of the case. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const line = error.stack?.split('\n').find((one) => one.includes('/cases/'));
  return `${error.message}${line === undefined ? '' : `\n      ${line}`}`;
}

/** An engine with a server of its own. Its browser is started again after a failure. */
class Runner {
  readonly #engine: Engine;
  readonly #server: Server;
  readonly #site: Site;
  readonly #admin: Account;
  readonly #folder: string;
  #driver: Driver | undefined;

  private constructor(engine: Engine, server: Server, site: Site, admin: Account, folder: string) {
    this.#engine = engine;
    this.#server = server;
    this.#site = site;
    this.#admin = admin;
    this.#folder = folder;
  }

  static async start(engine: Engine, folder: string): Promise<Runner> {
    await mkdir(path.join(folder, 'Downloads'), { recursive: true });
    const server = await startWithSharedFaculty();
    const site = await Site.open(server.url);
    return new Runner(engine, server, site, await registerUser(server.url, 'Asad Admin'), folder);
  }

  /** Runs a case. @returns what is wrong */
  async run({ name, run }: Case): Promise<string[]> {
    const problems: string[] = [];
    this.#site.problems.length = 0;
    try {
      this.#driver ??= await this.#engine.start(this.#folder);
      await this.#driver.resize(1440, 900);
      const tab = new Tab(this.#driver, this.#site);
      const staff = await registerUser(this.#server.url);
      await openSession(tab, this.#admin);
      await run({
        ...{ tab, server: this.#server, site: this.#site, staffAccount: staff },
        admin: new Api(this.#server.url, this.#admin.token),
        staff: new Api(this.#server.url, staff.token),
        downloads: path.join(this.#folder, 'Downloads'),
        typeDate: (target, iso) =>
          this.#engine.typesDates ? tab.typeDate(target, iso) : tab.setDate(target, iso),
        must: (isRight, problem) => {
          if (!isRight) problems.push(problem);
        },
      });
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
    await this.#driver?.close();
    this.#driver = undefined;
  }

  async end(): Promise<void> {
    await this.#close();
    this.#site.close();
    await this.#server.dispose();
  }
}

type Outcome = 'passed' | 'passed only when run again' | 'failed';

/** @param isOnce a failed case is not run again */
async function runEngine(
  engine: Engine,
  cases: readonly Case[],
  folder: string,
  isOnce: boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const runner = await Runner.start(engine, folder);
  try {
    for (const one of cases) {
      const begin = performance.now();
      const first = await runner.run(one);
      // A fault that shows rarely must not hide the others.
      const last = first.length === 0 || isOnce ? first : await runner.run(one);
      const outcome = last.length > 0 ? 'failed' : first.length > 0 ? 'passed only when run again' : 'passed';
      outcomes.push(outcome);
      console.log(`${engine.name.padEnd(8)} ${one.name.padEnd(14)} ${seconds(begin)}  ${outcome}`);
      for (const problem of first) console.log(`         ${problem}`);
    }
  } finally {
    await runner.end();
  }
  return outcomes;
}

/** Runs all cases in all installed engines side by side, or only those that are named. Exits with 1 if one failed. */
async function main(names: readonly string[]): Promise<void> {
  const engines = findEngines();
  const chosen = engines.filter(({ name }) => names.includes(name));
  const cases = CASES.filter(({ name }) => names.includes(name));
  const known = [...engines, ...CASES].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}, but ${known.join(', ')}.`);
  const begin = performance.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'sims-browsers-'));
  const removeFaculty = await makeSharedFaculty();
  try {
    const outcomes = await Promise.all(
      (chosen.length > 0 ? chosen : engines).map((engine) =>
        runEngine(engine, cases.length > 0 ? cases : CASES, path.join(folder, engine.name), cases.length > 0),
      ),
    );
    const counts = new Map<Outcome, number>();
    for (const outcome of outcomes.flat()) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (counts.has('failed')) process.exitCode = 1;
    const text = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
    console.log(`\n${text || 'no browser is installed'}, ${seconds(begin).trim()}`);
  } finally {
    await removeFaculty();
    await rm(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
