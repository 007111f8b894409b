import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { findPostgres } from './setup/postgres.mjs';
import { main, runTool, setup, textOf, tools } from './setup.mjs';

/**
 * `npm test` runs every test. `npm test -- --unit` runs the unit and API tests, `--browser` the browser tests. Other
 * arguments are passed on to the test runner (`npm test -- --unit gpa`).
 */
const given = process.argv.slice(2);
const chosen = given.filter((arg) => arg === '--unit' || arg === '--browser');
const wants = (group) => chosen.length === 0 || chosen.includes(group);
const runnerArgs = given.filter((arg) => !chosen.includes(arg));

/** The memory file system of Linux. */
const MEMORY = '/dev/shm';
const GIB = 2 ** 30;

/** Short-lived databases are kept in memory, or on disk if there is too little memory. */
function findScratchFolder() {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) > 4 * GIB ? MEMORY : tmpdir();
}

const scratch = mkdtempSync(path.join(findScratchFolder(), 'sims-test-'));
// The database server runs as another user.
chmodSync(scratch, 0o711);
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** A failure outside of any test, such as a file that does not load, counts as one failed test. */
function totals(code, report, read) {
  const text = textOf(report);
  const counted = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : read(JSON.parse(text));
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

async function unitTests() {
  const report = path.join(scratch, 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { POSTGRES_BIN: (await findPostgres()) ?? '', TMPDIR: scratch };
  const { code } = await runTool(tools.vitest, ['run', ...reporters, ...runnerArgs], { env });
  return totals(code, report, (run) => ({
    passed: run.numPassedTests,
    failed: run.numFailedTests,
    skipped: run.numPendingTests + run.numTodoTests,
  }));
}

/** @param quiet whether to print the output at the end, because the other group prints at the same time */
async function browserTests(browser, quiet) {
  const report = path.join(scratch, 'browser.json');
  const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const args = ['test', '--reporter=list,json', ...runnerArgs];
  const { code, output } = await runTool(tools.playwright, args, { env, quiet });
  if (quiet) console.log(output);
  return totals(code, report, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

await main(async () => {
  const browser = wants('--browser') ? await findBrowser() : undefined;
  // Some unit tests start the built product, too.
  await setup();
  const hasUnit = wants('--unit');
  // Both groups run at the same time: while one waits for processes or pages, the other uses the CPU.
  const runs = await Promise.all([
    ...(hasUnit ? [unitTests()] : []),
    ...(browser === undefined ? [] : [browserTests(browser, hasUnit)]),
  ]);

  const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  if (failed > 0 || passed === 0) process.exitCode = 1;
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
});
