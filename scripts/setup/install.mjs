import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSetupLock } from './lock.mjs';
import { inProject, readText, root, run, SetupError, sha256 } from './project.mjs';

const STAMP = inProject('node_modules', '.sims-installed');

const lockfile = () => readText(inProject('package-lock.json')) ?? '';
/** Packages contain binaries, so a folder copied from another platform does not work. */
const wanted = () => sha256(lockfile(), process.platform, process.arch);

/** Whether `npm ci` or `npm install` was run by hand: npm's own record then names every package of the lockfile. */
function installedByHand() {
  const record = readText(inProject('node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const present = JSON.parse(record).packages;
  return Object.entries(JSON.parse(lockfile()).packages).every(
    ([place, { version, optional }]) => place === '' || optional || present[place]?.version === version,
  );
}

const isInstalled = () => readText(STAMP) === wanted();

/** The npm that started this script; none is needed on the path. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && path.basename(cli) === 'npm-cli.js')
    return run(process.execPath, [cli, ...args], options);
  return run('npm', args, { shell: process.platform === 'win32', ...options });
}

/** Installs the packages of the lockfile if `node_modules` differs from it. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withSetupLock(async () => {
    if (isInstalled()) return;
    if (!installedByHand()) {
      console.log('Installing dependencies (first start, or the lockfile changed) …');
      const { code } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
      if (code !== 0)
        throw new SetupError(`The installation failed: run 'npm ci' in ${root} for the reason.`);
    }
    writeFileSync(STAMP, wanted());
  });
}
