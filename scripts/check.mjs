import { coverageProblems } from './checks/coverage.mjs';
import { supplyChainProblems } from './checks/supply-chain.mjs';
import { writtenOnceProblems } from './checks/written-once.mjs';
import { ensureInstalled, main, runTool, tools } from './setup.mjs';

/** Runs every check, even after a failed one. The exit code is 0 only if all passed. */
const CHECKS = [
  ['types of src/domain', tools.tsc, ['--noEmit', '-p', 'src/domain']],
  ['types of src/contract', tools.tsc, ['--noEmit', '-p', 'src/contract']],
  ['types of src/server', tools.tsc, ['--noEmit', '-p', 'src/server']],
  ['types of src/web', tools.tsc, ['--noEmit', '-p', 'src/web']],
  ['types of unit tests and bench', tools.tsc, ['--noEmit', '-p', 'tsconfig.json']],
  ['types of tests/', tools.tsc, ['--noEmit', '-p', 'tests']],
  ['lint, format, imports between the sides', tools.biome, ['ci', '--colors=off', '.']],
  ['unused files, exports, packages', tools.knip, ['--no-progress']],
];

function report(title, passed, output) {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${title}`);
  if (passed) return;
  console.log(output.trim().replace(/^/gm, '       '));
  process.exitCode = 1;
}

await main(async () => {
  await ensureInstalled();
  for (const [title, startFile, args] of CHECKS) {
    const { code, output } = await runTool(startFile, args, { quiet: true });
    report(title, code === 0, output);
  }
  // It imports a package, so it is loaded only after the installation.
  const { importOrderProblems } = await import('./checks/import-order.mjs');
  const { browserFeatureProblems } = await import('./checks/browser-features.mjs');
  for (const [title, findProblems] of [
    ['imports between folders', importOrderProblems],
    ['CSS and browser APIs newer than the stated browsers', browserFeatureProblems],
    ['patterns that are written once', writtenOnceProblems],
    ['tests of each keyed statement', coverageProblems],
    ['supply chain', supplyChainProblems],
  ]) {
    const problems = await findProblems();
    report(title, problems.length === 0, problems.join('\n'));
  }
});
