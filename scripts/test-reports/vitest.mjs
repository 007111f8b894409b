import { writeReport } from './report.mjs';

/** Reports the tests of a vitest run; see `writeReport`. */
export default class {
  /** @param modules of the run  @param faults errors outside of any test */
  onTestRunEnd(modules, faults) {
    const tests = modules.flatMap((module) => {
      const name = (one) => `${module.relativeModuleId} › ${one.fullName}`;
      return [
        ...module.errors().map((error) => ({ title: module.relativeModuleId, state: 'failed', error })),
        ...[...module.children.allSuites()].flatMap((suite) =>
          suite.errors().map((error) => ({ title: name(suite), state: 'failed', error })),
        ),
        ...[...module.children.allTests()].map((test) => {
          const { state, errors } = test.result();
          const isFlaky = test.diagnostic()?.flaky === true;
          return { title: name(test), state: isFlaky ? 'flaky' : state, error: errors?.[0] };
        }),
      ];
    });
    writeReport([
      ...tests,
      ...faults.map((error) => ({ title: 'outside of any test', state: 'failed', error })),
    ]);
  }
}
