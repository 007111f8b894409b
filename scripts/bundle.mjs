import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PLATFORMS } from './bundle/platforms.mjs';
import { billOfMaterials } from './setup/bill-of-materials.mjs';
import { inProject, main, readText, run, SetupError, setup } from './setup.mjs';

/**
 * `npm run bundle` writes a folder for each platform that an office unpacks and starts, packed, and a file with their checksums, into
 * `dist/bundles`; `-- linux-x64` only those named. The same commit gives the same bytes. `--folder-only` does not pack them. It needs
 * Linux, for `tar` and `xz`, and gets Node.js and the native packages of the other platforms from the registry.
 */
const { values, positionals } = parseArgs({
  options: { 'folder-only': { type: 'boolean', default: false } },
  allowPositionals: true,
});

/** Packages that were fetched before, for the next run. */
const PACKAGES = inProject('dist', 'bundles', '.packages');
const BUNDLES = inProject('dist', 'bundles');

/** The date of the commit: what is built from it is always the same. */
async function commitDate() {
  const { code, output } = await run('git', ['log', '-1', '--format=%ct'], { quiet: true });
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? (code === 0 ? output : Number.NaN));
  if (!Number.isInteger(seconds))
    throw new SetupError('The date of the commit is not known: set SOURCE_DATE_EPOCH to its seconds.');
  return new Date(seconds * 1000);
}

async function reproducibleBill(date) {
  const { serialNumber, ...list } = await billOfMaterials();
  return `${JSON.stringify({ ...list, metadata: { ...list.metadata, timestamp: date.toISOString() } }, null, 2)}\n`;
}

/** A line as `sha256sum --check` reads it. */
const checksumLine = (file) =>
  `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${path.basename(file)}\n`;

const megabytes = (file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`;

await main(async () => {
  const names = positionals.length > 0 ? positionals : Object.keys(PLATFORMS);
  const unknown = names.find((name) => !Object.hasOwn(PLATFORMS, name));
  if (unknown !== undefined)
    throw new SetupError(`There is no bundle for ${unknown}, only for ${Object.keys(PLATFORMS).join(', ')}.`);
  if (process.platform !== 'linux') throw new SetupError('Bundles are made on Linux, for tar and xz.');
  await setup();
  // They use packages, which are there now.
  const { pack } = await import('./bundle/archive.mjs');
  const { writeFolder } = await import('./bundle/folder.mjs');
  const { fetchPackages, wantedBy } = await import('./bundle/packages.mjs');
  const chosen = names.map((name) => ({ name, platform: PLATFORMS[name] }));
  const manifest = JSON.parse(readText(inProject('package.json')));
  const date = await commitDate();
  const sbom = await reproducibleBill(date);
  const fileOf = await fetchPackages(wantedBy(chosen.map(({ platform }) => platform)), PACKAGES);
  const packed = chosen.map(async ({ name, platform }) => {
    const folder = path.join(BUNDLES, `sims-${manifest.version}-${name}`);
    rmSync(folder, { recursive: true, force: true });
    await writeFolder(folder, { name, platform, manifest, fileOf, sbom });
    if (values['folder-only']) return folder;
    const file = `${folder}.${platform.archive}`;
    await pack(folder, file, date);
    return file;
  });
  const files = await Promise.all(packed);
  for (const file of files) console.log(values['folder-only'] ? file : `${file} ${megabytes(file)}`);
  if (!values['folder-only'])
    writeFileSync(path.join(BUNDLES, 'SHA256SUMS'), files.map(checksumLine).join(''));
});
