import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './setup/browser.mjs';
import { findPostgres } from './setup/postgres.mjs';
import { main, runTool, setup, textOf, tools } from './setup.mjs';

/**
 * `npm test` runs every test. `npm test -- --unit` runs those of the rules and the API, `--browser` those in a
 * browser; other arguments go to the test runner (`npm test -- --unit gpa`).
 */
const given = process.argv.slice(2);
const chosen = given.filter((arg) => arg === '--unit' || arg === '--browser');
const wants = (group) => chosen.length === 0 || chosen.includes(group);
const passedOn = given.filter((arg) => !chosen.includes(arg));

const scratch = mkdtempSync(path.join(tmpdir(), 'sims-test-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** A run that broke outside of any test (a file that does not load, say) counts as one failure. */
function totals(code, report, read) {
  const text = textOf(report);
  const counted = text === undefined ? { passed: 0, failed: 0, skipped: 0 } : read(JSON.parse(text));
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

async function unitTests() {
  const report = path.join(scratch, 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { POSTGRES_BIN: (await findPostgres()) ?? '' };
  const { code } = await runTool(tools.vitest, ['run', ...reporters, ...passedOn], { env });
  return totals(code, report, (run) => ({
    passed: run.numPassedTests,
    failed: run.numFailedTests,
    skipped: run.numPendingTests + run.numTodoTests,
  }));
}

async function browserTests(browser) {
  const report = path.join(scratch, 'browser.json');
  const env = { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await runTool(tools.playwright, ['test', '--reporter=list,json', ...passedOn], { env });
  return totals(code, report, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

await main(async () => {
  const runs = [];
  const browser = wants('--browser') ? await findBrowser() : undefined;
  // Of the tests beside a browser some attack the built product.
  await setup();
  if (wants('--unit')) runs.push(await unitTests());
  if (browser !== undefined) runs.push(await browserTests(browser));

  const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  if (failed > 0 || passed === 0) process.exitCode = 1;
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
});
