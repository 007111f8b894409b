import { writeReport } from './report.mjs';

const STATES = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' };

/** Reports the tests of a Playwright run; see `writeReport`. */
export default class {
  #suite;
  #faults = [];

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onError(error) {
    this.#faults.push({ title: 'outside of any test', state: 'failed', error });
  }

  onEnd() {
    const tests = (this.#suite?.allTests() ?? []).map((test) => ({
      // Without the project, which has no name.
      title: test.titlePath().filter(Boolean).join(' › '),
      state: STATES[test.outcome()],
      error: test.results.find(({ error }) => error !== undefined)?.error,
    }));
    writeReport([...tests, ...this.#faults]);
  }

  printsToStdio() {
    return false;
  }
}
