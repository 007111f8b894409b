import process from 'node:process';
import { Api, registerUser } from '../support/api.ts';
import { startWithFaculty } from '../support/processes/sample-faculty.ts';
import type { Case } from './case.ts';
import { inviting, signIn } from './cases/accounts.ts';
import { courses } from './cases/courses.ts';
import { dialogs } from './cases/dialogs.ts';
import { importing, issuing, restoring } from './cases/documents.ts';
import { exporting, list, rows } from './cases/list.ts';
import { confirmation, grading, grid, live } from './cases/marks.ts';
import { screens, teaching } from './cases/screens.ts';
import { admission, conflict } from './cases/students.ts';
import type { Engine } from './engines/driver.ts';
import { findEngines } from './engines/find-engines.ts';
import { Guard } from './engines/guard.ts';
import { makeEquivalents } from './faculty.ts';
import { type Product, Runner } from './runner.ts';

const CASES: readonly Case[] = [
  signIn,
  inviting,
  list,
  rows,
  admission,
  conflict,
  courses,
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
  teaching,
];

const seconds = (begin: number) => `${((performance.now() - begin) / 1_000).toFixed(1).padStart(5)} s`;

type Outcome = 'passed' | 'passed only when run again' | 'failed' | 'not tested';

/** @param isOnce a failed case is not run again */
async function runEngine(
  runner: Runner,
  name: string,
  cases: readonly Case[],
  isOnce: boolean,
): Promise<Outcome[]> {
  const problem = await runner.start();
  if (problem !== undefined) {
    console.log(`\nNOT TESTED in ${name}, which can't be started here: ${problem}\n`);
    await runner.end();
    return cases.map(() => 'not tested');
  }
  const outcomes: Outcome[] = [];
  for (const one of cases) {
    const begin = performance.now();
    const first = await runner.run(one);
    // A fault that shows rarely must not hide the others.
    const last = first.length === 0 || isOnce ? first : await runner.run(one);
    const outcome = last.length > 0 ? 'failed' : first.length > 0 ? 'passed only when run again' : 'passed';
    outcomes.push(outcome);
    console.log(`${name.padEnd(8)} ${one.name.padEnd(14)} ${seconds(begin)}  ${outcome}`);
    for (const problem of last.length > 0 ? last : first) console.log(`         ${problem}`);
  }
  await runner.end();
  return outcomes;
}

/** Starts the product with the sample faculty. */
async function startProduct(guard: Guard): Promise<Product> {
  const server = await startWithFaculty(400);
  guard.watch(server.pid);
  // The first account becomes the administrator.
  const admin = await registerUser(server.url, 'Asad Admin');
  const staff = await registerUser(server.url);
  const teacher = await registerUser(server.url, 'Tahir Teacher');
  const api = new Api(server.url, admin.token);
  const { id, name, email } = teacher.user;
  await api.put(`/api/users/${id}`, { name, email, role: 'teacher', password: admin.password });
  await makeEquivalents(api);
  return { url: server.url, admin, staff, teacher };
}

/** Runs cases in engines side by side. */
async function runAll(
  guard: Guard,
  engines: readonly Engine[],
  cases: readonly Case[],
  isOnce: boolean,
): Promise<Outcome[]> {
  const product = await startProduct(guard);
  const outcomes = await Promise.all(
    engines.map(async (engine) =>
      runEngine(await Runner.open(engine, guard, product), engine.name, cases, isOnce),
    ),
  );
  return outcomes.flat();
}

/** As a flag: a browser that can't be started does not fail the run. */
const IF_INSTALLED = '--if-installed';

/** Runs all cases in all installed engines, or only those that are named. Exits with 1 if one failed. */
async function main(given: readonly string[]): Promise<void> {
  const isOptional = given.includes(IF_INSTALLED);
  const names = given.filter((name) => name !== IF_INSTALLED);
  const engines = findEngines();
  const chosen = engines.filter(({ name }) => names.includes(name));
  const cases = CASES.filter(({ name }) => names.includes(name));
  const known = [...engines, ...CASES].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}, but ${known.join(', ')}.`);
  if (engines.length === 0) return console.log('No other browser is installed.');
  const begin = performance.now();
  const guard = new Guard();
  process.env.TMPDIR = guard.folder;
  try {
    const outcomes = await runAll(
      guard,
      chosen.length > 0 ? chosen : engines,
      cases.length > 0 ? cases : CASES,
      cases.length > 0,
    );
    const counts = new Map<Outcome, number>();
    for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (counts.has('failed') || (counts.has('not tested') && !isOptional)) process.exitCode = 1;
    const text = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
    console.log(`\n${text}, ${seconds(begin).trim()}`);
  } finally {
    await guard.end();
  }
}

// What has started this has ended, by a signal for example.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
await main(process.argv.slice(2));
