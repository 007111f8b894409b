import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { findPostgres } from './setup/postgres.mjs';
import { inProject, main, readText, runTool, setup, tools } from './setup.mjs';
import { REPORT_FILE } from './test-reports/report.mjs';

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
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

/** A failure that the reporter did not see, such as one at the start, counts as one failed test. */
function readReport(code, file) {
  const text = readText(file);
  const report =
    text === undefined ? { passed: 0, failed: 0, flaky: 0, skipped: 0, failures: [] } : JSON.parse(text);
  return code !== 0 && report.failed === 0 ? { ...report, failed: 1 } : report;
}

async function unitTests() {
  const report = path.join(scratch, 'unit.json');
  const env = { POSTGRES_BIN: (await findPostgres()) ?? '', TMPDIR: scratch, [REPORT_FILE]: report };
  const reporters = ['--reporter=default', `--reporter=${inProject('scripts/test-reports/vitest.mjs')}`];
  const { code } = await runTool(tools.vitest, ['run', ...reporters, ...runnerArgs], { env });
  return readReport(code, report);
}

/** @param quiet whether to print the output at the end, because the other group prints at the same time */
async function browserTests(browser, quiet) {
  const report = path.join(scratch, 'browser.json');
  const env = { CHROMIUM_PATH: browser, [REPORT_FILE]: report };
  const reporters = `--reporter=list,${inProject('scripts/test-reports/playwright.mjs')}`;
  const { code, output } = await runTool(tools.playwright, ['test', reporters, ...runnerArgs], {
    env,
    quiet,
  });
  if (quiet) console.log(output);
  return readReport(code, report);
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
  const [passed, failed, flaky, skipped] = [sum('passed'), sum('failed'), sum('flaky'), sum('skipped')];
  if (failed > 0 || passed === 0) process.exitCode = 1;
  // Last, so that the end of the output tells what failed.
  for (const { title, state, error } of runs.flatMap(({ failures }) => failures)) {
    console.log(`\n${state === 'flaky' ? 'Passed only when run again' : 'Failed'}: ${title}\n${error}`);
  }
  const again = flaky > 0 ? ` (${flaky} only when run again)` : '';
  console.log(`\n${passed} passed${again}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
});
