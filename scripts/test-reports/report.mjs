import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Where a runner's reporter writes, set by `scripts/test.mjs`. */
export const REPORT_FILE = 'SIMS_TEST_REPORT';

/** Lines of an error that are shown again at the end of the run. */
const ERROR_LINES = 12;

/**
 * Writes how many tests ended in which state, and the first error of those that failed.
 *
 * @param {{ title: string, state: 'passed' | 'failed' | 'flaky' | 'skipped', error?: { message?: string, stack?: string } }[]} tests
 */
export function writeReport(tests) {
  const count = (wanted) => tests.filter(({ state }) => state === wanted).length;
  const failures = tests
    .filter(({ state }) => state === 'failed' || state === 'flaky')
    .map(({ title, state, error }) => ({
      title,
      state,
      error: stripVTControlCharacters(error?.stack ?? error?.message ?? '')
        .split('\n')
        .filter((line) => !line.includes('/node_modules/'))
        .slice(0, ERROR_LINES)
        .join('\n'),
    }));
  const counts = {
    passed: count('passed') + count('flaky'),
    failed: count('failed'),
    flaky: count('flaky'),
    skipped: count('skipped') + count('pending'),
  };
  writeFileSync(process.env[REPORT_FILE] ?? '', JSON.stringify({ ...counts, failures }));
}
