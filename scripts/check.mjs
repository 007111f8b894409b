import { securityProblems, specificationProblems } from './setup/coverage.mjs';
import { supplyChainProblems } from './setup/supply-chain.mjs';
import { ensureInstalled, main, runTool, tools } from './setup.mjs';

/** Every check runs, whatever the ones before it found; the exit code tells whether all were content. */
const CHECKS = [
  ['types of src/domain', tools.tsc, ['--noEmit', '-p', 'src/domain']],
  ['types of src/contract', tools.tsc, ['--noEmit', '-p', 'src/contract']],
  ['types of src/server', tools.tsc, ['--noEmit', '-p', 'src/server']],
  ['types of src/web', tools.tsc, ['--noEmit', '-p', 'src/web']],
  ['types of unit tests and bench', tools.tsc, ['--noEmit', '-p', 'tsconfig.json']],
  ['types of tests/', tools.tsc, ['--noEmit', '-p', 'tests']],
  ['lint, format, import direction', tools.biome, ['ci', '--colors=off', '.']],
  ['unused files, exports, packages', tools.knip, ['--no-progress']],
];

function report(title, isContent, output) {
  console.log(`${isContent ? 'ok    ' : 'FAILED'} ${title}`);
  if (isContent) return;
  console.log(output.trim().replace(/^/gm, '       '));
  process.exitCode = 1;
}

await main(async () => {
  await ensureInstalled();
  for (const [title, startFile, args] of CHECKS) {
    const { code, output } = await runTool(startFile, args, { quiet: true });
    report(title, code === 0, output);
  }
  for (const [title, problemsOf] of [
    ['specification coverage', specificationProblems],
    ['security coverage', securityProblems],
    ['supply chain', supplyChainProblems],
  ]) {
    const problems = problemsOf();
    report(title, problems.length === 0, problems.join('\n'));
  }
});
